import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { claimsDone } from '../../packages/tasks/src/last-words.ts';
import { drive } from './drive.ts';
import { makePlace } from './place.ts';

describe('an agent that says "done" while the check fails', () => {
  const check = 'test -f done.flag';
  const run = (output: string) =>
    drive(() => output, {
      choose: async (_, { continued }) => (continued === 0 ? 'continue' : 'stop'),
      settings: { maxIterations: 5, checks: [check], needsPromise: false },
    });

  it('reads exactly that, and again when it loops', async () => {
    const { prompts } = await run('All tests pass now. Everything is done.');
    const exactly = `You say that the task is done; \`${check}\` says that it is not.`;
    expect(prompts[1]).toContain(`${exactly} It printed:`);
    expect(prompts[3]).toContain(`${exactly} This was so 3 times. Run \`${check}\` yourself`);
    expect(prompts[3]).not.toContain('had in common');
  });

  it('twin: one that does not say so reads how the check failed', async () => {
    const { prompts } = await run('Looked into the flag. Not done yet.');
    expect(prompts[1]).toContain(`The check \`${check}\` failed after the last iteration.`);
    expect(prompts.join()).not.toContain('You say that the task is done');
  });

  it.each([
    ['The task is complete.', true],
    ['I have finished.', true],
    ['All tests pass now', true],
    ['Done.', true],
    ['It is not done yet.', false],
    ['Once everything is done, I will commit.', false],
    ['Wrote done.flag to the notes', false],
    ['Fixed auth.ts - added null check', false],
  ])('%j claims that all is done: %s', (output, isClaim) =>
    expect(claimsDone(output)).toBe(isClaim),
  );
});

describe('a roadmap', () => {
  const roadmap = (checks = '') =>
    `${checks}tasks:\n  - id: flag\n    prompt: Make the flag.\n    exitCriteria: test -f done.flag\n${checks ? '    checks: [critic]\n' : ''}`;
  const idle = ['sh', '-c', 'cat >/dev/null; echo "WORK: looked around"'];

  it('whose exit criterion was met by hand is done when it is resumed, without another attempt', async () => {
    const place = makePlace({ 'roadmap.yaml': roadmap() });
    expect((await place.unrut('roadmap.yaml', '--', ...idle)).code).toBe(3);
    expect((await place.unrut('--resume')).code).toBe(3);
    writeFileSync(join(place.folder, 'done.flag'), '');
    const { code, stderr } = await place.unrut('--resume');
    expect(stderr).toContain('its exit criteria pass now, so it is done');
    expect(stderr).toContain('flag: done, 5 attempts');
    expect(code).toBe(0);
  });

  it('that is done without a check says so at its end and in its status', async () => {
    const checks = 'checks:\n  critic: { command: "true", probe: "false" }\n';
    const place = makePlace({ 'roadmap.yaml': roadmap(checks) });
    const makes = ['sh', '-c', 'cat >/dev/null; touch done.flag; echo TASK_COMPLETE'];
    const { code, stderr } = await place.unrut('roadmap.yaml', '--', ...makes);
    expect({ code, isThere: existsSync(join(place.folder, 'done.flag')) }).toEqual({
      code: 0,
      isThere: true,
    });
    const unchecked = 'without the check critic, deferred while unavailable';
    expect(stderr).toContain(unchecked);
    expect(stderr).toContain('Still to be made once available: critic.');
    expect((await place.unrut('status')).stdout).toContain(unchecked);
  });

  it('twin: one whose checks were made says nothing of the kind', async () => {
    const checks = 'checks:\n  critic: { command: "true", probe: "true" }\n';
    const place = makePlace({ 'roadmap.yaml': roadmap(checks) });
    const makes = ['sh', '-c', 'cat >/dev/null; touch done.flag; echo TASK_COMPLETE'];
    const { code, stderr } = await place.unrut('roadmap.yaml', '--', ...makes);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/deferred|Still to be made/);
  });
});

it('an iteration that fails is reported when it fails, not only at the end', async () => {
  const place = makePlace();
  const { stderr } = await place.unrut(
    'PROMPT.md',
    '--',
    'sh',
    '-c',
    'cat >/dev/null; echo oops; exit 1',
  );
  expect(stderr).toMatch(/Iteration 1 failed: .*oops/);
});
