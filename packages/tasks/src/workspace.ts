import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const MAX_MILLISECONDS = 60_000;
const MAX_OUTPUT = 16_777_216;
/** A folder outside git with more files takes too long to examine. */
const MAX_FILES = 20_000;
const MAX_BYTES = 200_000_000;
/** Maximum number of nested repositories to examine. */
const MAX_INSIDE = 16;
const LEFT_OUT = ['.git', 'node_modules', '.venv', '__pycache__'];

/** Runs git in a folder. Rejects if it fails. */
export function runGit(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return new Promise((done, fail) => {
    const options = {
      cwd,
      env: { ...process.env, ...env },
      timeout: MAX_MILLISECONDS,
      maxBuffer: MAX_OUTPUT,
    };
    execFile('git', [...args], options, (error, stdout, stderr) =>
      error ? fail(new Error(stderr.trim() || error.message)) : done(stdout.trim()),
    );
  });
}

/**
 * A snapshot of a folder: its files by content, the last commit, and the same for nested
 * repositories, by path.
 */
export interface FolderLook {
  tree: string;
  committed: string;
  inside?: Readonly<Record<string, FolderLook>>;
}

/** An added or removed line; for a file without lines, its whole content. */
export interface ChangedLine {
  file: string;
  line: string;
  /** Stands for a whole file that was created or deleted, not for a line. */
  whole?: 'new' | 'deleted';
}

/** A folder whose content can be compared over time. Ignored files are left out. */
export interface Workspace {
  /** Takes a snapshot; undefined if that is impossible. */
  look(): Promise<FolderLook | undefined>;
  changes(before: FolderLook, after: FolderLook): Promise<ChangedLine[]>;
  close(): Promise<void>;
}

/**
 * Opens a folder by git. If it is not under git, uses a separate repository elsewhere. Never
 * changes the project's index.
 */
export async function openWorkspace(folder: string): Promise<Workspace> {
  const scratch = await mkdtemp(join(tmpdir(), 'unrut-index-'));
  const index = join(scratch, 'index');
  const own = await runGit(folder, ['rev-parse', '--git-path', 'index']).then(
    (path) => resolve(folder, path),
    () => undefined,
  );
  const elsewhere = { GIT_DIR: join(scratch, 'git'), GIT_WORK_TREE: folder };
  let isMade = false;
  const inside = new Map<string, Workspace>();

  async function prepare(): Promise<NodeJS.ProcessEnv> {
    // With a copy of git's index, unchanged files need not be read.
    if (own !== undefined) await copyFile(own, index).catch(() => {});
    else {
      await checkSize(folder);
      if (!isMade) await runGit(scratch, ['init', '--quiet', '--bare', elsewhere.GIT_DIR]);
      if (!isMade)
        await writeFile(
          join(elsewhere.GIT_DIR, 'info', 'exclude'),
          LEFT_OUT.map((name) => `${name}/\n`).join(''),
        );
      isMade = true;
    }
    return { GIT_INDEX_FILE: index, ...(own === undefined ? elsewhere : {}) };
  }

  /** Git treats a nested repository as one commit, so work in it would be invisible. */
  async function lookInside(env: NodeJS.ProcessEnv): Promise<Pick<FolderLook, 'inside'>> {
    const listed = await runGit(folder, ['ls-files', '--stage', '-z', '--', '.'], env).catch(
      () => '',
    );
    const links = listed.split('\0').flatMap((each) => /^160000 .*\t(.*)$/s.exec(each)?.[1] ?? []);
    // A submodule that was not fetched is an empty folder.
    const paths = links.filter((path) => existsSync(join(folder, path, '.git')));
    const looks: Record<string, FolderLook> = {};
    for (const path of paths.slice(0, MAX_INSIDE)) {
      const one = inside.get(path) ?? (await openWorkspace(join(folder, path)));
      inside.set(path, one);
      const look = await one.look();
      if (look) looks[path] = look;
    }
    return paths.length > 0 ? { inside: looks } : {};
  }

  return {
    async look() {
      try {
        const env = await prepare();
        // A nested repository without a commit is skipped.
        await runGit(folder, ['add', '--all', '--ignore-errors', '--', '.'], {
          ...env,
          LC_ALL: 'C',
        }).catch((error: Error) => {
          if (!error.message.includes('does not have a commit checked out')) throw error;
        });
        const tree = await runGit(folder, ['write-tree'], env);
        const committed =
          own === undefined
            ? ''
            : await runGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD^{tree}']).catch(
                () => '',
              );
        return { tree, committed, ...(await lookInside(env)) };
      } catch {
        return undefined;
      }
    },
    async changes(before, after) {
      const found: ChangedLine[] = [];
      for (const [path, now] of Object.entries(after.inside ?? {})) {
        const then = before.inside?.[path];
        const lines = then ? await inside.get(path)!.changes(then, now) : [];
        found.push(...lines.map((each) => ({ ...each, file: `${path}/${each.file}` })));
      }
      if (before.tree === after.tree) return found;
      const args = [
        'diff-tree',
        '-r',
        '-p',
        '-U0',
        '--full-index',
        '--no-color',
        '--no-ext-diff',
        '--no-renames',
        before.tree,
        after.tree,
      ];
      const patch = await runGit(folder, args, own === undefined ? elsewhere : {}).catch(
        () => `+++ b/.\n+${after.tree}`,
      );
      return [...found, ...linesOf(patch).filter(({ file }) => !inside.has(file))];
    },
    async close() {
      for (const one of inside.values()) await one.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

function linesOf(patch: string): ChangedLine[] {
  const found: ChangedLine[] = [];
  let file = '';
  let content = '';
  let isHeader = true;
  for (const line of patch.split('\n')) {
    if (line.startsWith('diff --git ')) isHeader = true;
    if (isHeader) {
      const [, made] = /^diff --git "?a\/(.*)"? "?b\/\1"?$/.exec(line) ?? [];
      if (made !== undefined) file = made;
      // An empty file has no lines.
      const [, whole] = /^(new|deleted) file mode/.exec(line) ?? [];
      if (whole) found.push({ file, line: whole, whole: whole as 'new' | 'deleted' });
      const [, name] = /^(?:---|\+\+\+) "?[ab]\/(.*?)"?$/.exec(line) ?? [];
      if (name !== undefined) file = name;
      content = /^index \w+\.\.(\w+)/.exec(line)?.[1] ?? content;
      const binary =
        /^Binary files (?:a\/(.*)|\/dev\/null) and (?:b\/(.*)|\/dev\/null) differ$/.exec(line);
      if (binary) found.push({ file: binary[2] ?? binary[1] ?? '', line: content });
      if (line.startsWith('+++ ')) isHeader = false;
    } else if (line.startsWith('+') || line.startsWith('-'))
      found.push({ file, line: line.slice(1) });
  }
  return found;
}

/** Throws if the folder has too many files. */
async function checkSize(folder: string): Promise<void> {
  let files = 0;
  let bytes = 0;
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (LEFT_OUT.includes(entry.name)) continue;
      if (entry.isDirectory()) folders.push(join(next, entry.name));
      else if (entry.isFile()) {
        files++;
        bytes += (await stat(join(next, entry.name))).size;
      }
      if (files > MAX_FILES || bytes > MAX_BYTES)
        throw new Error(`${folder} holds too much to compare`);
    }
  }
}
