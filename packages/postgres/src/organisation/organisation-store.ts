import { hash64 } from '@unrut/engine/hash';
import {
  type AuditEntry,
  type AuditedDeed,
  DEFAULT_PROJECT,
  type Organisation,
  type OrganisationKey,
  type OrganisationStore,
  type Person,
  type Project,
  type SessionPlace,
} from '@unrut/ledger/organisation';
import type { PoolClient } from 'pg';
import type { Connections } from '../database.ts';
import { fingerprintKey } from '../fingerprint-key.ts';
import { codeOf, NO_DAY } from '../postgres-error.ts';
import { projectOfState } from '../schema/projects.ts';
import { recordIn } from '../sql.ts';
import { inOrganisation } from '../transaction.ts';
import { forgetSessions, orderForgetting } from './forget.ts';

const UNIQUE = '23505';
/** Max milliseconds of each statement that deletes much. */
const PATIENCE = 60_000;

/** Keeps the settings that people cannot change. */
const CHANGE = `UPDATE unrut.organisations SET settings = $2::jsonb || CASE WHEN settings ? 'fingerprintKey'
  THEN jsonb_build_object('fingerprintKey', settings -> 'fingerprintKey') ELSE '{}' END WHERE org = $1`;

/** All columns of keys. */
export const KEYS = `SELECT id, org, project, person, name, hash, scopes, quota, created, expires, revoked, last_used AS "lastUsed"
  FROM unrut.api_keys`;

const PEOPLE = `SELECT p.person, p.name, p.email, p.created, p.seen, coalesce(
    (SELECT json_agg(json_build_object('project', m.project, 'role', m.role) ORDER BY m.project) FROM unrut.memberships m
     WHERE m.org = p.org AND m.person = p.person), '[]') AS roles FROM unrut.people p`;

/** Deletes all data of a project except its sessions. Its keys stay for the audit, revoked. */
const DELETE_PROJECT = [
  'DELETE FROM unrut.memberships WHERE org = $1 AND project = $2',
  'UPDATE unrut.api_keys SET revoked = now() WHERE org = $1 AND project = $2 AND revoked IS NULL',
];

/** The people, projects and keys of an organisation in Postgres. */
export function createOrganisationStore(database: Connections, org: number): OrganisationStore {
  /** The first parameter of every query is the organisation. */
  const ask = <T extends object>(sql: string, ...values: readonly unknown[]): Promise<T[]> =>
    inOrganisation(
      database,
      org,
      async (client) => (await client.query(sql, [org, ...values])).rows.map(recordIn<T>),
      { readOnly: true },
    );

  /** Makes a change and audits it, atomically. */
  async function changing<T>(
    act: (client: PoolClient, tell: (deed: AuditedDeed) => Promise<void>) => Promise<T>,
    timeout?: number,
  ): Promise<T> {
    const attempt = (): Promise<T> =>
      inOrganisation(database, org, (client) => act(client, (deed) => tell(client, deed)), {
        timeout,
      });
    try {
      return await attempt();
    } catch (error) {
      if (codeOf(error) !== NO_DAY) throw error;
      await inOrganisation(database, org, (client) =>
        client.query("SELECT unrut.make_day((now() AT TIME ZONE 'UTC')::date)"),
      );
      return attempt();
    }
  }

  async function tell(
    client: PoolClient,
    { actor, action, project, target, data = {} }: AuditedDeed,
  ): Promise<void> {
    await client.query(
      'INSERT INTO unrut.audit (org, project, actor, action, target, data) VALUES ($1, $2, $3, $4, $5, $6)',
      [...[org, project ?? null, actor, action, target ?? null], JSON.stringify(data)],
    );
  }

  return {
    async organisation() {
      const sql =
        "SELECT org, name, settings - 'fingerprintKey' AS settings FROM unrut.organisations WHERE org = $1";
      return (await ask<Organisation>(sql))[0] ?? { org, name: '', settings: {} };
    },
    change: (settings, actor) =>
      changing(async (client, tell) => {
        await client.query(CHANGE, [org, JSON.stringify(settings)]);
        await tell({ actor, action: 'organisation-changed', data: { settings } });
      }),
    projects: () =>
      ask<Project>(
        'SELECT project, name, settings, created FROM unrut.projects WHERE org = $1 ORDER BY project',
      ),
    addProject: (name, settings, actor) =>
      changing(async (client, tell) => {
        const { rows } = await client.query(
          `INSERT INTO unrut.projects (org, name, settings) VALUES ($1, $2, $3) RETURNING project, name, settings, created`,
          [org, name, JSON.stringify(settings)],
        );
        const added = recordIn<Project>(rows[0]);
        await tell({
          actor,
          action: 'project-added',
          project: added.project,
          target: name,
          data: { settings },
        });
        return added;
      }).catch((error) => {
        if (error.code === UNIQUE) return undefined;
        throw error;
      }),
    changeProject: (project, settings, actor) =>
      changing(async (client, tell) => {
        const { rowCount } = await client.query(
          'UPDATE unrut.projects SET settings = $3 WHERE org = $1 AND project = $2',
          [...[org, project], JSON.stringify(settings)],
        );
        if (rowCount) await tell({ actor, action: 'project-changed', project, data: { settings } });
        return rowCount === 1;
      }),
    keys: () => ask<OrganisationKey>(`${KEYS} WHERE org = $1 ORDER BY created, id`),
    addKey: ({ id, name, hash, scopes, created, expires, project, person, quota }, actor) =>
      changing(async (client, tell) => {
        await client.query(
          `INSERT INTO unrut.api_keys (id, org, project, person, name, hash, scopes, created, expires, quota)
           VALUES ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8 / 1000.0), to_timestamp($9 / 1000.0), $10)`,
          [
            ...[
              id,
              org,
              project ?? null,
              person ?? null,
              name,
              hash,
              [...scopes],
              created,
              expires ?? null,
            ],
            quota === undefined ? null : JSON.stringify(quota),
          ],
        );
        await tell({ actor, action: 'key-added', project, target: id, data: { name, scopes } });
      }),
    revokeKey: (id, at, actor) =>
      changing(async (client, tell) => {
        const { rows } = await client.query<{ project: number | null }>(
          'UPDATE unrut.api_keys SET revoked = to_timestamp($3 / 1000.0) WHERE org = $1 AND id = $2 AND revoked IS NULL RETURNING project',
          [org, id, at],
        );
        const [row] = rows;
        if (row)
          await tell({
            actor,
            action: 'key-revoked',
            project: row.project ?? undefined,
            target: id,
          });
        return row !== undefined;
      }),
    keyUsed: (id, at) =>
      inOrganisation(database, org, async (client) => {
        await client.query(
          'UPDATE unrut.api_keys SET last_used = to_timestamp($3 / 1000.0) WHERE org = $1 AND id = $2',
          [org, id, at],
        );
      }),
    people: () => ask<Person>(`${PEOPLE} WHERE p.org = $1 ORDER BY p.person`),
    person: async (person) =>
      (await ask<Person>(`${PEOPLE} WHERE p.org = $1 AND p.person = $2`, person))[0],
    setRole: (person, project, role, actor) =>
      changing(async (client, tell) => {
        await client.query(
          'INSERT INTO unrut.people (org, person) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          [org, person],
        );
        if (role === undefined)
          await client.query(
            'DELETE FROM unrut.memberships WHERE org = $1 AND project = $2 AND person = $3',
            [org, project, person],
          );
        else
          await client.query(
            `INSERT INTO unrut.memberships (org, project, person, role) VALUES ($1, $2, $3, $4)
             ON CONFLICT (org, project, person) DO UPDATE SET role = excluded.role`,
            [org, project, person, role],
          );
        await tell({
          actor,
          action: 'role-set',
          project,
          target: person,
          data: { role: role ?? null },
        });
      }),
    forgetPerson: (person, actor) =>
      changing(async (client, tell) => {
        const sessions = await forgetSessions(client, 'org = $1 AND person = $2', [org, person]);
        for (const table of ['sign_ins', 'memberships', 'people'])
          await client.query(`DELETE FROM unrut.${table} WHERE org = $1 AND person = $2`, [
            org,
            person,
          ]);
        await client.query(
          `UPDATE unrut.api_keys SET revoked = coalesce(revoked, now()), person = NULL, name = '' WHERE org = $1 AND person = $2`,
          [org, person],
        );
        // The caller already knows the name.
        await tell({
          actor,
          action: 'person-forgotten',
          target: hash64(person),
          data: { sessions },
        });
        return sessions;
      }, PATIENCE),
    deleteProject: (project, actor) =>
      changing(async (client, tell) => {
        await orderForgetting(client, org, project);
        if (project === DEFAULT_PROJECT)
          return tell({ actor, action: 'project-forgotten', project });
        for (const sql of DELETE_PROJECT) await client.query(sql, [org, project]);
        const { rows } = await client.query<{ name: string }>(
          'DELETE FROM unrut.projects WHERE org = $1 AND project = $2 RETURNING name',
          [org, project],
        );
        await tell({ actor, action: 'project-deleted', project, target: rows[0]?.name });
      }),
    forgetSession: (session, project, actor) =>
      changing(async (client, tell) => {
        const named = 'org = $1 AND session = $2 AND project = $3';
        const found = await forgetSessions(client, named, [org, session, project]);
        if (found > 0)
          await tell({ actor, action: 'session-forgotten', project, target: hash64(session) });
        return found > 0;
      }, PATIENCE),
    sessionPlaces: (session) =>
      ask<SessionPlace>(
        'SELECT project, person FROM unrut.sessions WHERE org = $1 AND session = $2 ORDER BY last DESC',
        session,
      ),
    async ruledSessions(sessions) {
      const rows = await ask<{ session: string; project: number }>(
        `SELECT s.session, ${projectOfState('s')} AS project FROM unrut.states s
          WHERE s.org = $1 AND s.session = ANY ($2) AND (s.ruled OR s.project = 0) ORDER BY s.touched`,
        [...sessions],
      );
      return new Map(rows.map(({ session, project }) => [session, project]));
    },
    audited: (deed) => changing((_, tell) => tell(deed)),
    audit: ({ since, before, limit, projects }) =>
      ask<AuditEntry>(
        `SELECT id, at, project, actor, action, target, data FROM unrut.audit
         WHERE org = $1 AND at >= to_timestamp($2 / 1000.0)
           AND ($3::float8 IS NULL OR (date_trunc('milliseconds', at), id) < (to_timestamp($3 / 1000.0), $4::uuid))
           AND ($5::integer[] IS NULL OR project = ANY ($5))
         ORDER BY date_trunc('milliseconds', at) DESC, id DESC LIMIT $6`,
        ...[since ?? 0, before?.at ?? null, before?.id ?? null, projects ?? null, limit],
      ),
    addSignIn: (token, { person, groups, csrf, expires }, { name, email }) =>
      changing(async (client, tell) => {
        await client.query('DELETE FROM unrut.sign_ins WHERE org = $1 AND expires < now()', [org]);
        await client.query(
          `INSERT INTO unrut.people (org, person, name, email, seen) VALUES ($1, $2, $3, $4, now())
           ON CONFLICT (org, person) DO UPDATE SET name = excluded.name, email = excluded.email, seen = now()`,
          [org, person, name ?? null, email ?? null],
        );
        await client.query(
          'INSERT INTO unrut.sign_ins (token, org, person, groups, csrf, expires) VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0))',
          [token, org, person, [...groups], csrf, expires],
        );
        await tell({ actor: `person:${person}`, action: 'signed-in' });
      }),
    endSignIn: (token, actor) =>
      changing(async (client, tell) => {
        const { rowCount } = await client.query(
          'DELETE FROM unrut.sign_ins WHERE org = $1 AND token = $2',
          [org, token],
        );
        if (rowCount) await tell({ actor, action: 'signed-out' });
      }),
    async today(project) {
      const [row] = await ask<{ sessions: number }>(
        `SELECT count(*)::integer AS sessions FROM unrut.sessions WHERE org = $1 AND last >= date_trunc('day', now(), 'UTC')
           AND first >= date_trunc('day', now(), 'UTC') AND ($2::integer IS NULL OR project = $2)`,
        project ?? null,
      );
      return { sessions: row?.sessions ?? 0 };
    },
    fingerprintKey: async (secret) => (await fingerprintKey(database, org, secret)) ?? '',
  };
}
