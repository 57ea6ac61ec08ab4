import { beforeAll, describe, expect, test } from 'vitest';
import type { Operation } from '../../packages/server/src/route/open-api.ts';
import { documentOf } from '../../packages/server/src/routes.ts';
import { lookup } from '../server/lookup.ts';
import { type Answer, ask } from '../server/request.ts';
import { query } from './databases.ts';
import { type OrganisationServer, organisationServer, SECRET } from './organisation-server.ts';
import { addOrganisation } from './organisations.ts';

/** The keys of each of two organisations. */
const KEYS = {
  viewer: { scopes: ['read'], in: 'shop' },
  member: { scopes: ['ingest', 'read'], in: 'shop' },
  sender: { scopes: ['ingest'], in: 'shop' },
  admin: { scopes: ['admin'], in: 'shop' },
  organisation: { scopes: ['admin'], in: undefined },
} as const;
type KeyName = keyof typeof KEYS;

/** The keys that may perform an operation, by its required role. */
const MAY: Record<string, readonly KeyName[]> = {
  viewer: ['viewer', 'member', 'admin', 'organisation'],
  member: ['member', 'sender', 'admin', 'organisation'],
  admin: ['admin', 'organisation'],
  'organisation-admin': ['organisation'],
  anybody: ['viewer', 'member', 'sender', 'admin', 'organisation'],
};
/** The list of projects has the names of those that a key is for. */
const MAY_OPERATION: Record<string, readonly KeyName[]> = { listProjects: MAY.anybody! };

/** Bodies that an operation takes; others take an empty object. */
const BODIES: Record<string, (n: number) => unknown> = {
  postEvents: (n) => ({
    type: 'user-spoke',
    session: 'mine',
    at: 1_794_800_000_000 + n,
    id: `isolation-${n}`,
  }),
  postHook: () => ({
    session_id: 'hooked',
    cwd: '/home/dev/project',
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Hello',
  }),
  act: () => ({ session: 'equal', act: 'on' }),
  addProject: (n) => ({ name: `project-${n}` }),
  changeProject: () => ({ visibility: 'all' }),
  addKey: () => ({ scopes: ['read'], project: 'shop' }),
  setRole: () => ({ person: 'somebody', role: 'viewer', project: 'shop' }),
  forgetSession: () => ({ session: 'nothing-like-it' }),
  changeOrganisation: () => ({}),
};

/** The same id, with another end. */
const wrongSecret = (key: string): string => key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

const operations = Object.entries(documentOf('0', true).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: operation as Operation,
  })),
);

describe('two organisations on one server', () => {
  let server: OrganisationServer;
  const orgs: { org: number; keys: Record<KeyName, string>; secret: string }[] = [];
  const asked: Answer[] = [];

  const request = async (
    path: string,
    bearer: string,
    method = 'GET',
    body?: unknown,
  ): Promise<Answer> => {
    const answer = await ask(server.url + path, {
      method,
      headers: bearer === '' ? {} : { authorization: `Bearer ${bearer}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    asked.push(answer);
    return answer;
  };

  beforeAll(async () => {
    server = await organisationServer({}, { token: undefined });
    for (const name of ['default', 'other']) {
      const org = name === 'default' ? 1 : await addOrganisation(server.database.owner, name);
      const store = server.organisations.of(org);
      const shop = (await store.addProject('shop', {}, 'test'))!.project;
      const keys = {} as Record<KeyName, string>;
      for (const [key, { scopes, in: project }] of Object.entries(KEYS))
        keys[key as KeyName] = await server.addKey(org, {
          scopes: [...scopes],
          ...(project ? { project: shop } : {}),
        });
      const secret = `word-of-${name}`;
      orgs.push({ org, keys, secret });
      // The same session in both, with something that only one of them may know.
      const events = Array.from({ length: 5 }, (_, i) => ({
        ...lookup(i, { session: 'equal' }),
        call: { id: `c${i}`, tool: secret, args: { q: 1 } },
        origin: { host: secret, person: `person-${name}` },
      }));
      const { status, text } = await request('/v1/events', keys.member, 'POST', events);
      expect(status, text).toBe(200);
    }
  });

  let n = 0;
  // A project can be deleted only once: it has a test of its own.
  test.each(operations.filter(({ operation }) => operation.operationId !== 'deleteProject'))(
    '$method $path: who may, by role and organisation',
    async ({ path, method, operation }) => {
      const id = operation.operationId;
      const allowed = MAY_OPERATION[id] ?? MAY[operation['x-role'] ?? 'anybody']!;
      const where = path
        .replace('{agent}', 'claude-code')
        .replace('{name}', 'shop')
        .replace('{person}', 'nobody-like-that')
        .replace('{id}', path.includes('keys') ? '000000000000' : 'equal');
      const isOpen = operation.security?.length === 0;
      for (const [i, { keys }] of orgs.entries()) {
        const foreign = orgs[1 - i]!.secret;
        for (const name of Object.keys(KEYS) as KeyName[]) {
          const body = method === 'POST' ? (BODIES[id]?.(++n) ?? {}) : undefined;
          const { status, text } = await request(
            where,
            keys[name],
            path === '/v1/stream' ? 'HEAD' : method,
            body,
          );
          const about = `${name} of ${i}: ${status} ${text.slice(0, 200)}`;
          if (isOpen || allowed.includes(name))
            expect([401, 403, 405, 500], about).not.toContain(id === 'signedIn' ? 0 : status);
          else expect(status, about).toBe(403);
          // No data of the other organisation, in any answer.
          expect(text, about).not.toContain(foreign);
        }
      }
      // Without a key, or with an unknown one, nothing is revealed.
      for (const bearer of [
        '',
        'unrut_000000000000_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
        wrongSecret(orgs[0]!.keys.admin),
      ]) {
        const { status, text } = await request(
          where,
          bearer,
          path === '/v1/stream' ? 'HEAD' : method,
          method === 'POST' ? {} : undefined,
        );
        if (!isOpen) expect([status, text.includes('word-of')], bearer).toEqual([401, false]);
      }
    },
  );

  test('DELETE /v1/projects/{name}: only an admin there, and nobody elsewhere', async () => {
    const [one, other] = orgs as [(typeof orgs)[0], (typeof orgs)[0]];
    const store = server.organisations.of(one.org);
    for (const name of ['spare', 'spare-2']) {
      const { project } = (await store.addProject(name, {}, 'test'))!;
      const own = await server.addKey(one.org, { scopes: ['admin'], project });
      const member = await server.addKey(one.org, { scopes: ['ingest', 'read'], project });
      const remove = async (bearer: string) =>
        (await request(`/v1/projects/${name}`, bearer, 'DELETE')).status;
      for (const bearer of [member, one.keys.admin, one.keys.viewer, other.keys.organisation])
        expect(await remove(bearer)).toBe(403);
      expect(await remove('')).toBe(401);
      expect(await remove(name === 'spare' ? own : one.keys.organisation)).toBe(200);
    }
    expect((await store.projects()).map(({ name }) => name)).toEqual(
      expect.not.arrayContaining(['spare', 'spare-2']),
    );
  });

  test('have the same session each for itself', async () => {
    for (const { keys, secret } of orgs) {
      const { text } = await request('/v1/sessions/equal', keys.admin);
      const { session, total } = JSON.parse(text);
      expect([session.host, session.steps, total]).toEqual([secret, 5, 5]);
    }
  });

  test('cannot name what belongs to the other: keys, projects', async () => {
    const [one, other] = orgs as [(typeof orgs)[0], (typeof orgs)[0]];
    const mine = await server.addKey(one.org, { scopes: ['read'] });
    const [, id] = mine.split('_');
    expect((await request(`/v1/keys/${id}`, other.keys.organisation, 'DELETE')).status).toBe(404);
    expect((await request('/v1/sessions', mine)).status).toBe(200);
    await server.organisations.of(one.org).addProject('only-here', {}, 'test');
    const [there, nowhere] = await Promise.all(
      ['only-here', 'no-such'].map((name) =>
        request(`/v1/sessions?project=${name}`, other.keys.admin),
      ),
    );
    expect([there!.status, there!.text]).toEqual([403, nowhere!.text]);
  });

  test('see no row of any table without an organisation, in SQL', async () => {
    const tables = await query<{ name: string }>(
      server.database.superuser,
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org'
       WHERE c.relnamespace = 'unrut'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'states',
        'sessions',
        'events',
        'findings',
        'api_keys',
        'audit',
        'sign_ins',
      ]),
    );
    const filled = new Set<string>();
    for (const { name } of tables) {
      const [all] = await query<{ count: number }>(
        server.database.superuser,
        `SELECT count(*)::int AS count FROM unrut.${name}`,
      );
      if (all!.count > 0) filled.add(name);
      expect([name, await query(server.database.server, `SELECT org FROM unrut.${name}`)]).toEqual([
        name,
        [],
      ]);
      for (const { org } of orgs) {
        const seen = await query<{ org: number }>(
          server.database.server,
          `SELECT DISTINCT t.org FROM (SELECT set_config('unrut.org', '${org}', false)) s, LATERAL (SELECT org FROM unrut.${name} WHERE s IS NOT NULL) t`,
        );
        expect([name, seen.filter((row) => row.org !== org)]).toEqual([name, []]);
      }
    }
    // Or nothing would be shown by it.
    expect([...filled]).toEqual(
      expect.arrayContaining([
        'states',
        'sessions',
        'events',
        'organisations',
        'projects',
        'api_keys',
        'audit',
      ]),
    );
  });

  test('have refusals written down, each in its own audit', async () => {
    for (const [i, { keys }] of orgs.entries()) {
      const { text } = await request('/v1/audit?limit=1000', keys.organisation);
      const { audit } = JSON.parse(text) as {
        audit: { action: string; actor: string; target: string }[];
      };
      const refusals = audit.filter(({ action }) => action === 'refused');
      const [, viewer] = keys.viewer.split('_');
      expect(refusals).toContainEqual(
        expect.objectContaining({ actor: `key:${viewer}`, target: 'POST /v1/events' }),
      );
      const [, stranger] = orgs[1 - i]!.keys.viewer.split('_');
      expect(text).not.toContain(stranger);
    }
    const [, known] = orgs[0]!.keys.admin.split('_');
    const { text } = await request('/v1/audit?limit=1000', orgs[0]!.keys.organisation);
    expect(JSON.parse(text).audit).toContainEqual(
      expect.objectContaining({ actor: `key:${known}`, action: 'refused', target: 'wrong-secret' }),
    );
  });

  test('tell no key and no secret in an answer, a metric, an error or the log', async () => {
    await request('/metrics', orgs[0]!.keys.organisation);
    const shown = [
      ...asked.map(({ text, headers }) => text + JSON.stringify(headers)),
      ...server.log,
    ].join('\n');
    const secrets = orgs
      .flatMap(({ keys }) => Object.values(keys))
      .map((key) => key.replace(/^unrut_[^_]+_/, ''));
    for (const secret of [...secrets, SECRET]) expect(shown.includes(secret)).toBe(false);
    expect(server.log.length).toBeGreaterThan(0);
  });
});
