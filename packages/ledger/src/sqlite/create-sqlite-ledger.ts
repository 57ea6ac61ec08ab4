import { present } from '@unrut/engine/json';
import type { Ledger } from '../ledger.ts';
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts';
import { createSqliteIncidents } from './sqlite-incidents.ts';
import { createSqliteReports } from './sqlite-reports.ts';

export interface SqliteLedgerOptions extends SqliteStoreOptions {
  /**
   * Max number of entries in a session's history; the newest are kept. Default: 40,000, some tens
   * of megabytes.
   */
  mostEntries?: number;
}

/**
 * A ledger in one file, for any number of processes at once. Throws if the file cannot be used; a
 * broken one is set aside.
 */
export function createSqliteLedger({ mostEntries, ...options }: SqliteLedgerOptions = {}): Ledger {
  const { ledger, file, path } = openSqliteStore(options);
  const now = options.now ?? Date.now;
  const reports = createSqliteReports(file, ledger, { path, now, ...present({ mostEntries }) });
  return { ...ledger, reports, incidents: createSqliteIncidents(file) };
}
