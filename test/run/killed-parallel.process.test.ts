import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { makePlace, type Place } from './place.ts';

const IDS = ['A', 'B', 'C'];
const tasks = (file: (id: string) => string): string =>
  `tasks:\n${IDS.map((id) => `  - { id: ${id}, prompt: "Write ${file(id)} of ${id}." }`).join('\n')}\n  - { id: D, prompt: "Write D.txt of D.", dependsOn: [A, B, C] }\n`;

/**
 * A repository with a roadmap, and a folder next to what is under git for what the agents tell each
 * other.
 */
function repository(
  roadmap: string,
): Place & { signs: string; git: (...args: string[]) => string } {
  const place = makePlace({ 'roadmap.yaml': roadmap, '.gitignore': 'home\nsigns\n' });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@localhost', ...args], {
      cwd: place.folder,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Dev');
  git('config', 'user.email', 'dev@localhost');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  const signs = join(place.folder, 'signs');
  mkdirSync(signs);
  return { ...place, signs, git };
}

/** Writes what its prompt asks for, says that it has begun, waits until it may end, and is done. */
const agent = (signs: string): string[] => [
  'sh',
  '-c',
  `prompt=$(cat); words=$(echo "$prompt" | grep -o 'Write [^ ]* of [A-D]' | head -1); set -- $words
   echo "$4" > "$2"; echo x >> "${signs}/begun-$4"; while [ ! -e "${signs}/go-$4" ]; do sleep 0.05; done; echo "WORK: wrote $2"; echo TASK_COMPLETE`,
];

function go(signs: string, ...ids: string[]): void {
  for (const id of ids) writeFileSync(join(signs, `go-${id}`), '');
}
const begun = (signs: string): Promise<void> =>
  vi.waitFor(
    () => expect(readdirSync(signs).filter((name) => name.startsWith('begun'))).toHaveLength(3),
    { timeout: 60_000 },
  );

/** Everything is merged, and nothing of the worktrees is left. */
function expectMerged({ git, folder }: ReturnType<typeof repository>): void {
  for (const id of [...IDS, 'D'])
    expect(readFileSync(join(folder, `${id}.txt`), 'utf8')).toBe(`${id}\n`);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
  expect(git('branch', '--list', 'unrut/*')).toBe('');
  expect(git('status', '--porcelain')).toBe('');
}

describe('a parallel roadmap of a real agent', () => {
  it('that was killed while two tasks were merged and one had uncommitted work comes to its end', async () => {
    const at = repository(tasks((id) => `${id}.txt`));
    const { pid, ended } = await at.start(
      'roadmap.yaml',
      '--parallel',
      '3',
      '--',
      ...agent(at.signs),
    );
    await begun(at.signs);
    go(at.signs, 'A', 'B');
    await vi.waitFor(
      () =>
        expect(IDS.filter((id) => existsSync(join(at.folder, `${id}.txt`)))).toEqual(['A', 'B']),
      { timeout: 60_000 },
    );
    process.kill(pid, 'SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    go(at.signs, 'C', 'D');
    const { code, stderr } = await at.unrut('--resume');
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('cannot be merged');
    expectMerged(at);
    // What was merged was not done again.
    for (const id of ['A', 'B'])
      expect(readFileSync(join(at.signs, `begun-${id}`), 'utf8')).toBe('x\n');
  });

  it.each([0, 40, 120, 300, 700])(
    'that was killed %i ms after all three may end comes to its end',
    async (milliseconds) => {
      const at = repository(tasks((id) => `${id}.txt`));
      const { pid, ended } = await at.start(
        'roadmap.yaml',
        '--parallel',
        '3',
        '--',
        ...agent(at.signs),
      );
      await begun(at.signs);
      go(at.signs, ...IDS, 'D');
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // On a fast machine it has come to its end already.
      }
      if ((await ended).signal === 'SIGKILL') {
        const { code, stderr } = await at.unrut('--resume');
        expect(code, stderr).toBe(0);
      }
      expectMerged(at);
    },
  );

  it('that nobody killed ends the same way: the twin', async () => {
    const at = repository(tasks((id) => `${id}.txt`));
    go(at.signs, ...IDS, 'D');
    const { code, stderr } = await at.unrut(
      'roadmap.yaml',
      '--parallel',
      '3',
      '--',
      ...agent(at.signs),
    );
    expect(code, stderr).toBe(0);
    expectMerged(at);
  });

  it('whose tasks do not fit together says so, killed or not: the other twin', async () => {
    const at = repository(tasks(() => 'same.txt'));
    const { pid, ended } = await at.start(
      'roadmap.yaml',
      '--parallel',
      '3',
      '--',
      ...agent(at.signs),
    );
    await begun(at.signs);
    process.kill(pid, 'SIGKILL');
    await ended;
    go(at.signs, ...IDS, 'D');
    const { code, stderr } = await at.unrut('--resume');
    expect(code, stderr).toBe(4);
    expect(stderr).toContain('cannot be merged');
    expect(at.git('branch', '--list', 'unrut/*')).not.toBe('');
    expect(at.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});
