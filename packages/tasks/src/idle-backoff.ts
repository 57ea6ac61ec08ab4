import { statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

const FIRST_SECONDS = 30;
const MAX_SECONDS = 300;
const JITTER = 0.12;

/**
 * Milliseconds to wait after so many idle ticks in a row, from 1 on: 30 s, doubled up to 300 s,
 * more or less 12 %.
 */
export function idleDelay(idle: number, random: () => number = Math.random): number {
  const seconds = Math.min(MAX_SECONDS, FIRST_SECONDS * 2 ** (idle - 1));
  return Math.round(seconds * 1000 * (1 + JITTER * (2 * random() - 1)));
}

/** When the file was last changed; nothing where there is none. */
export const changedAt = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/**
 * Waits until the time is over, the file is another one than the one that was read, or it is
 * aborted.
 */
export function waitForChange(
  file: string,
  milliseconds: number,
  read: number | undefined,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    // Editors put a new file in place of the old one, so its folder is watched.
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
    // It may have changed while nobody watched.
    if (signal?.aborted || changedAt(file) !== read) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}
