import { randomBytes } from 'node:crypto';
import type { Connections } from './database.ts';
import { inOrganisation } from './transaction.ts';

const MAKE = `UPDATE unrut.organisations SET settings = jsonb_set(settings, '{fingerprintKey}', to_jsonb($2::text))
  WHERE org = $1 AND NOT settings ? 'fingerprintKey'`;
const READ = "SELECT settings ->> 'fingerprintKey' AS key FROM unrut.organisations WHERE org = $1";

/** The key of an organisation's fingerprints, made once, at random: all servers must have the same. */
export const fingerprintKey = (connections: Connections, org: number): Promise<string | undefined> =>
  inOrganisation(connections, org, async (client) => {
    const read = async (): Promise<string | undefined> =>
      (await client.query<{ key: string | null }>(READ, [org])).rows[0]?.key ?? undefined;
    const known = await read();
    if (known !== undefined) return known;
    await client.query(MAKE, [org, randomBytes(32).toString('hex')]);
    return read();
  });
