import { randomBytes } from 'node:crypto';
import { UnrutError } from '@unrut/engine/errors';
import type { Connections } from './database.ts';
import { seal, unseal } from './organisation/seal.ts';
import { inOrganisation } from './transaction.ts';

const READ =
  "SELECT key AS sealed, settings ->> 'fingerprintKey' AS plain FROM unrut.organisations WHERE org = $1";
const MAKE = `UPDATE unrut.organisations SET settings = jsonb_set(settings, '{fingerprintKey}', to_jsonb($2::text))
  WHERE org = $1 AND key IS NULL AND NOT settings ? 'fingerprintKey'`;
const SEAL =
  "UPDATE unrut.organisations SET key = $2, settings = settings - 'fingerprintKey' WHERE org = $1 AND key IS NULL";

/**
 * The fingerprint key of an organisation, created once at random; all servers must share it. With a
 * secret, it is stored encrypted; an existing plain one is encrypted.
 */
export const fingerprintKey = (
  connections: Connections,
  org: number,
  secret: string | undefined = process.env.UNRUT_SECRET?.trim() || undefined,
): Promise<string | undefined> =>
  inOrganisation(connections, org, async (client) => {
    const read = async () =>
      (await client.query<{ sealed: Buffer | null; plain: string | null }>(READ, [org])).rows[0];
    const found = await read();
    if (!found) return undefined;
    const made = found.plain ?? randomBytes(32).toString('hex');
    if (found.sealed === null && secret !== undefined)
      await client.query(SEAL, [org, seal(made, secret)]);
    else if (found.sealed === null && found.plain === null) await client.query(MAKE, [org, made]);
    // If several servers create it at once, one wins.
    const { sealed = null, plain = null } = (await read()) ?? {};
    if (sealed === null) return plain ?? undefined;
    const key = secret === undefined ? undefined : unseal(sealed, secret);
    if (key !== undefined) return key;
    throw new UnrutError(
      'wrong-secret',
      `[postgres] UNRUT_SECRET ${secret === undefined ? 'is not set, and is needed to' : 'cannot'} open the key of organisation ${org}. Set it to the secret that the servers of this database have.`,
    );
  });
