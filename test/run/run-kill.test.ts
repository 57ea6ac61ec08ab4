import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createSqliteLedger } from '../../src/ledger/sqlite/index.ts';
import { findRun } from '../../src/run/find-run.ts';
import { badAgent, makePlace } from './place.ts';

it('a runner that is killed at any point goes on, and no iteration is lost or counted twice', async () => {
  const { start, unrut, folder, home } = makePlace();
  const marks = join(folder, 'marks');
  const options = ['--max-iterations', '12', '--max-errors', '12'];
  let kills = 0;
  for (let round = 0; round < 8; round++) {
    const { pid, ended } = round === 0 ? start('PROMPT.md', ...options, '--', ...badAgent('leaves-a-mark', marks)) : start('--resume');
    const killing = wait(500 + ((round * 397) % 900)).then(
      () => process.kill(pid, 'SIGKILL'),
      () => false,
    );
    const end = await ended;
    await killing.catch(() => false);
    if (end.signal === 'SIGKILL') kills++;
    // Before its first event there is nothing to go on with.
    else if (end.code === 64 && round === 1) return;
    else break;
  }
  const last = await unrut('--resume');
  expect([2, 64]).toContain(last.code);
  expect(kills).toBeGreaterThan(0);

  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const { run, state } = await findRun(ledger, { folder });
  const events = (await ledger.entries({ session: run, kind: 'event' })).map(({ data }) => data.type);
  const outputs = await ledger.context({ session: run, topics: ['iteration_output'] });
  await ledger.close();
  const begun = readFileSync(marks, 'utf8')
    .split('\n')
    .filter((mark) => mark === 'begun').length;
  expect(state.iteration).toBe(12);
  expect(events.filter((type) => type === 'iteration-started')).toHaveLength(12);
  // A kill between the event and the start of the agent leaves an iteration that never ran.
  expect(begun).toBeLessThanOrEqual(12);
  expect(begun).toBeGreaterThanOrEqual(12 - kills);
  expect(new Set(outputs.map(({ metadata }) => metadata.iteration)).size).toBe(outputs.length);
  expect(outputs.length).toBeGreaterThanOrEqual(12 - kills);
});
