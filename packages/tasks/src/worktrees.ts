import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { hash32 } from '@unrut/engine/hash';
import type { RoadmapTask } from './roadmap.ts';
import { runGit } from './workspace.ts';

/** A git worktree for each task, and the way back of what is done in it. */
export interface Worktrees {
  /** The task's folder; made from the project's last commit when there is none yet. */
  open(task: RoadmapTask): Promise<string>;
  /**
   * Commits the task's work and merges it into the project. False when it does not fit: then its
   * branch is kept.
   */
  merge(task: RoadmapTask): Promise<boolean>;
  /** Whether this run has merged the task's work already. */
  isMerged(task: RoadmapTask): Promise<boolean>;
  /** Takes the worktrees away. Branches with work that was not merged stay. */
  close(): Promise<void>;
}

/** Where git does not know who commits. */
const NOBODY = {
  GIT_AUTHOR_NAME: 'unrut',
  GIT_AUTHOR_EMAIL: 'unrut@localhost',
  GIT_COMMITTER_NAME: 'unrut',
  GIT_COMMITTER_EMAIL: 'unrut@localhost',
};

/**
 * A name for branches and folders; what git does not allow in it is left out, and then a hash keeps
 * it apart from others.
 */
function slug(text: string): string {
  const plain = text.replace(/[^\w-]+/g, '-').replace(/^-+|-+$/g, '');
  return plain === text ? text : `${plain}-${hash32(text).toString(36)}`;
}

/**
 * Throws when the folder is no clean git checkout: somebody's open changes must not be mixed in.
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
      // A commit of its own, by which a later process knows that it was merged.
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
   * What a process of this run left that was killed: its work is kept on the branch, and its
   * worktree goes; so does a branch that was merged.
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

  /** What is not merged is committed on its branch, so that a later run goes on with it. */
  async function keepWork(place: string | undefined): Promise<void> {
    if (place === undefined) return;
    await runGit(place, ['add', '--all']).catch(() => {});
    await commit(place, 'Unfinished work').catch(() => {});
    await runGit(folder, ['worktree', 'remove', '--force', place]).catch(() => {});
  }

  /** Git takes one at a time. */
  function inTurn<T>(what: () => Promise<T>): Promise<T> {
    const turn = merging.then(what, what);
    merging = turn.catch(() => {});
    return turn;
  }
}
