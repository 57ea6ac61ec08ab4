import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Machine } from '@unrut/engine/machine';
import { userFolder } from '../sqlite/ledger-path.ts';

/** The names of config files, the one that counts first. */
export const CONFIG_FILES: readonly string[] = [
  'unrut.config.json',
  'unrut.config.ts',
  'unrut.config.js',
];

/**
 * The nearest folder with config files, from here up to the root of the repository or the user's
 * home, and those files.
 */
export function findProjectConfig(cwd: string, home: string): string[] {
  const top = resolve(home);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = configFilesIn(folder);
    if (
      found.length > 0 ||
      folder === top ||
      folder === dirname(folder) ||
      existsSync(join(folder, '.git'))
    )
      return found;
  }
}

export const configFilesIn = (folder: string): string[] =>
  CONFIG_FILES.map((name) => join(folder, name)).filter((path) => existsSync(path));

/** The path that a text with `~`, or a relative one, means. */
export const inHome = (path: string, home: string, from: string): string =>
  /^~(?:[\\/]|$)/.test(path) ? join(home, path.slice(1)) : resolve(from, path);

/** Where a user keeps the config of all projects. */
export const userConfigFolder = (machine: Machine): string => userFolder(machine, 'config');
