import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';

/** The path of the backup next to a settings file. */
export const backupOf = (path: string): string => `${path}.unrut-backup`;

/** A file's text, including a byte order mark; undefined if it does not exist. */
export function readTextFile(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UnrutError(
      'unreadable',
      `Cannot read ${path}: ${code ?? message}. Nothing was changed.`,
    );
  }
}

/** Throws if the file is read-only, since somebody wants it unchanged. */
export function refuseReadOnly(path: string): void {
  const mode = fs.statSync(path, { throwIfNoEntry: false })?.mode ?? 0o200;
  if ((mode & 0o222) === 0)
    throw new UnrutError(
      'unwritable',
      `${path} is read-only. Nothing was changed; make it writable (chmod u+w) and try again.`,
    );
}

/**
 * Writes a file atomically. Keeps symbolic links and the mode; `mode` applies to new files and
 * restricts new folders.
 */
export function writeText(path: string, text: string, mode = 0o644): void {
  const real = behindLinks(path);
  const beside = `${real}.unrut-${process.pid}`;
  try {
    fs.mkdirSync(dirname(real), { recursive: true, mode: (mode & 0o077) === 0 ? 0o700 : 0o777 });
    const kept = fs.existsSync(real) ? fs.statSync(real).mode & 0o7777 : mode;
    fs.writeFileSync(beside, text, { mode: kept, flush: true });
    fs.chmodSync(beside, kept);
    fs.renameSync(beside, real);
  } catch (error) {
    fs.rmSync(beside, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnrutError(
      'unwritable',
      `Cannot write ${path}: ${code ?? message}. Check that you have write permission.`,
    );
  }
}

/**
 * A placeholder in an empty folder that existed before, so that the folder is kept when our file is
 * removed.
 */
const KEEP = '.unrut-keep';

/** Call it before writing a new file: keeps folders that are empty now. */
export function keepFolder(path: string, stop: readonly string[]): void {
  const folder = foldersAbove(path, stop).find((each) => fs.existsSync(each));
  try {
    if (folder !== undefined && fs.readdirSync(folder).length === 0)
      fs.writeFileSync(join(folder, KEEP), '');
  } catch {
    // Writing the file itself will report the error.
  }
}

/** Call it after all files are removed: deletes the placeholders. */
export function releaseFolders(path: string, stop: readonly string[]): void {
  for (const folder of foldersAbove(path, stop)) fs.rmSync(join(folder, KEEP), { force: true });
}

/**
 * Removes a file and its empty parent folders up to `stop`. A symbolic link is not ours and stays.
 */
export function removeFile(path: string, stop: readonly string[]): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    fs.rmSync(behindLinks(path), { force: true });
    return;
  }
  fs.rmSync(path, { force: true });
  for (const folder of foldersAbove(path, stop)) {
    try {
      fs.rmdirSync(folder);
    } catch {
      return;
    }
  }
}

/** The folders above a file, up to `stop`. */
function foldersAbove(path: string, stop: readonly string[]): string[] {
  const folder = dirname(path);
  return stop.includes(folder) || folder === path ? [] : [folder, ...foldersAbove(folder, stop)];
}

/** The real path of a file, following links. */
function behindLinks(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch {
    try {
      return resolve(dirname(path), fs.readlinkSync(path));
    } catch {
      return path;
    }
  }
}
