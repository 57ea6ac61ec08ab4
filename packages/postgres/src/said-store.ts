import { holdingIn, newestSaid, type SaidChange } from '@unrut/ledger/people/said';
import type { Connections } from './database.ts';
import { inOrganisation } from './transaction.ts';
import { projectIn, type WriteScope } from './write-group.ts';

/** Max entries of each kind: switched-off sessions, sessions to stop, and false alarms. */
const MAX_SAID = 10_000;

/** Users' instructions for the sessions of a project, shared by all servers of a database. */
export interface SaidStore {
  /** Undefined if the version has not changed. */
  read(known: string | undefined): Promise<{ version: string; said: unknown } | undefined>;
  /** Changes the instructions under a lock. */
  change(at: number, change: SaidChange): Promise<void>;
}

export function createSaidStore(
  database: Connections,
  scope: Pick<WriteScope, 'org' | 'project'>,
): SaidStore {
  const place = [scope.org, projectIn(scope)];
  return {
    read: (known) =>
      inOrganisation(
        database,
        scope.org,
        async (client) => {
          const { rows } = await client.query<{ version: string; said: unknown }>(
            'SELECT version::text, said FROM unrut.said WHERE org = $1 AND project = $2 AND version IS DISTINCT FROM $3::bigint',
            [...place, known ?? null],
          );
          return rows[0];
        },
        { readOnly: true },
      ),
    change: (at, change) =>
      inOrganisation(database, scope.org, async (client) => {
        await client.query(
          'INSERT INTO unrut.said (org, project) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          place,
        );
        const { rows } = await client.query<{ said: unknown }>(
          'SELECT said FROM unrut.said WHERE org = $1 AND project = $2 FOR UPDATE',
          place,
        );
        const said = newestSaid(change(holdingIn(rows[0]?.said, at)), MAX_SAID);
        await client.query(
          'UPDATE unrut.said SET said = $3, version = version + 1 WHERE org = $1 AND project = $2',
          [...place, JSON.stringify(said)],
        );
      }),
  };
}
