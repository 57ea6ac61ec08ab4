import type { PoolClient } from 'pg';
import type { Connections } from './database.ts';

export interface TransactionOptions {
  /** The transaction only reads. Default: false. */
  readOnly?: boolean;
  /** Milliseconds for each statement. Default: 5,000. */
  timeout?: number;
}

/**
 * Runs with a connection. If that fails, the connection is discarded, since its state is unknown.
 */
export async function withClient<T>(
  connections: Connections,
  act: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connections.connect();
  try {
    const result = await act(client);
    client.release();
    return result;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Runs a transaction that sees the rows of one organisation; rolls back if it throws. */
export const inOrganisation = <T>(
  connections: Connections,
  org: number,
  act: (client: PoolClient) => Promise<T>,
  { readOnly = false, timeout = 5000 }: TransactionOptions = {},
): Promise<T> =>
  withClient(connections, async (client) => {
    const settings = [
      `'unrut.org', '${Math.trunc(org)}'`,
      `'statement_timeout', '${Math.trunc(timeout)}'`,
    ];
    await client.query(
      `BEGIN ${readOnly ? 'READ ONLY' : 'READ WRITE'}; SELECT ${settings.map((each) => `set_config(${each}, true)`).join(', ')}`,
    );
    const result = await act(client);
    await client.query('COMMIT');
    return result;
  });
