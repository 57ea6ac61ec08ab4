import { existsSync } from 'node:fs';
import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from './ledger.ts';
import { createMemoryLedger } from './memory.ts';
import { isPostgresUrl, postgresPlace } from './postgres-address.ts';
import { openSqliteStore, type SqliteStoreOptions } from './sqlite/open-sqlite-store.ts';

/** Where a ledger is. */
export interface LedgerPlace {
  /** The file. With a `url`, only the location of local data that is stored next to it. */
  path: string;
  /** The address of a Postgres. */
  url?: string;
}

type FileOptions = Omit<SqliteStoreOptions, 'path'>;

/**
 * Drivers by URL scheme; addresses without a scheme use `file`. The started program passes its
 * drivers in; each is imported when it is first needed. Without a file driver, a file is opened
 * without reports.
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
 * Opens the ledger at a path or an address, uses it and closes it. If the file does not exist, the
 * ledger is empty and no file is created.
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

/** The address without user and password. */
export const ledgerName = (address: string): string =>
  isPostgresUrl(address) ? postgresPlace(address).where : address;
