import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Looking costs two calls of the file system. */
const EVERY = 500;

/**
 * Gives a turn at once, and then each time somebody has written to the ledger, until the signal ends it. A turn more than needed may come:
 * SQLite also writes when it tidies up.
 */
export async function* ledgerChanges(path: string, signal: AbortSignal): AsyncGenerator<void> {
  let stamp: string | null = null;
  while (!signal.aborted) {
    const now = [path, `${path}-wal`].map(stampOf).join(' ');
    if (now !== stamp) {
      stamp = now;
      yield;
    }
    await sleep(EVERY, undefined, { signal }).catch(() => undefined);
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.mtimeNs} ${stats.size}` : '';
}
