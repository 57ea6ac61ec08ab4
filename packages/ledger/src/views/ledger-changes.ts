import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresUrl } from '../postgres-address.ts';

/** Looking costs two calls of the file system; of a database nobody knows before asking it. */
const EVERY = 500;

/**
 * Returns a turn at once, and then each time somebody has written to the ledger, until the signal
 * ends it. A turn more than needed may come: SQLite also writes when it tidies up.
 */
export async function* ledgerChanges(address: string, signal: AbortSignal): AsyncGenerator<void> {
  let stamp: string | null = null;
  while (!signal.aborted) {
    const now = isPostgresUrl(address) ? null : [address, `${address}-wal`].map(stampOf).join(' ');
    if (now === null || now !== stamp) {
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
