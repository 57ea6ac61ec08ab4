import type { DatabaseSync } from 'node:sqlite';
import { UnrutError } from '@unrut/engine/errors';
import { createIncidentTables } from './create-incident-tables.ts';
import { addLoopColumns, createFiguresTables } from './figures-tables.ts';

/** Marks the file as our ledger: "unru". */
const APPLICATION = 0x756e7275;

/** Each upgrades the tables by one version. Never change a published migration: add another. */
const MIGRATIONS: readonly ((database: DatabaseSync) => void)[] = [
  createTables,
  createKeyTable,
  createFiguresTables,
  addLoopColumns,
  createIncidentTables,
];

/**
 * Throws without changes if the database belongs to another program or to a later version of Unrut.
 * Call it inside a transaction.
 */
export function checkVersion(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  const { application_id: application } = database.prepare('PRAGMA application_id').get() as {
    application_id: number;
  };
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as {
    tables: number;
  };
  if (tables > 0 && application !== APPLICATION)
    throw new UnrutError(
      'not-a-ledger',
      `[sqlite] ${path} is the database of another program. Give another path.`,
    );
  if (version > MIGRATIONS.length)
    throw new UnrutError(
      'newer-ledger',
      `[sqlite] ${path} has version ${version}; this Unrut knows versions up to ${MIGRATIONS.length}. Update Unrut, or set UNRUT_HOME to another folder.`,
    );
}

/** Upgrades the tables to the latest version. Call it inside a transaction. */
export function migrate(database: DatabaseSync): void {
  // Another process may have upgraded first, perhaps to a later version.
  if (isUpToDate(database)) return;
  for (const bringFurther of MIGRATIONS.slice(versionOf(database))) bringFurther(database);
  database.exec(
    `PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = ${MIGRATIONS.length}`,
  );
}

/** Whether the tables have the latest version. */
export const isUpToDate = (database: DatabaseSync): boolean =>
  versionOf(database) >= MIGRATIONS.length;

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;

/**
 * `touched` is the time of the last write by this machine's clock; all other times are event times.
 * Deleting a session deletes all rows that refer to it. Message pieces are numerous, so they are
 * only in the index of ids. Versions start at a random number, so that a state of a deleted ledger
 * is never mistaken for one of its successor. A rewritten state keeps its place, and SQLite writes
 * only changed pages. The views are for users of SQL.
 */
function createTables(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE sessions (
      session TEXT PRIMARY KEY, touched REAL NOT NULL, first REAL, last REAL,
      events INTEGER NOT NULL DEFAULT 0, signals INTEGER NOT NULL DEFAULT 0
    ) WITHOUT ROWID;
    CREATE INDEX sessions_by_touched ON sessions (touched);

    CREATE TABLE entries (
      sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE, agent TEXT,
      at REAL NOT NULL, kind TEXT NOT NULL, step INTEGER NOT NULL, data TEXT NOT NULL
    );
    CREATE INDEX entries_by_session ON entries (session, at);
    CREATE INDEX entries_by_kind ON entries (kind, at);
    CREATE INDEX entries_by_time ON entries (at);
    CREATE TABLE pieces (id TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT, at REAL NOT NULL, step INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TRIGGER pieces_go_with_their_session AFTER DELETE ON sessions BEGIN
      DELETE FROM pieces WHERE id >= old.session || '/' AND id < old.session || '0' AND session = old.session;
    END;

    CREATE TABLE states (
      place INTEGER PRIMARY KEY, session TEXT NOT NULL UNIQUE REFERENCES sessions ON DELETE CASCADE,
      version INTEGER NOT NULL, state TEXT NOT NULL
    );

    CREATE TABLE context_entries (
      id TEXT PRIMARY KEY, timestamp REAL NOT NULL, entry_type TEXT NOT NULL, topic TEXT NOT NULL, content TEXT NOT NULL,
      related_tasks TEXT NOT NULL, confidence REAL NOT NULL, metadata TEXT NOT NULL,
      session TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE
    );
    CREATE INDEX context_entries_by_topic ON context_entries (topic, timestamp);
    CREATE INDEX context_entries_by_session ON context_entries (session, timestamp);

    CREATE TABLE upkeep (checked REAL NOT NULL, saves INTEGER NOT NULL);
    INSERT INTO upkeep VALUES (0, abs(random() % 1000000000000));
  `);
  const views = {
    event: ['type', 'tool'],
    signal: ['detector', 'variant', 'rung', 'count', 'since', 'strength', 'streak', 'text'],
    plan: ['recovery', 'rung', 'reason', 'streak', 'shadow', 'toModel', 'toHuman'],
    outcome: ['plan', 'recovery', 'rung', 'reason', 'streak', 'outcome', 'after'],
    fault: ['where', 'message'],
  };
  for (const [kind, fields] of Object.entries(views)) {
    const columns = fields.map((field) => `data ->> '${field}' AS "${field}"`).join(', ');
    database.exec(
      `CREATE VIEW ${kind}s AS SELECT id, session, agent, at, step, ${columns}, data FROM entries WHERE kind = '${kind}'`,
    );
  }
}

/** Keys belong to no session: they outlive recorded data. */
function createKeyTable(database: DatabaseSync): void {
  database.exec(`
    CREATE TABLE api_keys (
      id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL, scopes TEXT NOT NULL, created REAL NOT NULL,
      expires REAL, revoked REAL, last_used REAL
    ) WITHOUT ROWID;
  `);
}
