import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnrutError } from '@unrut/engine/errors';
import { checkVersion, isUpToDate, migrate } from './migrations.ts';
import { patiently } from './sqlite-error.ts';

/**
 * The log is checkpointed at about this size, and truncated to it. Four times SQLite's default: a
 * server that writes many sessions would otherwise checkpoint after every other commit.
 */
const MAX_LOG_LENGTH = 16 << 20;
/**
 * Size of the page cache in kilobytes: entries update many places of their indexes, and SQLite's
 * default is 2 MB.
 */
const CACHE = 32_000;
const PAGE = 4096;
/**
 * Milliseconds after which a log without its file counts as left over from a deleted ledger, not as
 * one being created.
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
 * Opens the ledger's database and creates its tables. The file and SQLite's other files are
 * readable only by the user.
 */
export function openDatabase(path: string, { wait, durable }: FileUse): DatabaseSync {
  // Loaded lazily, since older versions of Node print a warning.
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

/** Runs `act` in a write transaction: commits, or rolls back if it throws. */
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
      // SQLite has already rolled back, as it does when the disk is full.
    }
    throw error;
  }
}

/** SQLite copies the permissions of this file to its other files. */
function createFile(path: string): void {
  removeLeftovers(path);
  try {
    // Opening and closing an existing file would release this process's locks on it.
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * If the ledger was deleted without its log, programs that had it open still share the log; a new
 * ledger must not read it.
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
 * Write-ahead logging, so that readers and the writer do not block each other; and incremental
 * vacuum. Both settings are stored when the file is created.
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
