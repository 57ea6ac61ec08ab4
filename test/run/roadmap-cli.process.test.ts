import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { badAgent, makePlace } from './place.ts';

const roadmap = (text: string) => makePlace({ 'roadmap.yaml': text });
const TWO =
  'tasks:\n  - id: T1\n    prompt: Do the first thing.\n  - id: T2\n    prompt: Do the second.\n    dependsOn: [T1]\n';

describe('unrut run roadmap.yaml', () => {
  it('works through the tasks, and status has them', async () => {
    const { unrut } = roadmap(TWO);
    const { code, stderr } = await unrut('roadmap.yaml', '--', ...badAgent('says-done'));
    expect(code, stderr).toBe(0);
    const status = JSON.parse((await unrut('status', '--json')).stdout);
    expect(status).toMatchObject({
      running: false,
      ending: 'done',
      loopDetection: { T1: { attemptCount: 1 }, T2: { attemptCount: 1 } },
    });
  });

  it('says in a line which task is at what attempt and how far the run is, and at the end its outcome and what to do next', async () => {
    const { unrut } = roadmap(`${TWO}    title: The second thing\n`);
    const { stdout, stderr } = await unrut(
      'roadmap.yaml',
      '--max-cost',
      '5',
      '--',
      ...badAgent('says-done'),
    );
    const lines = stderr
      .trim()
      .replace(/\d+ s\b/g, '0 s')
      .split('\n');
    const run = JSON.parse((await unrut('status', '--json')).stdout).run;
    expect(lines).toEqual([
      '[unrut] task T1 · attempt 1 · 0 of 2 tasks done · 0 s · $0.00 of $5.00 · no loops',
      '[unrut] The agent does not say what it costs, so --max-cost cannot end this run. --max-iterations and --max-runtime can.',
      '[unrut] task T1: done',
      '[unrut] task T2 (The second thing) · attempt 1 · 1 of 2 tasks done · 0 s · $0.00 of $5.00 · no loops',
      '[unrut] task T2: done',
      '[unrut] T1: done, 1 attempt',
      '[unrut] T2: done, 1 attempt',
      '[unrut] Done after 2 attempts, 0 s, no loops. All 2 tasks are done.',
      `[unrut] Show what happened: unrut show ${run}`,
      '[unrut] Show its status: unrut run status',
    ]);
    expect(stdout).toBe('All done.\nTASK_COMPLETE\n'.repeat(2));
  });

  it('waits for a human after one attempt if a key is missing, and calls that no loop', async () => {
    const { unrut } = roadmap('tasks:\n  - id: T1\n    prompt: Ask the weather service.\n');
    const agent = ['-e', 'console.log("BLOCKED: missing API key for the weather service")'];
    const { code, stderr } = await unrut('roadmap.yaml', '--', process.execPath, ...agent);
    expect(code, stderr).toBe(4);
    expect(stderr).toContain('Waiting for a person: taskId=T1, attemptCount=1,');
    expect(stderr).not.toMatch(/Loop detected|Explain the loop/);
    expect((await unrut('status')).stdout).not.toContain('Explain the loop');
  });

  it('counts the signals, also after a resume, and status says where each task stands', async () => {
    const { unrut, folder } = roadmap(TWO);
    const first = await unrut('roadmap.yaml', '--', ...badAgent('same-fix'));
    expect(first.stderr).toMatch(/task T1 · attempt 5 · .* · loops noticed\n/);
    writeFileSync(
      join(folder, 'roadmap.yaml'),
      TWO.replace('id: T1', 'id: T1\n    status: in_progress'),
    );
    const second = await unrut('--resume', '--', ...badAgent('says-done'));
    expect(second.stderr).toMatch(/^\[unrut\] task T1 · attempt 6 · .* · loops noticed\n/);
    const { stdout } = await unrut('status');
    expect(stdout).toContain(': done: All 2 tasks are done.\n7 attempts, ');
    expect(stdout).toContain('  T1: done, 6 attempts, last at ');
  });

  it('status needs no roadmap: what was attempted is in the ledger', async () => {
    const { unrut, folder } = roadmap(TWO);
    await unrut('roadmap.yaml', '--', ...badAgent('says-done'));
    rmSync(join(folder, 'roadmap.yaml'));
    const { code, stdout, stderr } = await unrut('status');
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 0, lines: 1 });
    expect(stdout).toContain('  T1: 1 attempt, last at ');
  });

  it('sets a task aside that makes no progress, and ends with 3', async () => {
    const { unrut } = roadmap(TWO);
    const { code, stderr } = await unrut('roadmap.yaml', '--', ...badAgent('same-fix'));
    expect(code, stderr).toBe(3);
    expect(stderr).toContain(
      'Loop detected: no_progress_repeat, taskId=T1, attemptCount=5, recommendation=force_next',
    );
    expect(stderr).toContain('T1: needs_review, 5 attempts');
  });

  it.each(['pending', 'in_progress'])(
    'tries a task again that was set aside, when its status is written as %s',
    async (status) => {
      const { unrut, folder } = roadmap(TWO);
      const first = await unrut('roadmap.yaml', '--', ...badAgent('same-fix'));
      expect(first.stderr).toContain(
        'set `status: in_progress` for T1 in roadmap.yaml, then resume: unrut run --resume',
      );
      writeFileSync(
        join(folder, 'roadmap.yaml'),
        TWO.replace('id: T1', `id: T1\n    status: ${status}`),
      );
      const second = await unrut('--resume', '--', ...badAgent('says-done'));
      expect(second.code, second.stderr).toBe(0);
    },
  );

  it('ends with 64 at once, and one line, when there is no such agent; it can be named again', async () => {
    const { unrut } = roadmap(TWO);
    const { code, stderr } = await unrut('roadmap.yaml', '--', 'no-such-agent');
    const [line, problem, ...more] = stderr.trim().split('\n');
    expect(line).toContain('task T1 · attempt 1');
    expect({ problem, more }).toEqual({
      problem: '[unrut] Cannot run the agent: command not found: no-such-agent.',
      more: [],
    });
    expect(code).toBe(64);
    expect((await unrut('--resume', '--', ...badAgent('says-done'))).code).toBe(0);
  });

  it('says that its agent died by a signal', async () => {
    const { code, stderr } = await roadmap(TWO).unrut(
      'roadmap.yaml',
      '--max-errors',
      '1',
      '--',
      ...badAgent('dies', 'SIGKILL'),
    );
    expect(stderr).toContain('T1: in_progress, 1 attempt (it was killed by SIGKILL)');
    expect(stderr).toContain(
      'The agent failed once: it was killed by SIGKILL (consecutive_errors).',
    );
    expect(stderr).toContain('Once this is fixed, resume: unrut run --resume');
    expect(code).toBe(2);
  });

  it('continues after a limit of attempts with a higher one, and tells of no other way', async () => {
    const { unrut } = roadmap(TWO);
    const first = await unrut(
      'roadmap.yaml',
      '--max-iterations',
      '1',
      '--',
      ...badAgent('same-fix'),
    );
    expect(first.code, first.stderr).toBe(2);
    expect(first.stderr.match(/unrut run --resume.*/g)).toEqual([
      'unrut run --resume --max-iterations 2',
    ]);
    const second = await unrut('--resume', '--max-iterations', '2', '--', ...badAgent('says-done'));
    expect(second.code, second.stderr).toBe(0);
  });

  it('continues after Ctrl-C, which ends it with 130', async () => {
    const { start, unrut, folder } = roadmap(TWO);
    const marks = join(folder, 'marks');
    const { pid, ended } = await start('roadmap.yaml', '--', ...badAgent('marks-and-hangs', marks));
    await vi.waitFor(() => expect(existsSync(marks)).toBe(true), { timeout: 30_000 });
    process.kill(pid, 'SIGINT');
    const first = await ended;
    expect(first.code, first.stderr).toBe(130);
    const second = await unrut('--resume', '--', ...badAgent('says-done'));
    expect(second.code, second.stderr).toBe(0);
  });

  it.each<[string, string]>([
    ['tasks: [', 'at line 1, column 9. Expected a roadmap in YAML'],
    ['tasks:\n  - id: T1\n', 'task T1: Expected `prompt` to be a non-empty string, got nothing'],
    [
      'tasks:\n  - id: T1\n    prompt: x\n    dependsOn: [T9]\n',
      'depends on T9, which does not exist',
    ],
  ])('says in one line what is wrong with %j', async (text, said) => {
    const { code, stderr } = await roadmap(text).unrut('roadmap.yaml', '--', 'true');
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(64);
  });

  it.each([['--check'], ['--on-loop']])('takes no %s', async (option) => {
    const { code, stderr } = await roadmap(TWO).unrut('roadmap.yaml', option, 'stop', '--', 'true');
    expect(stderr).toContain('exitCriteria');
    expect(code).toBe(64);
  });
});
