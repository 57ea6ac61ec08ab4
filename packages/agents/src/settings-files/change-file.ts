import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';

/** What the file next to a settings file is called that keeps it as it was before. */
export const backupOf = (path: string): string => `${path}.unrut-backup`;

/**
 * The text of a file, with its mark of the byte order if it has one; nothing when there is no file.
 */
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

/**
 * Throws where a file was made read-only: somebody, or a program that manages it, wants it to stay
 * as it is.
 */
export function refuseReadOnly(path: string): void {
  const mode = fs.statSync(path, { throwIfNoEntry: false })?.mode ?? 0o200;
  if ((mode & 0o222) === 0)
    throw new UnrutError(
      'unwritable',
      `${path} is read-only. Nothing was changed; make it writable (chmod u+w) and try again.`,
    );
}

/**
 * Writes a file in one step, so that no reader sees half of it. A link stays a link, and the mode
 * is kept; `mode` is for a new file, whose new folder is as private as it is.
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
 * Stands in a folder that was there before us with nothing in it, so that it stays when our file
 * goes.
 */
const KEEP = '.unrut-keep';

/** To be called before a new file is written: a folder that is empty until then will stay. */
export function keepFolder(path: string, stop: readonly string[]): void {
  const folder = foldersAbove(path, stop).find((each) => fs.existsSync(each));
  try {
    if (folder !== undefined && fs.readdirSync(folder).length === 0)
      fs.writeFileSync(join(folder, KEEP), '');
  } catch {
    // Where nothing can be written, the file itself will say so.
  }
}

/** To be called when all files are removed: what kept the folders is not needed any more. */
export function releaseFolders(path: string, stop: readonly string[]): void {
  for (const folder of foldersAbove(path, stop)) fs.rmSync(join(folder, KEEP), { force: true });
}

/**
 * Removes a file, and the folders above it that are empty without it, as far as `stop`. A link,
 * which is not ours, stays without its file.
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

/** From the folder of a file upwards, as far as `stop`. */
function foldersAbove(path: string, stop: readonly string[]): string[] {
  const folder = dirname(path);
  return stop.includes(folder) || folder === path ? [] : [folder, ...foldersAbove(folder, stop)];
}

/** Where a file really is, or is to be. */
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
