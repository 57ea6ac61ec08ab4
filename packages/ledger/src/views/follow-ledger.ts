import type { Ledger, LedgerEntry, LedgerQuery } from '../ledger.ts';
import type { LedgerDrivers } from '../open-ledger.ts';
import { ledgerChanges } from './ledger-changes.ts';
import { readLedger } from './read-ledger.ts';

/**
 * Events carry their own times, and some arrive late. Those later than this many milliseconds are
 * skipped.
 */
const LATE = 120_000;

/**
 * Yields the newest entries that match the query, then each new one, oldest first, until the signal
 * is aborted. Waits for a ledger that does not exist yet.
 */
export async function* followLedger(
  path: string,
  drivers: LedgerDrivers,
  query: LedgerQuery,
  signal: AbortSignal,
): AsyncGenerator<LedgerEntry[]> {
  let known: ReadonlySet<string> | null = null;
  for await (const _ of ledgerChanges(path, signal)) {
    const found: Found = await readLedger(path, drivers, (ledger) => look(ledger, query, known));
    known = found.known;
    if (found.fresh.length > 0) yield found.fresh;
  }
}

interface Found {
  fresh: LedgerEntry[];
  /** The ids of all entries that a query may return again. */
  known: Set<string>;
}

async function look(
  ledger: Ledger,
  { last, ...query }: LedgerQuery,
  known: ReadonlySet<string> | null,
): Promise<Found> {
  const since = Math.max(query.since ?? 0, Date.now() - LATE);
  const recent = await ledger.entries({ ...query, since });
  const fresh =
    known === null
      ? await ledger.entries({ ...query, last })
      : recent.filter(({ id }) => !known.has(id));
  return { fresh, known: new Set([...recent, ...fresh].map(({ id }) => id)) };
}
