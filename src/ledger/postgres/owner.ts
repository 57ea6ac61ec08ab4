import type { Pool } from 'pg';
import { parseAddress } from './address.ts';
import { ownersPool } from './database.ts';
import { toPostgresFault } from './postgres-error.ts';

/** Does something as the role that owns the tables, which may take its time: migrations and upkeep. */
export async function withOwner<T>(url: string, act: (pool: Pool) => Promise<T>): Promise<T> {
  const { where } = parseAddress(url);
  try {
    const pool = await ownersPool(url);
    try {
      return await act(pool);
    } finally {
      await pool.end();
    }
  } catch (error) {
    throw toPostgresFault(where, error, 'Run it as the role that owns the tables.');
  }
}
