import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPostgresUrl } from '../postgres-address.ts';

/** Polling a file costs two system calls; a database must be queried. */
const EVERY = 500;

/**
 * Yields once immediately, and then after each write to the ledger, until the signal is aborted.
 * Extra turns are possible, since SQLite also writes when it tidies up.
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
