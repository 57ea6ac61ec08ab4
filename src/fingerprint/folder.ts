import { hash32 } from '../hash.ts';
import { push } from '../recent.ts';
import { filePath } from '../shell/file-path.ts';

const MAX_FOLDERS = 24;
/** Deeper folders are not followed. */
const MAX_LENGTH = 160;

/** Where the shell is. Names are hashed: a path may hold a secret. */
export interface Folders {
  /** The first folder named from the root, which is taken for the one where the session began. */
  base: string | null;
  /** The folder it is in, from there; empty where it began. */
  now: string;
  /** Hashes of folders it has been in. */
  known: number[];
}

export const startFolders = (): Folders => ({ base: null, now: '', known: [] });

/**
 * The folder that a command runs in, from where the session began. Some shells keep the folder that a command has gone to and some forget
 * it, and nothing tells which: a folder is looked for where it was before.
 */
export function shellFolder(folders: Folders, directory: string | null): string {
  const { known, now } = folders;
  if (directory === null) return now;
  const path = hashed(filePath(directory));
  if (/^[/~$]|^\w:/.test(path)) {
    folders.base ??= path;
    if (path === folders.base) return '';
    return path.startsWith(`${folders.base}/`) ? path.slice(folders.base.length + 1) : path;
  }
  const inside = clean(filePath(path, now));
  if (known.includes(hash32(inside))) return inside;
  if (known.includes(hash32(path))) return path;
  return now === path || now.endsWith(`/${path}`) ? now : inside;
}

/** Goes there. */
export function enter(folders: Folders, folder: string): void {
  folders.now = folder.length > MAX_LENGTH ? '' : folder;
  const hash = hash32(folder);
  if (!folders.known.includes(hash)) push(folders.known, hash, MAX_FOLDERS);
}

const clean = (path: string): string => (path === '.' ? '' : path);

const hashed = (path: string): string =>
  clean(
    path.replace(/[^/]+/g, (part) => (/^(?:\.\.?|~|\w:)$/.test(part) ? part : (part[0] === '$' ? '$' : '') + hash32(part).toString(36))),
  ).slice(0, MAX_LENGTH);
