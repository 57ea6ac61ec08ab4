import { learnedIn } from '@unrut/ledger/learned';
import type { Ledger } from '@unrut/ledger/ledger';

/** Milliseconds for which what was learned is not looked up again. */
const FRESH = 60_000;

/**
 * What works after which failure, for a process that answers many hooks: looked up once a minute. A
 * ledger that fails has taught nothing.
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
