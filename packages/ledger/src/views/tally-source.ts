import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryKind, Ledger, LedgerEntry } from '../ledger.ts';
import type { EntryFeed } from '../reports/reports.ts';
import {
  type LedgerRow,
  type LedgerRows,
  type NewestQuery,
  openLedgerRows,
} from '../sqlite/ledger-rows.ts';
import { ledgerChanges } from './ledger-changes.ts';

/** Where a ledger without reports of its own is read from. */
export interface TallySource {
  ledger: Ledger;
  /** The same object as long as what was read of it still counts. */
  rows(): Promise<LedgerRows>;
  /** Names of states that end so, without the end. */
  statesEndingIn(end: string): Promise<string[]>;
  feed: EntryFeed;
  close(): void;
}

/** A ledger's file, read beside the ledger that is written to. */
export function fileSource(ledger: Ledger, path: string): TallySource {
  const rows = openLedgerRows(path);
  return {
    ledger,
    rows: async () => rows,
    statesEndingIn: async (end) =>
      rows.statesEndingIn(end).map((name) => name.slice(0, -end.length)),
    feed: feedOf(
      async () => rows,
      (signal) => ledgerChanges(path, signal),
    ),
    close: rows.close,
  };
}

/**
 * A place is given again when the newest entries are deleted: then the last one that was told of is
 * another.
 */
function feedOf(look: TallySource['rows'], turns: EntryFeed['turns']): EntryFeed {
  let told: { sequence: number; id: string } | undefined;
  return {
    turns,
    newest: async () => String((await look()).last()),
    async after(place, most) {
      const rows = await look();
      const sequence = Number(place);
      if (sequence > rows.last() || (told?.sequence === sequence && !rows.has(sequence, told.id)))
        return undefined;
      const found = rows.after(sequence, most);
      told = found.at(-1) ?? told;
      return found.map(({ sequence: at, ...entry }) => ({ ...entry, place: String(at) }));
    },
    isAfter: (place, other) => Number(place) > Number(other),
  };
}

/** Any ledger that is small enough to be looked at as a whole each time, as one in memory. */
export function wholeSource(ledger: Ledger): TallySource {
  const rows = async (): Promise<LedgerRows> =>
    rowsIn(await ledger.entries(), await ledger.sessions());
  return {
    ledger,
    rows,
    async statesEndingIn(end) {
      const found: string[] = [];
      for (const { session } of await ledger.sessions())
        if ((await ledger.loadState(session + end)) !== null) found.push(session);
      return found;
    },
    feed: feedOf(rows, everySecond),
    close() {},
  };
}

async function* everySecond(signal: AbortSignal): AsyncGenerator<void> {
  while (!signal.aborted) {
    yield;
    await sleep(1000, undefined, { signal }).catch(() => undefined);
  }
}

function rowsIn(
  entries: readonly LedgerEntry[],
  sessions: Awaited<ReturnType<Ledger['sessions']>>,
): LedgerRows {
  const rows = entries.map((entry, i) => ({ ...entry, sequence: i + 1 }) as LedgerRow);
  const ofSession = Map.groupBy(rows, ({ session }) => session);
  const of = (session: string): readonly LedgerRow[] => ofSession.get(session) ?? [];
  return {
    after: (sequence, most) => rows.slice(sequence, sequence + most),
    has: (sequence, id) => rows[sequence - 1]?.id === id,
    last: () => rows.length,
    ofSession: (session, after, most) =>
      of(session)
        .filter(({ sequence }) => sequence > after)
        .slice(0, most),
    startOf: (session, most) => of(session).at(-most - 1)?.sequence ?? 0,
    newest: (query) =>
      rows
        .filter((row) => isWanted(row, query))
        .reverse()
        .slice(0, query.most),
    toolAt: (session, at) =>
      of(session).find(
        (row) =>
          row.at === at &&
          row.kind === ('event' satisfies EntryKind) &&
          row.data.tool !== undefined,
      )?.data.tool as string | undefined,
    sessions: () => new Map(sessions.map(({ session, first, last }) => [session, { first, last }])),
    statesEndingIn: () => [],
    close() {},
  };
}

const isWanted = (
  row: LedgerRow,
  { kind, session, since = 0, until = Number.POSITIVE_INFINITY, before, field }: NewestQuery,
): boolean =>
  row.kind === kind &&
  (session === undefined || row.session === session) &&
  row.at >= since &&
  row.at < until &&
  (before === undefined ||
    row.at < before.at ||
    (row.at === before.at && row.sequence < before.sequence)) &&
  (field === undefined || row.data[field[0]] === field[1]);
