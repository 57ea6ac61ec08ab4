import type { LedgerKeys } from '@unrut/ledger/api-key';
import type { Ledger, LedgerChange, SavedState } from '@unrut/ledger/ledger';
import type { OrganisationStore } from '@unrut/ledger/organisation';
import { RepeatedEntry } from '@unrut/ledger/repeated-entry';
import { type Database, type DatabaseOptions, openConnections } from './database.ts';
import { fingerprintKey } from './fingerprint-key.ts';
import { createIncidents } from './incidents.ts';
import { createStoreMeter, type PostgresMeasures } from './meter.ts';
import { createOrganisationStore } from './organisation/organisation-store.ts';
import { toPostgresFault } from './postgres-error.ts';
import { findContext, findEntries, findSessions, forgetIn, streamEntries } from './read-queries.ts';
import { createPostgresReports } from './reports/create-postgres-reports.ts';
import { createSaidStore, type SaidStore } from './said-store.ts';
import { createSessionStore, type SessionStore } from './session-store.ts';
import { inOrganisation } from './transaction.ts';
import { projectIn, type WriteScope } from './write-group.ts';

export interface PostgresLedgerOptions extends DatabaseOptions, Partial<WriteScope> {}

/** One database and its ledgers, which share connections and caches. */
export interface Postgres {
  readonly database: Database;
  /**
   * The database for read-only queries: the replica in `UNRUT_LEDGER_READS`, otherwise the same
   * database.
   */
  readonly reads: Database;
  /** The ledger of an organisation, or of only one of its projects. Closing it has no effect. */
  ledger(scope: WriteScope): Ledger;
  /** The store of users' instructions for the sessions of a project. */
  said(scope: Pick<WriteScope, 'org' | 'project'>): SaidStore;
  /** The work done so far. */
  measures(): PostgresMeasures;
  close(): Promise<void>;
}

/** The organisation used if there is only one. */
export const DEFAULT_ORG = 1;

/**
 * A database for many organisations. Connections are opened on demand; `database.check()` reports
 * problems.
 */
export function openPostgres(options: DatabaseOptions): Postgres {
  const database = openConnections(options);
  const replica = process.env.UNRUT_LEDGER_READS;
  const reads = replica ? openConnections({ ...options, url: replica }) : database;
  const meter = createStoreMeter();
  const stores = new Map<number, SessionStore>();

  function storeOf(org: number): SessionStore {
    const store = stores.get(org) ?? createSessionStore(database, org, meter);
    stores.set(org, store);
    return store;
  }

  return {
    database,
    reads,
    ledger: (scope) => ledgerOf(database, reads, storeOf(scope.org), scope),
    said: (scope) => createSaidStore(database, scope),
    measures: () => meter.measures(),
    async close() {
      await database.close();
      if (reads !== database) await reads.close();
    },
  };
}

/**
 * A ledger in Postgres, for any number of servers at once. Requires the schema: run `unrut
 * migrate`.
 */
export function createPostgresLedger({
  org = DEFAULT_ORG,
  project,
  person,
  ...options
}: PostgresLedgerOptions): Ledger {
  const postgres = openPostgres(options);
  const ledger = postgres.ledger({ org, project, person });
  return { ...ledger, close: () => postgres.close() };
}

function ledgerOf(
  database: Database,
  reads: Database,
  store: SessionStore,
  scope: WriteScope,
): Ledger {
  const { org, project } = scope;

  /** Converts database errors to one line with advice. */
  async function worded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof RepeatedEntry ? error : toPostgresFault(database.where, error);
    }
  }

  async function update(
    sessions: readonly string[],
    change: (saved: readonly SavedState[]) => LedgerChange,
    repeatable: boolean,
  ) {
    let thrown: { error: unknown } | undefined;
    const watched: typeof change = (saved) => {
      try {
        return change(saved);
      } catch (error) {
        thrown = { error };
        throw error;
      }
    };
    try {
      return await store.update(sessions, watched, repeatable, scope);
    } catch (error) {
      if (thrown?.error === error) throw error;
      return worded(() => Promise.reject(error));
    }
  }

  const read = <T>(act: Parameters<typeof inOrganisation<T>>[2]): Promise<T> =>
    worded(() => inOrganisation(database, org, act, { readOnly: true }));

  return {
    isShown: true,
    update: (sessions, change, { repeatable = false } = {}) => update(sessions, change, repeatable),
    append: async (entries) => void (await update([], () => ({ entries }), true)),
    entries: (query = {}) => read((client) => findEntries(client, scope, query)),
    stream: (since) => streamEntries(read, scope, since),
    context: (query = {}) => read((client) => findContext(client, scope, query)),
    sessions: () => read((client) => findSessions(client, scope)),
    loadState: (session) => worded(() => store.load(session, projectIn(scope))),
    saveState: async (session, state) =>
      void (await update([session], () => ({ states: [state] }), true)),
    async forget(session) {
      await worded(() =>
        inOrganisation(database, org, (client) => forgetIn(client, scope, session)),
      );
      store.forget(session);
    },
    fingerprintKey: () => worded(() => fingerprintKey(database, org)),
    keys: keysOf(createOrganisationStore(database, org)),
    incidents: createIncidents(database, scope),
    reports: createPostgresReports({
      connections: reads,
      org,
      ...(project === undefined ? {} : { projects: [project] }),
    }),
    async close() {},
  };
}

/** The keys of an organisation as `LedgerKeys`. */
const keysOf = (store: OrganisationStore): LedgerKeys => ({
  add: (key) => store.addKey(key, BY_LEDGER),
  list: async () => (await store.keys()).map(({ org: _, ...key }) => key),
  revoke: (id, at) => store.revokeKey(id, at, BY_LEDGER),
  used: store.keyUsed,
});

/** The actor in the audit for programs that use the ledger directly. */
const BY_LEDGER = 'ledger';
