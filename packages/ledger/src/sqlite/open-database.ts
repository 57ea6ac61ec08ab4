import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnrutError } from '@unrut/engine/errors';
import { checkVersion, isUpToDate, migrate } from './migrations.ts';
import { patiently } from './sqlite-error.ts';

/**
 * The log is worked off at about this size, and cut back to it. Four times SQLite's own: a server
 * that writes the states of many sessions would work it off after every other commit.
 */
const MAX_LOG_LENGTH = 16 << 20;
/**
 * Kilobytes of pages in memory, at most: entries go to many places of their indexes, and SQLite by
 * itself keeps 2 MB.
 */
const CACHE = 32_000;
const PAGE = 4096;
/**
 * Milliseconds after which the log of a file that is not there belongs to one that was deleted, not
 * to one that is being made.
 */
const LEFT_OVER = 5000;

/** How a ledger's file is used. */
export interface FileUse {
  /** Milliseconds to wait for other writers. */
  wait: number;
  /** Each commit waits for the disk. */
  durable: boolean;
}

/**
 * Opens the ledger's database with all tables in it. The file and what SQLite puts next to it are
 * for the user's eyes only.
 */
export function openDatabase(path: string, { wait, durable }: FileUse): DatabaseSync {
  // Loaded when it is needed, since older versions of Node warn of it.
  const sqlite = process.getBuiltinModule('node:sqlite') as
    | typeof import('node:sqlite')
    | undefined;
  if (!sqlite)
    throw new UnrutError(
      'old-node',
      `[sqlite] Needs Node 22.13 or later; this is ${process.version}.`,
    );
  const { DatabaseSync } = sqlite;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${wait}`);
    patiently(wait, () => transaction(database, () => checkVersion(database, path), 'DEFERRED'));
    closeToOthers(path);
    patiently(wait, () => useLog(database));
    database.exec(
      `PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = ${MAX_LOG_LENGTH}`,
    );
    database.exec(
      `PRAGMA wal_autocheckpoint = ${MAX_LOG_LENGTH / PAGE}; PRAGMA cache_size = -${CACHE}`,
    );
    patiently(wait, () => isUpToDate(database) || transaction(database, () => migrate(database)));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Runs `act` with the right to write from its first line on, and keeps all that it wrote, or
 * nothing if it throws.
 */
export function transaction<T>(
  database: DatabaseSync,
  act: () => T,
  mode: 'IMMEDIATE' | 'DEFERRED' = 'IMMEDIATE',
): T {
  database.exec(`BEGIN ${mode}`);
  try {
    const result = act();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
    throw error;
  }
}

/** SQLite gives its other files the permissions of this one. */
function createFile(path: string): void {
  removeLeftovers(path);
  try {
    // A file that is there is not opened: closing it would release the locks that this process has
    // on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Somebody may have deleted the ledger and left its log, which programs that had it open still
 * share: a new ledger must not meet it.
 */
function removeLeftovers(path: string): void {
  const changedAt = (file: string): number | undefined =>
    statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (
    changedAt(path) !== undefined ||
    Date.now() - (changedAt(`${path}-wal`) ?? Number.POSITIVE_INFINITY) < LEFT_OVER
  )
    return;
  for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

/**
 * Readers and a writer do not wait for each other; free pages can be given back. Both are written
 * into a file once, when it is new.
 */
function useLog(database: DatabaseSync): void {
  const { journal_mode: mode } = database.prepare('PRAGMA journal_mode').get() as {
    journal_mode: string;
  };
  if (mode !== 'wal') database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
}

function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(file, 0o600);
  }
}
