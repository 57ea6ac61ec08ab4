import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'unrut-waiting-'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('UNRUT_HOME', home);
  vi.stubEnv('UNRUT_SERVER', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Records four attempts at a task that this blocks. */
async function record(blocker: string): Promise<void> {
  const ledger = createSqliteLedger({ path: join(home, 'ledger.db') });
  const recorder = createRecorder(ledger);
  for (let i = 0; i < 4; i++)
    await recorder.transaction({ sessions: ['nightly'] }, (step) =>
      step.observe({
        type: 'task-attempted',
        session: 'nightly',
        at: Date.now() - 600_000 + i * 60_000,
        task: 'docs',
        status: 'blocked',
        blockers: [blocker],
        work: [],
        attemptSession: `s${i}`,
      }),
    );
  await ledger.close();
}

const printed = async (...args: string[]): Promise<string> =>
  (await runInProcess(...args)).stdout.replace(/\s+/g, ' ');

describe('attempts at a blocked task', () => {
  test('are no loop while it waits for a person', async () => {
    await record('no staging password');
    expect(await printed('show', 'nightly')).toContain('4 steps, 0 loops');
  });

  test('twin: are a loop where another way might help', async () => {
    await record('critic unavailable');
    expect(await printed('show', 'nightly')).toContain('4 steps, 1 loop,');
  });
});
