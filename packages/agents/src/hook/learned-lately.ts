import { learnedIn } from '@unrut/ledger/learned';
import type { Ledger } from '@unrut/ledger/ledger';

/** Milliseconds for which learned rates are cached. */
const FRESH = 60_000;

/**
 * Caches the success of recoveries for a minute, for a process that answers many hooks. Empty if
 * the ledger fails.
 */
export function learnedLately(): (ledger: Ledger) => Promise<Record<string, number>> {
  const known = new WeakMap<Ledger, { at: number; learned: Promise<Record<string, number>> }>();
  return (ledger) => {
    const now = performance.now();
    let entry = known.get(ledger);
    if (!entry || now - entry.at > FRESH) {
      entry = { at: now, learned: learnedIn(ledger).catch(() => ({})) };
      known.set(ledger, entry);
    }
    return entry.learned;
  };
}
