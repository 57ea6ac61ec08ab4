import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import { createRecorder } from '@unrut/ledger/recorder';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { runInProcess } from '@unrut/test/run-in-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-switch-')));
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('UNRUT_HOME', join(home, 'unrut'));
  vi.stubEnv('UNRUT_SERVER', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Records a call of each session, one after the other. */
async function record(...sessions: readonly { name: string; mode?: 'off' }[]): Promise<void> {
  mkdirSync(join(home, 'unrut'), { recursive: true });
  const ledger = createSqliteLedger({ path: join(home, 'unrut', 'ledger.db') });
  const recorder = createRecorder(ledger);
  for (const [i, { name, mode }] of sessions.entries()) {
    const event: AgentEvent = {
      type: 'call-finished',
      session: name,
      at: Date.now() - 60_000 + i * 1000,
      call: { id: 'c', tool: 'Bash', args: { command: 'ls' } },
      result: 'a',
    };
    const origin = { host: 'claude-code', folder: 'shop', ...(mode ? { mode } : {}) };
    await recorder.transaction({ sessions: [name] }, (step) => step.observe(event, { origin }));
  }
  await ledger.close();
}

const said = (): string => join(home, 'unrut', 'said.json');

describe('unrut off --session', () => {
  test('without a name is for the newest session', async () => {
    await record({ name: 'older' }, { name: 'newer' });
    expect((await runInProcess('off', '--session')).stdout).toContain(
      'Unrut is off for session newer',
    );
    expect((await runInProcess('on', '--session')).stdout).toBe('Unrut is on for session newer.\n');
  });

  test('with a name is for that session', async () => {
    await record({ name: 'older' }, { name: 'newer' });
    expect((await runInProcess('off', '--session', 'older', '--for', '1h')).stdout).toContain(
      'Unrut is off for session older',
    );
  });

  test('where nothing was recorded says so', async () => {
    const { status, stderr } = await runInProcess('off', '--session');
    expect(status).toBe(2);
    expect(stderr.join()).toContain('Nothing has been recorded');
  });
});

test('unrut on says that it is on everywhere if it was off everywhere', async () => {
  await runInProcess('off', '--everywhere');
  expect((await runInProcess('on')).stdout).toBe('Unrut is on everywhere.\n');
  await runInProcess('off');
  expect((await runInProcess('on')).stdout).toMatch(/^Unrut is on in .+\.\n$/);
});

describe('a session that was off at its last event', () => {
  test('is shown as off while it is', async () => {
    await record({ name: 'one', mode: 'off' });
    writeFileSync(said(), JSON.stringify({ off: [{ session: 'one', at: Date.now() }] }));
    expect((await runInProcess('show', 'one')).stdout).toContain('switched off');
    expect((await runInProcess('show', '--list')).stdout).toContain('(off)');
  });

  test('is not shown as off after it was switched on', async () => {
    await record({ name: 'one', mode: 'off' });
    writeFileSync(said(), JSON.stringify({ off: [{ session: 'another', at: Date.now() }] }));
    expect((await runInProcess('show', 'one')).stdout).not.toContain('switched off');
    expect((await runInProcess('show', '--list')).stdout).not.toContain('(off)');
  });
});

test('unrut doctor says that Unrut is switched off, and how to switch it on', async () => {
  expect((await runInProcess('doctor')).stdout).not.toContain('Switched off');
  await runInProcess('off', '--everywhere');
  expect((await runInProcess('doctor')).stdout).toMatch(
    /^Switched off {7}everywhere: it only records\. Switch it on: (?:npx )?unrut on$/m,
  );
});

test('unrut doctor and show say which session alone is switched off', async () => {
  await record({ name: 'one' }, { name: 'two' });
  await runInProcess('off', '--session', 'one');
  expect((await runInProcess('doctor')).stdout).toMatch(
    /^Switched off {7}for session one: it only records\. Switch it on: (?:npx )?unrut on --session one$/m,
  );
  expect((await runInProcess('show', 'one')).stdout).toMatch(/Unrut is switched off\s+there/);
  expect((await runInProcess('show', 'two')).stdout).not.toContain('switched off');
  await runInProcess('on', '--session', 'one');
  expect((await runInProcess('doctor')).stdout).not.toContain('Switched off');
  expect((await runInProcess('show', 'one')).stdout).not.toContain('switched off');
});
