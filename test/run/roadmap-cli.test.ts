import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { badAgent, makePlace } from './place.ts';

const roadmap = (text: string) => makePlace({ 'roadmap.yaml': text });
const TWO = 'tasks:\n  - id: T1\n    prompt: Do the first thing.\n  - id: T2\n    prompt: Do the second.\n    dependsOn: [T1]\n';

describe('unrut run roadmap.yaml', () => {
  it('works through the tasks, and status has them', async () => {
    const { unrut } = roadmap(TWO);
    const { code, stderr } = await unrut('roadmap.yaml', '--', ...badAgent('says-done'));
    expect(code, stderr).toBe(0);
    const status = JSON.parse((await unrut('status', '--json')).stdout);
    expect(status).toMatchObject({ running: false, ending: 'done', loopDetection: { T1: { attemptCount: 1 }, T2: { attemptCount: 1 } } });
  });

  it('sets a task aside that makes no progress, and ends with 3', async () => {
    const { unrut } = roadmap(TWO);
    const { code, stderr } = await unrut('roadmap.yaml', '--', ...badAgent('same-fix'));
    expect(code, stderr).toBe(3);
    expect(stderr).toContain('Loop detected: no_progress_repeat, taskId=T1, attemptCount=5, recommendation=force_next');
    expect(stderr).toContain('T1: needs_review, 5 attempts');
  });

  it('goes on after Ctrl-C, which ends it with 130', async () => {
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
    ['tasks: [', 'Expected a roadmap in YAML'],
    ['tasks:\n  - id: T1\n', 'task T1: expected a prompt'],
    ['tasks:\n  - id: T1\n    prompt: x\n    dependsOn: [T9]\n', 'depends on T9, which is no task'],
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
