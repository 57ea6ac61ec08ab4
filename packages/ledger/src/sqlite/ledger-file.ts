import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnrutError } from '@unrut/engine/errors';
import { type FileUse, openDatabase } from './open-database.ts';
import { identityOf, setAside } from './set-aside.ts';
import { isBroken, patiently, pauseBriefly, toLedgerError } from './sqlite-error.ts';
import { type Tables, tablesOf } from './tables.ts';

/** An open ledger file. */
export interface LedgerFile {
  /**
   * Uses the database at the path. If the file was deleted or replaced, a new one is created or
   * opened. If it is broken, it is set aside, and `act` runs again with a new file.
   */
  use<T>(act: Act<T>): T;
  close(): void;
}

type Act<T> = (database: DatabaseSync, tables: Tables) => T;

/**
 * Opens the file; creates a new one if it is missing or broken. `onAside` receives the new path of
 * the broken one.
 */
export function openLedgerFile(
  path: string,
  how: FileUse,
  now: () => number,
  onAside: (name: string, tables: Tables) => void,
): LedgerFile {
  const { wait } = how;
  /**
   * The identity of the last opened file: writes to a deleted file would be lost, and a broken file
   * is set aside only if it is still the same.
   */
  let identity: string | null = null;
  let database: DatabaseSync | null = null;
  let tables: Tables;
  let closed = false;

  function open(): void {
    identity = identityOf(path);
    database = openDatabase(path, how);
    identity ??= identityOf(path);
    tables = tablesOf(database);
  }

  function attempt<T>(act: Act<T>): T {
    if (closed)
      throw new UnrutError(
        'closed-ledger',
        `[sqlite] ${path} has been closed. Open another ledger.`,
      );
    if (database !== null && identityOf(path) !== identity) release();
    if (database === null) open();
    return patiently(wait, () => act(database!, tables));
  }

  function release(): void {
    database?.close();
    database = null;
  }

  function replaceFile(): void {
    release();
    const name = setAside(path, identity, now());
    if (name !== null) attempt((_, fresh) => onAside(basename(name), fresh));
  }

  function mend<T>(act: Act<T>): T {
    const deadline = Date.now() + wait;
    for (;;) {
      try {
        return attempt(act);
      } catch (error) {
        if (!isBroken(error) || Date.now() > deadline) throw error;
        replaceFile();
        // Another process may be setting it aside.
        pauseBriefly(1);
      }
    }
  }

  function use<T>(act: Act<T>): T {
    try {
      return mend(act);
    } catch (error) {
      throw toLedgerError(path, error);
    }
  }

  use(() => undefined);
  return {
    use,
    close() {
      closed = true;
      release();
    },
  };
}
