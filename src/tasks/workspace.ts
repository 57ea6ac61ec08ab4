import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MAX_MILLISECONDS = 60_000;
const MAX_NAMES = 8;

/** Runs git in a folder. Rejects when it fails. */
export function runGit(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: MAX_MILLISECONDS, maxBuffer: 16_777_216 };
    execFile('git', [...args], options, (error, stdout, stderr) =>
      error ? fail(new Error(stderr.trim() || error.message)) : done(stdout.trim()),
    );
  });
}

/** The tree that the files of a folder make now, ignored ones aside; nothing where git cannot tell. The project's index stays as it is. */
export async function workspaceTree(cwd: string): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'unrut-index-'));
  try {
    const index = join(scratch, 'index');
    const own = resolve(cwd, await runGit(cwd, ['rev-parse', '--git-path', 'index']));
    // What git knows of unchanged files spares reading them.
    await copyFile(own, index).catch(() => {});
    await runGit(cwd, ['add', '--all'], { GIT_INDEX_FILE: index });
    return await runGit(cwd, ['write-tree'], { GIT_INDEX_FILE: index });
  } catch {
    return undefined;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What changed between two trees, as one line of work that no other change has; nothing when nothing did. */
export async function changedFiles(cwd: string, before: string, after: string | undefined): Promise<string[]> {
  if (after === undefined || before === after) return [];
  const names = (await runGit(cwd, ['diff-tree', '-r', '--name-only', before, after]).catch(() => '')).split('\n');
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return [`Changed ${names.slice(0, MAX_NAMES).join(', ')}${more} (tree ${after.slice(0, 10)})`];
}
