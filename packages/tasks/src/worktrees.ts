import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { hash32 } from '@unrut/engine/hash';
import type { RoadmapTask } from './roadmap.ts';
import { runGit } from './workspace.ts';

/** One git worktree per task, and merging its work back. */
export interface Worktrees {
  /** The task's folder. Created from the project's last commit if it does not exist yet. */
  open(task: RoadmapTask): Promise<string>;
  /**
   * Commits the task's work and merges it into the project. Returns false if it does not merge; its
   * branch is kept.
   */
  merge(task: RoadmapTask): Promise<boolean>;
  /** Whether this run has merged the task's work already. */
  isMerged(task: RoadmapTask): Promise<boolean>;
  /** Removes the worktrees. Branches with unmerged work stay. */
  close(): Promise<void>;
}

/** The author of commits if git has none configured. */
const NOBODY = {
  GIT_AUTHOR_NAME: 'unrut',
  GIT_AUTHOR_EMAIL: 'unrut@localhost',
  GIT_COMMITTER_NAME: 'unrut',
  GIT_COMMITTER_EMAIL: 'unrut@localhost',
};

/**
 * A name for branches and folders. Characters that git does not allow are dropped, and a hash keeps
 * the name unique.
 */
function slug(text: string): string {
  const plain = text.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '');
  return plain === text ? text : `${plain}-${hash32(text).toString(36)}`;
}

/**
 * Throws if the folder is not a clean git checkout, because uncommitted changes must not be mixed
 * in.
 */
export async function openWorktrees(folder: string, run: string): Promise<Worktrees> {
  const open = await runGit(folder, ['status', '--porcelain']).catch((error: Error) => {
    throw new UnrutError(
      'no-repository',
      `[tasks] ${folder}: running tasks in parallel needs a git repository. ${error.message}`,
    );
  });
  if (open !== '')
    throw new UnrutError(
      'open-changes',
      `[tasks] ${folder} has uncommitted changes. Commit or stash them, or run one task at a time.`,
    );
  await runGit(folder, ['rev-parse', '--verify', 'HEAD']).catch(() => {
    throw new UnrutError(
      'no-repository',
      `[tasks] ${folder} has no commits yet. Make one, or run one task at a time.`,
    );
  });
  const home = await mkdtemp(join(tmpdir(), 'unrut-worktrees-'));
  const folders = new Map<string, Promise<string>>();
  const nameless = await runGit(folder, ['config', 'user.email']).then(
    () => ({}),
    () => NOBODY,
  );
  const commit = (place: string, message: string) =>
    runGit(place, ['commit', '--message', message], nameless);
  let merging: Promise<unknown> = Promise.resolve();
  const branchOf = ({ id }: RoadmapTask): string => `unrut/${slug(run)}/${slug(id)}`;

  const mergeOf = (task: RoadmapTask): string => `Merge ${branchOf(task)}: ${task.title}`;

  async function add(task: RoadmapTask): Promise<string> {
    const place = join(home, slug(task.id));
    const branch = branchOf(task);
    // A killed run leaves its worktree registered, and its branch with what was done.
    await runGit(folder, ['worktree', 'prune']);
    const isKnown = await runGit(folder, [
      'rev-parse',
      '--verify',
      '--quiet',
      `refs/heads/${branch}`,
    ]).then(
      () => true,
      () => false,
    );
    await runGit(folder, [
      'worktree',
      'add',
      '--force',
      ...(isKnown ? [place, branch] : ['-b', branch, place]),
    ]);
    return place;
  }

  async function bringBack(task: RoadmapTask): Promise<boolean> {
    const place = await folders.get(task.id)!;
    await runGit(place, ['add', '--all']);
    if ((await runGit(place, ['status', '--porcelain'])) !== '')
      await commit(place, `${task.id}: ${task.title}`);
    try {
      // Always makes a merge commit, by which a later process sees that the work was merged.
      await runGit(
        folder,
        ['merge', '--no-ff', '--message', mergeOf(task), branchOf(task)],
        nameless,
      );
    } catch {
      await runGit(folder, ['merge', '--abort']).catch(() => {});
      return false;
    }
    folders.delete(task.id);
    await remove(place, branchOf(task));
    return true;
  }

  const remove = async (place: string, branch: string): Promise<void> => {
    await runGit(folder, ['worktree', 'remove', '--force', place]).catch(() => {});
    await runGit(folder, ['branch', '--delete', branch]).catch(() => {});
  };
  await clearAbandoned();

  return {
    open(task) {
      const place = folders.get(task.id) ?? inTurn(() => add(task));
      folders.set(task.id, place);
      return place;
    },
    merge: (task) => inTurn(() => bringBack(task)),
    isMerged: (task) =>
      runGit(folder, [
        'log',
        '--fixed-strings',
        `--grep=${mergeOf(task)}`,
        '--max-count=1',
        '--format=%H',
      ]).then(
        (found) => found !== '',
        () => false,
      ),
    async close() {
      await merging.catch(() => {});
      for (const place of folders.values()) await keepWork(await place.catch(() => undefined));
      await rm(home, { recursive: true, force: true });
      await runGit(folder, ['worktree', 'prune']).catch(() => {});
    },
  };

  /**
   * Cleans up after a killed process of this run: commits its work on the branch, and removes its
   * worktree and merged branches.
   */
  async function clearAbandoned(): Promise<void> {
    const list = await runGit(folder, ['worktree', 'list', '--porcelain']).catch(() => '');
    for (const [, place, branch] of list.matchAll(
      /^worktree (.+)\n(?:HEAD .*\n)?branch refs\/heads\/(unrut\/.+)$/gm,
    )) {
      if (!branch!.startsWith(`unrut/${slug(run)}/`)) continue;
      await keepWork(place);
      await runGit(folder, ['branch', '--delete', branch!]).catch(() => {});
      await rm(place!, { recursive: true, force: true }).catch(() => {});
    }
    await runGit(folder, ['worktree', 'prune']).catch(() => {});
  }

  /** Commits unmerged work on its branch, so that a later run can continue it. */
  async function keepWork(place: string | undefined): Promise<void> {
    if (place === undefined) return;
    await runGit(place, ['add', '--all']).catch(() => {});
    await commit(place, 'Unfinished work').catch(() => {});
    await runGit(folder, ['worktree', 'remove', '--force', place]).catch(() => {});
  }

  /** Runs one git command at a time. */
  function inTurn<T>(what: () => Promise<T>): Promise<T> {
    const turn = merging.then(what, what);
    merging = turn.catch(() => {});
    return turn;
  }
}
