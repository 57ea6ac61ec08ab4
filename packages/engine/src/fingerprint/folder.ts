import { hash32 } from '../hash.ts';
import { push } from '../recent.ts';
import { filePath } from '../shell/file-path.ts';

const MAX_FOLDERS = 24;
/** Longer paths are not followed. */
const MAX_LENGTH = 160;

/** The folder that the shell is in. Names are hashed, because a path may contain a secret. */
export interface Folders {
  /** The first absolute folder, assumed to be where the session began. */
  base: string | null;
  /** The current folder, relative to `base`; empty in `base` itself. */
  now: string;
  /** Hashes of the folders that the shell has been in. */
  known: number[];
}

export const startFolders = (): Folders => ({ base: null, now: '', known: [] });

/**
 * The folder that a command runs in, relative to where the session began. Some shells stay in the
 * folder that a command changed to and others return, and events do not say which. So a relative
 * folder is resolved to one that the shell has been in, if there is one.
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

export function enter(folders: Folders, folder: string): void {
  folders.now = folder.length > MAX_LENGTH ? '' : folder;
  const hash = hash32(folder);
  if (!folders.known.includes(hash)) push(folders.known, hash, MAX_FOLDERS);
}

const clean = (path: string): string => (path === '.' ? '' : path);

const hashed = (path: string): string =>
  clean(
    path.replace(/[^/]+/g, (part) =>
      /^(?:\.\.?|~|\w:)$/.test(part)
        ? part
        : (part[0] === '$' ? '$' : '') + hash32(part).toString(36),
    ),
  ).slice(0, MAX_LENGTH);
