import type { Incident } from '@unrut/ledger/incidents/incident';
import { openPostgres, type Postgres } from '@unrut/postgres';
import { findAllIncidents } from '@unrut/postgres/jobs/run-jobs';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { DEAD_SERVICE, failingEvents, testIncidents } from '@unrut/test/suites/test-incidents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOOPING } from '../hosts/looping-host.ts';
import { ask } from '../server/request.ts';
import { query, type TestDatabase } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';
import { startFleetServer } from './servers.ts';

const claude = LOOPING['claude-code'];

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await sharedDatabases().newDatabase();
  postgres = openPostgres({ url: database.server });
});

afterAll(() => postgres.close());

const newOrganisation = async (): Promise<number> => {
  const sql = 'INSERT INTO unrut.organisations (name) VALUES (gen_random_uuid()) RETURNING org';
  return (await query<{ org: number }>(database.superuser, sql))[0]!.org;
};

/** A server leaves the job alone that was done a moment ago. */
const makeDue = (org: number): Promise<object[]> =>
  query(database.superuser, 'UPDATE unrut.jobs SET due = now() WHERE org = $1', [org]);

describe('incidents in Postgres', () => {
  const cases = testIncidents(async (now) => {
    const org = await newOrganisation();
    const ledger = postgres.ledger({ org });
    const { incidents } = ledger;
    return {
      ledger: {
        ...ledger,
        incidents: {
          ...incidents!,
          async look(at) {
            await makeDue(org);
            await incidents!.look(at);
          },
        },
      },
      reports: createPostgresReports({ connections: postgres.reads, org, now }),
      async close() {},
    };
  });
  for (const { name, run } of cases) test(name, run);
});

describe('incidents on a server for organisations', () => {
  let server: OrganisationServer;
  let found: Postgres;
  const keys = { admin: '', shop: '', shopAdmin: '', pay: '', other: '' };

  const request = async (key: string, path: string, body?: object) => {
    const { status, text } = await ask(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status, answer: JSON.parse(text) };
  };
  const incidentsOf = async (key: string, search = ''): Promise<Incident[]> =>
    (await request(key, `/v1/incidents${search}`)).answer.incidents;
  const fail = async (key: string, names: readonly string[]): Promise<void> => {
    for (const name of names)
      await request(key, '/v1/events', failingEvents(name, DEAD_SERVICE, Date.now()));
  };

  beforeAll(async () => {
    server = await organisationServer();
    found = openPostgres({ url: server.database.server });
    const store = server.organisations.of(1);
    const shop = (await store.addProject('shop', {}, 'test'))!.project;
    const pay = (await store.addProject('pay', {}, 'test'))!.project;
    const [{ org: other }] = (await query<{ org: number }>(
      server.database.superuser,
      "INSERT INTO unrut.organisations (name) VALUES ('other') RETURNING org",
    )) as [{ org: number }];
    keys.admin = await server.addKey(1, { scopes: ['admin'] });
    keys.shop = await server.addKey(1, { scopes: ['ingest', 'read'], project: shop });
    keys.shopAdmin = await server.addKey(1, { scopes: ['admin'], project: shop });
    keys.pay = await server.addKey(1, { scopes: ['admin'], project: pay });
    keys.other = await server.addKey(other, { scopes: ['admin'] });
    await fail(keys.shop, ['a', 'b', 'c']);
    // Equal names in another project; and too few in another organisation.
    await fail(keys.pay, ['a', 'b', 'c', 'd']);
    await fail(keys.other, ['a', 'b']);
    await findAllIncidents(found.database);
  });

  afterAll(() => found.close());

  test('each project has its own, and sees no other', async () => {
    const [shop, ...more] = await incidentsOf(keys.shop);
    expect([more, shop]).toEqual([[], expect.objectContaining({ project: 'shop', sessions: 3 })]);
    expect(await incidentsOf(keys.pay)).toMatchObject([{ project: 'pay', sessions: 4 }]);
    expect(await incidentsOf(keys.other)).toEqual([]);
    expect(await incidentsOf(keys.admin)).toHaveLength(2);
    // The pulse ends now, so it is another one each time.
    expect(await incidentsOf(keys.admin, '?project=shop')).toEqual([
      { ...shop, pulse: expect.any(Array) },
    ]);
    for (const key of [keys.pay, keys.other]) {
      expect((await request(key, `/v1/incidents/${shop!.id}`)).status).toBe(404);
      const { answer } = await request(key, `/v1/sessions?incident=${shop!.id}`);
      expect(answer.sessions).toEqual([]);
    }
    const { answer } = await request(keys.shop, `/v1/incidents/${shop!.id}`);
    expect(answer).toMatchObject({ total: 3, sessions: [{}, {}, {}] });
    expect(JSON.stringify(answer)).not.toContain('"pay"');
  });

  test('only admins of its project act on it, and it is written down', async () => {
    const [shop] = (await incidentsOf(keys.shop)) as [Incident];
    const order = { act: 'acknowledge' };
    const path = `/v1/incidents/${shop.id}`;
    expect((await request(keys.shop, path, order)).status).toBe(403);
    for (const key of [keys.pay, keys.other])
      expect((await request(key, path, order)).status).toBe(404);
    expect((await request(keys.shopAdmin, path, { act: 'note' })).status).toBe(400);
    const by = `key:${keys.shopAdmin.split('_')[1]}`;
    expect(await request(keys.shopAdmin, path, order)).toMatchObject({
      status: 200,
      answer: { text: 'Acknowledged.', incident: { state: 'acknowledged', acknowledged: { by } } },
    });
    const { answer } = await request(keys.admin, '/v1/audit?limit=1000');
    expect(answer.audit).toContainEqual(
      expect.objectContaining({ actor: by, action: 'incident-acknowledge', target: shop.id }),
    );
    // What is told to its agents reaches those of its project alone, on any server.
    const hooks = (key: string, session: string) =>
      request(key, '/v1/hooks/claude-code', { ...claude.before(1), session_id: session });
    for (const key of [keys.shop, keys.pay])
      for (const name of ['a', 'b', 'c']) await hooks(key, name);
    const message = { act: 'tell', text: 'Do other work.' };
    expect((await request(keys.shop, path, message)).status).toBe(403);
    for (const key of [keys.pay, keys.other])
      expect((await request(key, path, message)).status).toBe(404);
    expect(await request(keys.shopAdmin, path, message)).toMatchObject({
      status: 200,
      answer: { text: '3 agents will read it with the next result.' },
    });
    const hear = async (key: string) => {
      const payload = { ...claude.before(2), session_id: 'a' };
      const { answer } = await request(key, '/v1/hooks/claude-code', payload);
      return JSON.stringify(answer).includes('Do other work.');
    };
    expect([await hear(keys.pay), await hear(keys.shop), await hear(keys.shop)]).toEqual([
      ...[false, true, false],
    ]);
    const { answer: after } = await request(keys.admin, '/v1/audit?limit=1000');
    expect(after.audit).toContainEqual(
      expect.objectContaining({ actor: by, action: 'incident-tell', target: shop.id }),
    );
    // The other project's incident is unchanged.
    expect(await incidentsOf(keys.pay)).toMatchObject([{ state: 'open' }]);
  });
});

test('servers that are killed lose no incident, and open none twice', async () => {
  const { server: ledger, superuser } = await sharedDatabases().newDatabase();
  const servers = [await startFleetServer({ ledger }), await startFleetServer({ ledger })];
  const CAUSES = 12;
  for (let cause = 0; cause < CAUSES; cause++)
    for (let i = 0; i < 3; i++) {
      const target = servers[(cause + i) % 2]!;
      const url = `https://service-${cause}.example/`;
      const call = { ...DEAD_SERVICE, args: { method: 'GET', url }, error: '503 Bad' };
      const events = failingEvents(`agent-${cause}-${i}`, call, Date.now());
      const { status } = await ask(`${target.url}/v1/events`, { body: JSON.stringify(events) });
      expect(status).toBe(200);
      if (i === 2 && cause % 3 === 0) {
        await target.kill();
        await target.restart();
      }
    }
  const rows = async () =>
    query<{ target: string; sessions: number; opened: string }>(
      superuser,
      `SELECT i.target, i.sessions, (SELECT count(*) FROM unrut.incident_changes c
        WHERE c.incident = i.id AND c.change = 'opened') AS opened FROM unrut.incidents i ORDER BY length(target), target`,
    );
  await expect.poll(rows, { timeout: 30_000, interval: 200 }).toEqual(
    Array.from({ length: CAUSES }, (_, cause) => ({
      target: `service-${cause}.example`,
      sessions: 3,
      opened: '1',
    })),
  );
});
