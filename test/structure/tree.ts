import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Says of a path from the root whether `.gitignore` leaves it out. Knows the three forms used here:
 * `name/`, `a/b/` and `*.end`.
 */
export function ignoredBy(gitignore: string): (path: string) => boolean {
  const patterns = gitignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return (path) =>
    patterns.some((pattern) => {
      if (pattern.startsWith('*')) return path.endsWith(pattern.slice(1));
      const folder = pattern.replace(/\/$/, '');
      return path === folder || (!folder.includes('/') && path.endsWith(`/${folder}`));
    });
}

/**
 * All files of the repository that are, or would be, committed. Git itself is not asked: a checkout
 * may lack it.
 */
export function projectFiles(): string[] {
  const isIgnored = ignoredBy(readFileSync(join(root, '.gitignore'), 'utf8'));
  const files: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder + entry.name;
      if (path === '.git' || isIgnored(path)) continue;
      if (entry.isDirectory()) folders.push(`${path}/`);
      else if (entry.isFile()) files.push(path);
    }
  }
  return files.sort();
}

/** The sources of all rooms, without their tests, by path from the root. */
export function projectSources(): Map<string, string> {
  const paths = projectFiles().filter(
    (path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !path.endsWith('.test.ts'),
  );
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Names of the folders inside a folder; none where it does not exist. */
export function foldersIn(path: string): string[] {
  const folder = join(root, path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
