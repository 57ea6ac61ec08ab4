import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger, LedgerEntry } from '../ledger.ts';
import type { Reports } from '../reports/reports.ts';
import { rowsOf } from './change-rows.ts';
import { migrate } from './migrations.ts';
import { createSqliteReports } from './sqlite-reports.ts';
import { tablesOf } from './tables.ts';

/**
 * The reports of a ledger: its own if it has them. A memory ledger is copied to an in-memory
 * database whenever it has changed.
 */
export const reportsOf = (ledger: Ledger, now: () => number = Date.now): Reports =>
  ledger.reports ?? copiedReports(ledger, now);

function copiedReports(ledger: Ledger, now: () => number): Reports {
  let known: { entries: readonly LedgerEntry[]; reports: Reports } | undefined;

  async function current(): Promise<Reports> {
    const entries = await ledger.entries();
    const isKnown =
      known?.entries.length === entries.length && known.entries.at(-1)?.id === entries.at(-1)?.id;
    if (!known || !isKnown) known = { entries, reports: copyOf(ledger, entries, now) };
    return known.reports;
  }

  return {
    sessions: async (query) => (await current()).sessions(query),
    session: async (name) => (await current()).session(name),
    history: async (name) => (await current()).history(name),
    find: async (beginning) => (await current()).find(beginning),
    names: async (sessions) => (await current()).names(sessions),
    signals: async (query) => (await current()).signals(query),
    incidents: async (query) => (await current()).incidents(query),
    stats: async (query) => (await current()).stats(query),
    insights: async (query) => (await current()).insights(query),
    trials: async () => (await current()).trials(),
    recoveries: async (query) => (await current()).recoveries(query),
    detectors: async (query) => (await current()).detectors(query),
    async runs({ ends, most, after }) {
      const runs: { run: string; last: number }[] = [];
      for (const { session: run, last } of await ledger.sessions())
        for (const end of ends)
          if ((await ledger.loadState(run + end)) !== null) runs.push({ run, last });
      const from = after ? runs.findIndex(({ run }) => run === after.name) + 1 : 0;
      const page = runs.slice(from, from + most);
      const last = page.at(-1);
      const isLast = from + most >= runs.length;
      return {
        runs: page,
        ...(last && !isLast ? { next: { at: last.last, name: last.run } } : {}),
      };
    },
    feed: {
      async *turns(signal) {
        while (!signal.aborted) {
          yield;
          await sleep(1000, undefined, { signal }).catch(() => undefined);
        }
      },
      newest: async () => (await current()).feed.newest(),
      after: async (place, most) => (await current()).feed.after(place, most),
      isAfter: (place, other) => Number(place) > Number(other),
    },
    async close() {},
  };
}

function copyOf(ledger: Ledger, entries: readonly LedgerEntry[], now: () => number): Reports {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const tables = tablesOf(database);
  tables.write([], rowsOf([], { entries }), now());
  const file = {
    use: <T>(act: (...of: [typeof database, typeof tables]) => T): T => act(database, tables),
    close() {},
  };
  return createSqliteReports(file, ledger, { path: '', now });
}
