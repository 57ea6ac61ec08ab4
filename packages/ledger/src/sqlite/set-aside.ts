import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Identifies a file even after it is renamed; null if there is no file. */
export const identityOf = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
};

/** A lock this old belongs to a dead process, since the guarded work is short. */
const STALE = 5000;

/**
 * Renames a broken ledger to `<path>.corrupt-<time>`, replacing any earlier one, and returns the
 * new name; null if another process has done so or is doing it.
 */
export function setAside(path: string, identity: string | null, time: number): string | null {
  const lock = `${path}.lock`;
  try {
    mkdirSync(lock, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > STALE) rmSync(lock, { recursive: true, force: true });
    return null;
  }
  try {
    if (identity === null || identityOf(path) !== identity) return null;
    removeSetAside(path);
    const name = `${path}.corrupt-${new Date(time).toISOString().replaceAll(':', '-')}`;
    // The log is moved first: a new ledger must never use the log of an old one.
    for (const suffix of ['-wal', '-shm', '']) moveIfThere(path + suffix, name + suffix);
    return name;
  } finally {
    rmdirSync(lock);
  }
}

/** The last damaged ledger that was set aside, if any. */
export function setAsideFrom(path: string): string | undefined {
  try {
    return readdirSync(dirname(path)).findLast(
      (name) => name.startsWith(`${basename(path)}.corrupt-`) && !/-(?:wal|shm)$/.test(name),
    );
  } catch {
    return undefined;
  }
}

/** Deletes ledgers that were set aside. */
export function removeSetAside(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${basename(path)}.corrupt-`)) rmSync(join(folder, name), { force: true });
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
