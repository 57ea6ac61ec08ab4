import { basename } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnrutError } from '@unrut/engine/errors';
import { type FileUse, openDatabase } from './open-database.ts';
import { identityOf, setAside } from './set-aside.ts';
import { isBroken, patiently, pauseBriefly, toLedgerError } from './sqlite-error.ts';
import { type Tables, tablesOf } from './tables.ts';

/** A ledger's file while it is open. */
export interface LedgerFile {
  /**
   * Does something with the database at the path: where the file is gone or another one by now, a
   * new one is begun or that one is opened. A file that turns out to be broken is set aside, and it
   * is done again with a new one.
   */
  use<T>(act: Act<T>): T;
  close(): void;
}

type Act<T> = (database: DatabaseSync, tables: Tables) => T;

/**
 * Opens the file, or begins a new one where there is none or a broken one. `onAside` is told where
 * the broken one is now.
 */
export function openLedgerFile(
  path: string,
  how: FileUse,
  now: () => number,
  onAside: (name: string, tables: Tables) => void,
): LedgerFile {
  const { wait } = how;
  /**
   * Which file was opened last: what is written to one that was deleted is lost, and only a broken
   * one that is still the same is set aside.
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
        // Somebody else may be setting it aside.
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
