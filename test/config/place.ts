import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type LoadedSettings, loadSettings } from '@unrut/ledger/config/load-settings';
import { onTestFinished } from 'vitest';

/** A machine of its own with a home, a repository in it and whatever files are wanted. */
export interface Place {
  home: string;
  project: string;
  /** The folder of the user's config. */
  user: string;
  /** Writes a file, from the folder of all this on. */
  write(path: string, content: string | object): string;
  load(environment?: Record<string, string>, cwd?: string): LoadedSettings;
}

/**
 * Removed after the test. `files` are written first: `project/unrut.config.json`,
 * `user/unrut.config.json`.
 */
export function makePlace(files: Record<string, string | object> = {}): Place {
  const root = mkdtempSync(join(tmpdir(), 'unrut-config-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  const folders: Record<string, string> = {
    home,
    project: join(home, 'project'),
    user: join(home, '.config', 'unrut'),
  };
  const write = (path: string, content: string | object): string => {
    const [folder, ...rest] = path.split('/');
    const file = join(folders[folder!] ?? join(root, folder!), ...rest);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };
  mkdirSync(join(folders.project!, '.git'), { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    home,
    project: folders.project!,
    user: folders.user!,
    write,
    load: (environment = {}, cwd = folders.project!) =>
      loadSettings({ cwd, home, environment, platform: 'linux' }),
  };
}
