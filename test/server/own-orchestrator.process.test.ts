import { execFileSync } from 'node:child_process';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { openReading } from '@unrut/server/api/reading';
import { createApp } from '@unrut/server/create-app';
import { createTaskGuard } from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/build.ts';
import { newPath } from '../ledger-files.ts';

const ORCHESTRATOR = `
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createTaskGuard } from '@unrut/tasks';
const ledger = createSqliteLedger({ path: process.argv[1] });
const guard = createTaskGuard({ ledger }, { run: 'nightly' });
for (let i = 0; i < 3; i++) await guard.recordAttempt('A', 'blocked', ['the critic is down'], [], 's' + i);
await guard.applyRecovery(guard.detectLoop('A'));
await ledger.close();
`;

const statusOf = async (path: string) => {
  const ledger = createSqliteLedger({ path });
  const app = createApp({
    ledger,
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: false,
    version: '0.0.0',
    reads: { reading: openReading(ledger), settings: () => loadSettings() },
  });
  const answer = await app.request('/v1/status');
  await ledger.close();
  return (await answer.json()) as { running: boolean; tickCount: number };
};

describe('/v1/status of an orchestrator of one’s own', () => {
  test('counts its ticks, and says that it is not running once its process has ended', async () => {
    const path = newPath();
    execFileSync(process.execPath, ['--input-type=module', '-e', ORCHESTRATOR, path], {
      cwd: `${root}/test`,
    });
    expect(await statusOf(path)).toMatchObject({
      running: false,
      tickCount: 4,
      loopDetection: { A: { attemptCount: 3 } },
    });
  });

  test('twin: says that it is running while its process lives', async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    const guard = createTaskGuard({ ledger }, { run: 'nightly' });
    await guard.recordAttempt('A', 'in_progress', [], ['part one'], 's1');
    expect(await statusOf(path)).toMatchObject({ running: true, tickCount: 1 });
    await ledger.close();
  });
});

test('createTaskGuard works without arguments, in memory', async () => {
  const guard = createTaskGuard();
  await guard.ready;
  for (let i = 0; i < 3; i++)
    await guard.recordAttempt('A', 'blocked', ['the critic is down'], [], `s${i}`);
  const { recommendation } = await guard.applyRecovery(guard.detectLoop('A'));
  expect(recommendation).toBe('unblock_authority');
  expect(await guard.promptFor('A')).toContainEqual(expect.stringContaining('UNBLOCK AUTHORITY'));
});
