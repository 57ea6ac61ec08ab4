import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Machine } from '@unrut/engine/machine';
import { userFolder } from '../sqlite/ledger-path.ts';

/** The names of config files, in order of precedence. */
export const CONFIG_FILES: readonly string[] = [
  'unrut.config.json',
  'unrut.config.ts',
  'unrut.config.js',
];

/**
 * The config files in the nearest folder that has any, searching from here up to the repository
 * root or the user's home.
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

/** Resolves a path that is relative or begins with `~`. */
export const inHome = (path: string, home: string, from: string): string =>
  /^~(?:[\\/]|$)/.test(path) ? join(home, path.slice(1)) : resolve(from, path);

/** The folder of the config for all of a user's projects. */
export const userConfigFolder = (machine: Machine): string => userFolder(machine, 'config');
