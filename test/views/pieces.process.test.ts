import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createWatch } from '@unrut/ledger/views/watched-sessions';
import { expect, test } from 'vitest';
import { type AgentEvent, type Ledger, recordTo } from '../../packages/cli/src/index.ts';
import { newPath } from '../ledger-files.ts';

const MINUTE = 60_000;

const piece = (at: number, changes: object = {}): AgentEvent => ({
  type: 'text-added',
  session: 's',
  at,
  id: `m${at}`,
  channel: 'answer',
  text: `And so at ${at} it goes on. `,
  ...changes,
});

/** What lists and pages tell of a session, each in its own way. */
async function toldOf(ledger: Ledger, now: number) {
  const { sessions } = await createWatch()(ledger, ledger.reports!, now);
  expect(await ledger.reports!.session('s')).toMatchObject(sessions[0]!);
  const { first, last, ended, steps } = sessions[0]!;
  return { first, last, ended, steps };
}

test('a session whose model streams a message continues, also before its first step and after its end', async () => {
  const ledger = createSqliteLedger({ path: newPath() });
  const guard = recordTo(ledger);
  await guard.observe(piece(5 * MINUTE));
  expect(await toldOf(ledger, 5 * MINUTE)).toEqual({
    first: 5 * MINUTE,
    last: 5 * MINUTE,
    ended: false,
    steps: 0,
  });
  await guard.observe(piece(6 * MINUTE, { done: true }));
  await guard.observe({ type: 'session-ended', session: 's', at: 7 * MINUTE });
  expect(await toldOf(ledger, 7 * MINUTE)).toEqual({
    first: 5 * MINUTE,
    last: 7 * MINUTE,
    ended: true,
    steps: 1,
  });
  await guard.observe(piece(8 * MINUTE));
  expect(await toldOf(ledger, 8 * MINUTE)).toEqual({
    first: 5 * MINUTE,
    last: 8 * MINUTE,
    ended: false,
    steps: 1,
  });
  await ledger.close();
});
