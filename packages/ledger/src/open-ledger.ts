import { existsSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from './ledger.ts';
import { createMemoryLedger } from './memory.ts';
import { isPostgresUrl, postgresPlace } from './postgres-address.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';

/** Where a ledger is. */
export interface LedgerPlace {
  /** The file; where there is a `url`, only what stays on this machine is next to it. */
  path: string;
  /** The address of a Postgres. */
  url?: string;
}

type FileOptions = Omit<SqliteStoreOptions, 'path'>;

/**
 * Opens ledgers by the scheme of their address; an address without a scheme is a `file`. The
 * program that is started passes its drivers in; a driver is imported when an address needs it.
 * Without a driver for files, a file is opened without reports.
 */
export type LedgerDrivers = Readonly<
  Record<string, (address: string, options: FileOptions) => Promise<Ledger>>
>;

const openFile: LedgerDrivers[string] = async (path, options) =>
  openSqliteStore({ ...options, path }).ledger;

/** The file, or the address of the database. */
export const addressOf = ({ path, url }: LedgerPlace): string => url ?? path;

/** Opens the ledger at a path or an address. */
export async function openLedger(
  address: string,
  drivers: LedgerDrivers,
  options: FileOptions = {},
): Promise<Ledger> {
  const { file = openFile, ...others } = drivers;
  const [, scheme] = /^([a-z]+):\/\//.exec(address) ?? [];
  if (scheme === undefined) return file(address, options);
  const open = Object.hasOwn(others, scheme) ? others[scheme] : undefined;
  if (!open)
    throw new UnrutError(
      'bad-option',
      `[ledger] expected a file${Object.keys(others)
        .map((each) => ` or ${each}://…`)
        .join('')}, got ${scheme}://…`,
    );
  return open(address, options);
}

/**
 * Uses the ledger at a path or an address, and closes it. Where there is no file it is an empty
 * one: merely looking makes none.
 */
export async function useLedger<T>(
  address: string,
  drivers: LedgerDrivers,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const ledger =
    isPostgresUrl(address) || existsSync(address)
      ? await openLedger(address, drivers)
      : createMemoryLedger();
  try {
    return await use(ledger);
  } finally {
    await ledger.close();
  }
}

/** As it can be shown: without user and password. */
export const ledgerName = (address: string): string =>
  isPostgresUrl(address) ? postgresPlace(address).where : address;
