import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import { recommended } from '@unrut/engine/presets';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { afterAll, expect, test } from 'vitest';
import { openProxyGuard } from './proxy-guard.ts';
import { recordInBackground } from './record-in-background.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-behind-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SECRET = 'sk-proj-4fG7hJ2kL9mN3pQ8rS5tU6vW1xY0zA2bC4dE';
const call = (i: number): AgentEvent => ({
  type: 'call-finished',
  session: 's',
  at: 1_800_000_000_000 + i * 1000,
  call: { id: String(i), tool: 'find', args: { key: SECRET } },
  result: `the same answer with ${SECRET}`,
});

test('what was observed is in the ledger after closing, without arguments, results and secrets', async () => {
  const path = join(folder, 'ledger.db');
  const guard = recordInBackground(() => createSqliteLedger({ path }), {}, { host: 'mcp test' });
  const verdicts = Array.from({ length: 3 }, (_, i) => guard.observe(call(i)));
  guard.fault('s', new Error(`broken at ${SECRET}`));
  await guard.close();
  const ledger = createSqliteLedger({ path });
  const entries = await ledger.entries();
  await ledger.close();
  expect(verdicts[2]!.plan?.rung).toBe('note');
  expect(entries.map(({ kind }) => kind).sort()).toEqual([
    'event',
    'event',
    'event',
    'fault',
    'plan',
    'signal',
  ]);
  expect(entries.find(({ kind }) => kind === 'event')!.data).toMatchObject({
    type: 'call-finished',
    tool: 'find',
    host: 'mcp test',
  });
  expect(JSON.stringify(entries)).not.toContain(SECRET);
  expect(JSON.stringify(entries)).not.toContain('the same answer');
});

test('a ledger that cannot be opened costs nothing but the record', async () => {
  const path = join(folder, 'folder.db');
  mkdirSync(path);
  const guard = await openProxyGuard({
    settings: {
      preset: 'recommended',
      shadow: false,
      companion: false,
      stall: { call: 900_000, silence: 600_000 },
      said: { off: [], on: [], forgiven: [], stop: [], told: [] },
      guard: { preset: recommended },
      ledger: { path },
    },
    name: 'test',
    notes: 'append',
    isLocal: true,
    shadow: false,
    hintFailures: false,
    log: () => undefined,
  });
  const conversation = guard.converse('s');
  const rungs = [1, 2, 3].map(
    (i) =>
      conversation.finish(conversation.open({ id: String(i), tool: 'find', args: {} }, {}), {
        result: 'the very same',
      }).plan?.rung,
  );
  await guard.close();
  expect(rungs).toEqual([undefined, undefined, 'note']);
});
