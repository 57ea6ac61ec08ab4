import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { badAgent, isThere, makePlace, type Place } from './place.ts';

/**
 * Starts a run whose agent never ends, and waits until it is at work. Returns its process and its
 * name.
 */
async function atWork({ start, unrut, folder }: Place, file = 'PROMPT.md') {
  const mark = join(folder, 'mark');
  const { pid, ended } = await start(file, '--', ...badAgent('marks-and-hangs', mark));
  await vi.waitFor(() => expect(existsSync(mark)).toBe(true), { timeout: 60_000 });
  return {
    pid,
    ended,
    agent: Number(readFileSync(mark, 'utf8')),
    run: JSON.parse((await unrut('status', '--json')).stdout).run as string,
  };
}

const ROADMAP = 'tasks:\n  - id: T1\n    prompt: Do it.\n';

describe('while a run is being worked on', () => {
  it.each([
    ['another run', 'PROMPT.md', ['PROMPT.md', '--', ...badAgent('says-done')]],
    ['a roadmap', 'PROMPT.md', ['roadmap.yaml', '--', ...badAgent('says-done')]],
    ['the same run', 'PROMPT.md', ['--resume']],
    ['another run beside a roadmap', 'roadmap.yaml', ['PROMPT.md', '--', ...badAgent('says-done')]],
    ['the same roadmap', 'roadmap.yaml', ['--resume']],
  ])(
    '%s in its folder is refused in one line, with its name and process',
    async (_, first, args) => {
      const place = makePlace({ 'PROMPT.md': 'Do it.\n', 'roadmap.yaml': ROADMAP });
      const { pid, ended, run } = await atWork(place, first);
      const second = await place.unrut(...args);
      expect(second.stderr).toBe(
        `[unrut] ${run} is already running in ${place.folder}, as process ${pid}. Wait for it, or stop it: kill ${pid}\n`,
      );
      expect(second.code).toBe(64);
      process.kill(pid, 'SIGINT');
      expect((await ended).code).toBe(130);
    },
  );

  it('one in another folder is not', async () => {
    const { pid, ended } = await atWork(makePlace());
    expect((await makePlace().unrut('PROMPT.md', '--', ...badAgent('says-done'))).code).toBe(0);
    process.kill(pid, 'SIGINT');
    await ended;
  });

  it('status names it, whichever was started before', async () => {
    const place = makePlace();
    await place.unrut('PROMPT.md', '--max-iterations', '1', '--', ...badAgent('same-fix'));
    const { pid, ended, run } = await atWork(place);
    expect((await place.unrut('status')).stdout).toContain(`${run}: running`);
    process.kill(pid, 'SIGINT');
    await ended;
    expect((await place.unrut('status')).stdout).toContain(`${run}: interrupted`);
    expect((await place.unrut('--resume', '--', ...badAgent('says-done'))).stderr).toContain(
      'iteration 2 of',
    );
  });
});

it('two that are started at the same moment: one works, the other is refused', async () => {
  const { start, folder } = makePlace();
  const started = await Promise.all(
    [1, 2].map((i) =>
      start('PROMPT.md', '--', ...badAgent('marks-and-hangs', join(folder, `mark${i}`))),
    ),
  );
  const refused = await Promise.race(
    started.map(({ ended }, i) => ended.then((end) => ({ ...end, other: started[1 - i]! }))),
  );
  expect(refused).toMatchObject({
    code: 64,
    stderr: expect.stringContaining(`as process ${refused.other.pid}.`),
  });
  await vi.waitFor(
    () => expect([1, 2].filter((i) => existsSync(join(folder, `mark${i}`)))).toHaveLength(1),
    { timeout: 60_000 },
  );
  process.kill(refused.other.pid, 'SIGINT');
  expect((await refused.other.ended).code).toBe(130);
});

it('a run whose process was killed holds nobody up, and its agent is ended before the next begins', async () => {
  const place = makePlace();
  const { pid, ended, agent } = await atWork(place);
  process.kill(pid, 'SIGKILL');
  const { code, stderr } = await place.unrut('PROMPT.md', '--', ...badAgent('says-done'));
  expect(code, stderr).toBe(0);
  await vi.waitFor(() => expect(isThere(agent)).toBe(false), { timeout: 20_000 });
  await ended;
});

it('a run is named by the beginning of its name, when no other begins so', async () => {
  const { unrut } = makePlace();
  const runs: string[] = [];
  for (const iterations of ['1', '2']) {
    await unrut('PROMPT.md', '--max-iterations', iterations, '--', ...badAgent('same-fix'));
    runs.push(JSON.parse((await unrut('status', '--json')).stdout).run);
  }
  const shared = [...runs[0]!].findIndex((letter, i) => letter !== runs[1]![i]);
  expect(
    JSON.parse((await unrut('status', runs[0]!.slice(0, shared + 1), '--json')).stdout),
  ).toMatchObject({ run: runs[0], tickCount: 1 });
  const { code, stderr } = await unrut('--resume', 'run-');
  expect(stderr).toBe(
    `[unrut] 2 runs start with run-: ${runs.toReversed().join(', ')}. Give more of the name.\n`,
  );
  expect(code).toBe(64);
});

it('a prompt that is done is not resumed, and nothing older in its stead', async () => {
  const { unrut } = makePlace();
  await unrut('PROMPT.md', '--max-iterations', '1', '--', ...badAgent('same-fix'));
  await unrut('PROMPT.md', '--', ...badAgent('says-done'));
  const { code, stderr } = await unrut('--resume');
  expect(stderr).toMatch(
    /^\[unrut\] run-\S+ is done\. To resume another run listed by unrut show --list: .*\n$/,
  );
  expect(code).toBe(64);
});
