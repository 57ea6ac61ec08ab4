import { statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

const FIRST_SECONDS = 30;
const MAX_SECONDS = 300;
const JITTER = 0.12;

/**
 * Milliseconds to wait after this many idle ticks in a row, starting at 1: 30 s, doubled up to 300
 * s, ±12 %.
 */
export function idleDelay(idle: number, random: () => number = Math.random): number {
  const seconds = Math.min(MAX_SECONDS, FIRST_SECONDS * 2 ** (idle - 1));
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random() - 1)));
}

/** When the file was last changed; undefined if it does not exist. */
export const changedAt = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Waits until the time is over, the file has changed since it was read, or the signal aborts. */
export function waitForChange(
  file: string,
  milliseconds: number,
  read: number | undefined,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    // Editors replace the file, so its folder is watched.
    const watcher = watch(dirname(file), (_, name) => {
      if (name === null || name === basename(file)) done();
    });
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      watcher.close();
      signal?.removeEventListener('abort', done);
      resolve();
    }
    watcher.on('error', () => {});
    // The file may have changed before the watcher was installed.
    if (signal?.aborted || changedAt(file) !== read) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}
