import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TaskStore } from '@unrut/tasks/task-store';
import { describe, expect, test } from 'vitest';
import { createMemoryLedger } from '../../packages/cli/src/index.ts';
import { openWorktrees } from '../../packages/tasks/src/worktrees.ts';
import { newFolder } from '../ledger-files.ts';
import { play, roadmapOf, type Script } from './scripted-run.ts';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Dev', '-c', 'user.email=dev@localhost', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

function newRepository(): string {
  const folder = newFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, 'notes'), 'first\n');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'Begin');
  return folder;
}

/** Each task writes a file of its own. */
const writes: Script = ({ cwd, task }) => {
  writeFileSync(join(cwd, `${task.id}.txt`), task.id);
  return 'TASK_COMPLETE';
};

describe('several tasks at once', () => {
  test('each work in a worktree of their own, and what is done comes together in the project', async () => {
    const folder = newRepository();
    const places: string[] = [];
    let most = 0;
    let running = 0;
    let release = (): void => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    const script: Script = async (context, prompt) => {
      places.push(context.cwd);
      most = Math.max(most, ++running);
      if (running === 2) release();
      if (context.task.id !== 'C') await together;
      running--;
      return writes(context, prompt);
    };
    const roadmap = roadmapOf('A', 'B', { id: 'C', dependsOn: ['A', 'B'] });
    const { result } = await play(script, { roadmap, folder, parallel: 2 });
    expect(result.ending).toBe('done');
    expect(most).toBe(2);
    expect(new Set([...places, folder]).size).toBe(4);
    expect(
      ['A.txt', 'B.txt', 'C.txt'].filter((name) => existsSync(join(folder, name))),
    ).toHaveLength(3);
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(folder, 'branch', '--format=%(refname:short)')).toBe('main');
  });

  test('that do not fit together: the second waits for a review on its branch, and nothing is lost', async () => {
    const folder = newRepository();
    const script: Script = ({ cwd, task }) => {
      writeFileSync(join(cwd, 'notes'), `by ${task.id}\n`);
      return 'TASK_COMPLETE';
    };
    const both: Script = async (context, prompt) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return script(context, prompt);
    };
    const { result } = await play(both, { roadmap: roadmapOf('A', 'B'), folder, parallel: 2 });
    const [winner, loser] = result.tasks.toSorted((a, b) => a.status.localeCompare(b.status));
    expect([winner?.status, loser?.status]).toEqual(['done', 'needs_review']);
    expect(loser?.reason).toBe('its branch cannot be merged');
    expect(readFileSync(join(folder, 'notes'), 'utf8')).toBe(`by ${winner?.id}\n`);
    expect(git(folder, 'show', `unrut/run/${loser?.id}:notes`)).toBe(`by ${loser?.id}`);
    expect(git(folder, 'status', '--porcelain')).toBe('');
  });

  test('unfinished work is kept on its branch, and a later run continues with it', async () => {
    const folder = newRepository();
    const ledger = createMemoryLedger();
    const stop = new AbortController();
    const half: Script = ({ cwd }) => {
      writeFileSync(join(cwd, 'half'), 'half');
      stop.abort();
      return '';
    };
    await play(half, { roadmap: roadmapOf('A'), folder, parallel: 2, ledger, signal: stop.signal });
    expect(existsSync(join(folder, 'half'))).toBe(false);
    const seen: boolean[] = [];
    const rest: Script = (context, prompt) => {
      seen.push(existsSync(join(context.cwd, 'half')));
      return writes(context, prompt);
    };
    const { result } = await play(rest, { roadmap: roadmapOf('A'), folder, parallel: 2, ledger });
    expect(result.ending).toBe('done');
    expect(seen).toEqual([true]);
    expect(existsSync(join(folder, 'half'))).toBe(true);
  });

  test.each([
    ['no repository', newFolder, /needs a git repository/],
    [
      'open changes',
      () => {
        const folder = newRepository();
        writeFileSync(join(folder, 'notes'), 'changed\n');
        return folder;
      },
      /has uncommitted changes/,
    ],
  ])('are refused for %s', async (_, make, message) => {
    await expect(
      play(writes, { roadmap: roadmapOf('A'), folder: make(), parallel: 2 }),
    ).rejects.toThrow(message);
  });
});

describe('after a process that was killed', () => {
  const task = (id: string) => roadmapOf(id).tasks[0]!;

  test('what was merged is known to be merged, what was not stays on its branch, and its worktrees go', async () => {
    const folder = newRepository();
    const ledger = createMemoryLedger();
    const dead = await openWorktrees(folder, 'run');
    for (const id of ['A', 'B'])
      writeFileSync(join(await dead.open(task(id)), `${id}.ts`), 'export {};');
    expect(await dead.merge(task('A'))).toBe(true);
    // Killed here: neither attempt was recorded, and B has uncommitted work.
    const store = new TaskStore(ledger, 'run', { onFault: () => {} });
    await store.change(
      (state) =>
        void Object.assign(state.begun, {
          A: { session: 'A#1', at: 1 },
          B: { session: 'B#1', at: 1 },
        }),
      {
        tasks: [],
      },
    );

    const found: Record<string, boolean> = {};
    const script: Script = ({ cwd, task: { id } }) => {
      found[id] = existsSync(join(cwd, `${id}.ts`));
      return 'TASK_COMPLETE';
    };
    const { result, ran } = await play(script, {
      roadmap: roadmapOf('A', 'B'),
      folder,
      parallel: 2,
      ledger,
    });
    expect(result.tasks.map(({ id, status }) => `${id} ${status}`)).toEqual(['A done', 'B done']);
    expect(ran).toEqual(['B#2']);
    expect(found).toEqual({ B: true });
    expect(git(folder, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(folder, 'branch', '--list', 'unrut/*')).toBe('');
    expect(existsSync(join(folder, 'B.ts'))).toBe(true);
  });
});

describe('one task at a time in a repository', () => {
  test('changed files are work, and the index of the project stays as it is', async () => {
    const folder = newRepository();
    writeFileSync(join(folder, 'staged'), 'x');
    git(folder, 'add', 'staged');
    const script: Script = ({ attempt }) => {
      if (attempt < 4) writeFileSync(join(folder, 'notes'), `line ${'abc'[attempt - 1]}\n`);
      return '';
    };
    const { recovered, ran, loop } = await play(script, { roadmap: roadmapOf('A'), folder });
    expect(ran).toHaveLength(8);
    expect(recovered).toEqual(['no_progress_repeat → force_next']);
    expect(loop.guard.detectLoop('A').evidence[0]).toMatch(/in_progress: Changed notes \(\w+\)/);
    expect(git(folder, 'diff', '--cached', '--name-only')).toBe('staged');
  });
});
