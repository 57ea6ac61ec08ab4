import { createPostgresLedger } from '@unrut/postgres/open-postgres';
import type { Ledger } from './ledger.ts';
import { isPostgresUrl, parseAddress } from './postgres-address.ts';
import { createSqliteLedger, type SqliteLedgerOptions } from './sqlite/create-sqlite-ledger.ts';

/** Where a ledger is. */
export interface LedgerPlace {
  /** The file; where there is a `url`, only what stays on this machine is beside it. */
  path: string;
  /** The address of a Postgres. */
  url?: string;
}

/** The file, or the address of the database. */
export const addressOf = ({ path, url }: LedgerPlace): string => url ?? path;

/** Opens the ledger at a path or an address. */
export function openLedger(
  address: string,
  options: Omit<SqliteLedgerOptions, 'path'> = {},
): Ledger {
  return isPostgresUrl(address)
    ? createPostgresLedger({ url: address })
    : createSqliteLedger({ ...options, path: address });
}

/** As it can be shown: without user and password. */
export const ledgerName = (address: string): string =>
  isPostgresUrl(address) ? parseAddress(address).where : address;
