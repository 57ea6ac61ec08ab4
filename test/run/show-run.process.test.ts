import type { Ledger } from '@unrut/ledger/ledger';
import { numbersOf, timelineOf } from '@unrut/ledger/views/timeline';
import { describe, expect, it } from 'vitest';
import { drive, newState } from './drive.ts';
import { badAgent, makePlace } from './place.ts';

const TWO =
  'tasks:\n  - id: T1\n    prompt: Do the first thing.\n  - id: T2\n    prompt: Do the second.\n';
/** The first task waits for something each time; the second is done at once. */
const HALF_BLOCKED = [
  'sh',
  '-c',
  'case "$(cat)" in *second*) echo "WORK: wrote b.ts"; echo TASK_COMPLETE;; *) echo "BLOCKED: the staging server is down";; esac',
];

async function rows(ledger: Ledger) {
  const moments = timelineOf(await ledger.entries({ session: 'run-test' }));
  const numbers = numbersOf(moments);
  return moments.map(({ what, brought }, i) => [numbers[i], what, brought]);
}

describe('unrut show', () => {
  it('numbers iterations as the screen does, and says that the run continues', async () => {
    const { ledger } = await drive(() => 'Fixed auth.ts - added null check', {
      choose: async (_, { continued }) => (continued === 0 ? 'continue' : 'stop'),
      settings: { maxIterations: 4 },
    });
    const fix = 'file:auth.ts:null-check:added';
    expect(await rows(ledger)).toEqual([
      [undefined, 'iteration 1 begins', ''],
      [1, 'iteration 1', fix],
      [undefined, 'iteration 2 begins', ''],
      [2, 'iteration 2', fix],
      [undefined, 'iteration 3 begins', ''],
      [3, 'iteration 3', fix],
      [undefined, 'the run goes on', ''],
      [undefined, 'iteration 4 begins', ''],
      [4, 'iteration 4', fix],
      [undefined, 'the run ends', ''],
    ]);
  });

  it('continues with the number after one that was cut off, as explain does', async () => {
    const state = { ...newState(), iteration: 2, isBegun: true };
    const { ledger } = await drive(() => 'Fixed auth.ts - added null check', { state });
    expect((await rows(ledger)).flatMap(([number]) => number ?? [])).toEqual([3, 4, 5]);
    const { readLedgerRun } = await import('@unrut/logs/explain/read-ledger-run');
    expect((await readLedgerRun(ledger, 'run-test')).events.map(({ step }) => step)).toEqual([
      3, 4, 5,
    ]);
  });

  it('names the task, the attempt, the status and the recovery of a roadmap, and explain numbers them alike', async () => {
    const { unrut, command } = makePlace({ 'roadmap.yaml': TWO });
    const { code, stderr } = await unrut('roadmap.yaml', '--', ...HALF_BLOCKED);
    expect(code, stderr).toBe(4);
    const { stdout } = await command('show', 'run-');
    const lines = stdout.replace(/\d\d:\d\d:\d\d/g, 'time').replace(/ *\n {16}(?=[^ ▲])/g, ' ');
    expect(lines).toContain(
      '   1  time  task T1 · attempt 1  blocked: blocked by the staging server is down\n',
    );
    expect(lines).toContain('   2  time  task T2 · attempt 1  done: wrote b.ts\n');
    expect(lines).toMatch(
      / {3}4 {2}time {2}task T1 · attempt 3 .*\n.*▲ task-loop .*\n +time {2}recovery of task T1 {2}unblock_authority: Task T1 met/,
    );
    expect(lines).toMatch(
      / {3}7 {2}time {2}task T1 · attempt 6 .*\n.*▲ task-loop .*\n +time {2}recovery of task T1 {2}escalate: Task T1 met/,
    );
    expect(lines).not.toContain('the user speaks');
    const explained = (await command('explain', '--run')).stdout;
    expect(explained).toContain(
      '1    task T1 · attempt 1  blocked: blocked by the staging server is down',
    );
    expect(explained).toContain(
      '1 other step; progress at step 2, task T2 · attempt 1 (done: wrote b.ts)',
    );
    expect((await command('show', '--log', '--kind', 'event')).stdout).toMatch(
      / {2}task T2 · attempt 1 {2}done: wrote b\.ts\n/,
    );
  });
});

describe('unrut explain --run without a name', () => {
  it('explains the latest run of the folder, also before other options', async () => {
    const { unrut, command } = makePlace();
    for (let i = 0; i < 2; i++)
      await unrut('PROMPT.md', '--on-loop', 'stop', '--', ...badAgent('same-fix'));
    const { run } = JSON.parse((await unrut('status', '--json')).stdout);
    expect((await command('explain', '--run')).stdout).toContain(`${run}: 1 loop in 3 steps`);
    expect(JSON.parse((await command('explain', '--run', '--json')).stdout).run.id).toBe(run);
  });

  it('says in one line that there is none', async () => {
    const { code, stderr } = await makePlace().command('explain', '--run');
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('No run was started in ')]);
    expect(code).toBe(64);
  });
});

it('a run that cannot continue has ended', async () => {
  const { unrut, command } = makePlace({ 'roadmap.yaml': TWO });
  const { code, stderr } = await unrut(
    'roadmap.yaml',
    '--parallel',
    '2',
    '--',
    ...badAgent('says-done'),
  );
  expect(stderr).toContain('Unexpected error: [tasks] ');
  expect(code).toBe(1);
  expect(JSON.parse((await command('show', '--list', '--json')).stdout).sessions).toMatchObject([
    { ended: true },
  ]);
  expect((await unrut('status')).stdout).toContain(': interrupted: [tasks] ');
});
