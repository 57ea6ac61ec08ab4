import { runJobs } from '@unrut/postgres/jobs/run-jobs';
import { openPostgres } from '@unrut/postgres/open-postgres';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { lookup } from '../server/lookup.ts';
import { ask } from '../server/request.ts';
import { query } from './databases.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';
import { runCommand } from './run-command.ts';

/** Asks with a key. */
const asking =
  (server: OrganisationServer) => (bearer: string, method: string, path: string, body?: unknown) =>
    ask(server.url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

describe('projects of an organisation', () => {
  let server: OrganisationServer;
  let request: ReturnType<typeof asking>;
  const keys = { all: '', admin: '', shop: '', tools: '', pay: '', ada: '', bob: '' };
  const numbers = { shop: 0, tools: 0, pay: 0 };

  const events = (session: string, origin: object = {}, count = 3) =>
    Array.from({ length: count }, (_, i) => ({ ...lookup(i, { session }), origin }));
  const sessionsOf = async (key: string, search = ''): Promise<string[]> => {
    const { status, text } = await request(key, 'GET', `/v1/sessions${search}`);
    expect(status, text).toBe(200);
    return (JSON.parse(text).sessions as { session: string }[])
      .map(({ session }) => session)
      .sort();
  };

  beforeAll(async () => {
    server = await organisationServer();
    request = asking(server);
    const store = server.organisations.of(1);
    numbers.shop = (await store.addProject('shop', { repo: 'shop-front' }, 'test'))!.project;
    numbers.tools = (await store.addProject(
      'tools',
      { folder: 'scripts', visibility: 'own' },
      'test',
    ))!.project;
    numbers.pay = (await store.addProject('pay', {}, 'test'))!.project;
    keys.pay = await server.addKey(1, { scopes: ['ingest', 'read'], project: numbers.pay });
    keys.all = await server.addKey(1, { scopes: ['ingest', 'read'] });
    keys.admin = await server.addKey(1, { scopes: ['admin'], name: 'of the admins' });
    keys.shop = await server.addKey(1, { scopes: ['ingest', 'read'], project: numbers.shop });
    keys.tools = await server.addKey(1, { scopes: ['ingest', 'read'], project: numbers.tools });
    for (const person of ['ada', 'bob'] as const)
      keys[person] = await server.addKey(1, {
        scopes: ['ingest', 'read'],
        project: numbers.tools,
        person,
      });
  });

  test('have the sessions of their keys, and those that their rules name', async () => {
    for (const [key, session, origin] of [
      [keys.shop, 'by-key', { repo: 'other' }],
      [keys.all, 'by-rule', { repo: 'shop-front' }],
      [keys.all, 'by-none', { repo: 'other' }],
    ] as const)
      expect((await request(key, 'POST', '/v1/events', events(session, origin))).status).toBe(200);
    expect(
      (await request(keys.all, 'POST', '/v1/events?project=tools', events('by-name'))).status,
    ).toBe(200);
    expect(await sessionsOf(keys.shop)).toEqual(['by-key', 'by-rule']);
    expect(await sessionsOf(keys.admin)).toEqual(['by-key', 'by-name', 'by-none', 'by-rule']);
    expect(await sessionsOf(keys.all, '?project=default')).toEqual(['by-none']);
    expect(await sessionsOf(keys.admin, '?project=tools')).toEqual(['by-name']);
  });

  test('do not see, or reach, what is in another', async () => {
    for (const path of ['/v1/sessions/by-none'])
      expect((await request(keys.shop, 'GET', path)).status).toBe(404);
    expect((await request(keys.shop, 'GET', '/v1/sessions?project=default')).status).toBe(403);
    expect(
      (await request(keys.shop, 'POST', '/v1/events?project=default', events('x'))).status,
    ).toBe(403);
    const { text } = await request(keys.shop, 'GET', '/v1/signals?limit=500');
    expect(text).not.toContain('by-none');
    // Naming a session of another project does not bring it here.
    expect(
      (
        await request(
          keys.tools,
          'POST',
          '/v1/events',
          events('by-key', {}, 1).map((event) => ({ ...event, id: 'taken' })),
        )
      ).status,
    ).toBe(200);
    expect(await sessionsOf(keys.shop)).toContain('by-key');
    const theirs = JSON.parse((await request(keys.shop, 'GET', '/v1/sessions/by-key')).text);
    expect([theirs.session.project, theirs.total]).toEqual(['shop', 3]);
    const own = JSON.parse(
      (await request(keys.admin, 'GET', '/v1/sessions/by-key?project=tools')).text,
    );
    expect(own.session.project).toBe('tools');
    await request(keys.admin, 'POST', '/v1/forget?project=tools', { session: 'by-key' });
    expect(await sessionsOf(keys.shop)).toContain('by-key');
  });

  test('use the same session names without knowing of each other', async () => {
    const { pay } = keys;
    const word = 'deploy --of-customer-42';
    const failing = (i: number, tool: string) => ({
      ...lookup(i, { session: 'run-1' }),
      id: `run-1-${i}`,
      call: { id: `c${i}`, tool, args: { q: 1 } },
      result: undefined,
      error: 'secret failure of shop',
    });
    const post = async (key: string, body: unknown, search = '') => {
      const { status, text } = await request(key, 'POST', `/v1/events${search}`, body);
      expect(status, text).toBe(200);
      return { text, verdicts: JSON.parse(text).verdicts };
    };
    const shop = [0, 1, 2, 3].map((i) => failing(i, word));
    expect((await post(keys.shop, shop)).text).toContain('signals":[{');
    // The first event of another project, with an id that the first one has used.
    const { text, verdicts } = await post(pay, [failing(3, 'build')]);
    expect(text).not.toContain('shop');
    expect(text).not.toContain('customer');
    expect(verdicts[0]).toMatchObject({ signals: [], plan: null, step: 0 });
    expect(verdicts[0].repeated).toBeUndefined();
    // A session of the same name in another project does not end it.
    await post(pay, { type: 'user-spoke', session: 'run-1', at: shop[3]!.at + 1, id: 'u' });
    const more = await post(keys.shop, [failing(4, word)]);
    expect(more.verdicts[0].signals.length).toBeGreaterThan(0);
    const seen = async (key: string, search = '') => {
      const { status, text } = await request(key, 'GET', `/v1/sessions/run-1${search}`);
      expect(status, text).toBe(200);
      const { session, total, moments } = JSON.parse(text);
      return [session.project, session.steps, total, JSON.stringify(moments).includes('customer')];
    };
    expect(await seen(keys.shop)).toEqual(['shop', 5, 5, true]);
    expect(await seen(pay, '')).toEqual(['pay', 1, 2, false]);
    expect(await seen(keys.admin, '?project=shop')).toEqual(['shop', 5, 5, true]);
    expect(await seen(keys.admin, '?project=pay')).toEqual(['pay', 1, 2, false]);
    for (const [key, project] of [
      [keys.shop, 'pay'],
      [pay, 'shop'],
    ] as const) {
      expect((await request(key, 'GET', `/v1/sessions/run-1?project=${project}`)).status).toBe(403);
      expect(
        (await request(key, 'POST', `/v1/events?project=${project}`, [failing(9, 'x')])).status,
      ).toBe(403);
    }
    // A sender who may report to all projects: the repository decides, and the session stays there.
    await post(keys.all, [{ ...failing(5, word), origin: { repo: 'shop-front' } }]);
    await post(keys.all, [failing(6, word)]);
    await post(keys.all, [failing(6, word)], '?project=default');
    expect(await seen(keys.shop)).toEqual(['shop', 7, 7, true]);
    expect(await seen(keys.admin, '?project=default')).toEqual(['default', 1, 1, true]);
    // One is forgotten, and the others stay.
    await request(keys.admin, 'POST', '/v1/forget?project=default', { session: 'run-1' });
    await request(keys.admin, 'POST', '/v1/forget?project=pay', { session: 'run-1' });
    expect(await seen(keys.shop)).toEqual(['shop', 7, 7, true]);
    expect((await request(pay, 'GET', '/v1/sessions/run-1')).status).toBe(404);
  });

  test('can keep sessions to those whose they are', async () => {
    for (const person of ['ada', 'bob'] as const)
      expect(
        (
          await request(
            keys[person],
            'POST',
            '/v1/events',
            events(`of-${person}`, { person: 'somebody-else' }),
          )
        ).status,
      ).toBe(200);
    // The owner of the key owns the session.
    const people = await query<{ session: string; person: string }>(
      server.database.superuser,
      "SELECT session, person FROM unrut.sessions WHERE session LIKE 'of-%' ORDER BY 1",
    );
    expect(people).toEqual([
      { session: 'of-ada', person: 'ada' },
      { session: 'of-bob', person: 'bob' },
    ]);
    const seen = await request(keys.ada, 'GET', '/v1/sessions');
    expect(seen.text).toContain('of-ada');
    expect(seen.text).not.toContain('of-bob');
    // Nor can it be found out by a search.
    expect(await sessionsOf(keys.ada, '?search=of-')).toEqual(['of-ada']);
    expect((await request(keys.ada, 'GET', '/v1/sessions/of-bob')).status).toBe(404);
    expect((await request(keys.admin, 'GET', '/v1/sessions/of-bob')).status).toBe(200);
    // The audit shows who has opened it.
    const { text } = await request(keys.admin, 'GET', '/v1/audit');
    const [, id] = keys.admin.split('_');
    expect(JSON.parse(text).audit).toContainEqual(
      expect.objectContaining({
        actor: `key:${id}`,
        key: 'of the admins',
        action: 'session-opened',
        target: 'of-bob',
        project: 'tools',
        data: { of: 'bob' },
      }),
    );
  });

  test('hide names of their own sessions only, also where several are shown together', async () => {
    const store = server.organisations.of(1);
    await store.setRole('eve', numbers.shop, 'viewer', 'test');
    await store.setRole('eve', numbers.tools, 'viewer', 'test');
    const proxied = await organisationServer(
      { UNRUT_TRUSTED_PROXIES: '127.0.0.1' },
      { database: server.database },
    );
    const { text } = await ask(`${proxied.url}/v1/sessions`, {
      method: 'GET',
      headers: { 'x-forwarded-user': 'eve' },
    });
    const rows = JSON.parse(text).sessions as { session: string; project: string }[];
    expect(
      rows.filter(({ project }) => project === 'shop').map(({ session }) => session),
    ).toContain('by-key');
    const tools = rows.filter(({ project }) => project === 'tools');
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.filter(({ session }) => !session.startsWith('hidden-'))).toEqual([]);
  });

  test('are exported to those who may see them, and the audit says so', async () => {
    const exported = async (key: string): Promise<Set<string>> => {
      const { status, text } = await request(key, 'GET', '/v1/export');
      expect(status).toBe(200);
      const lines = text.split('\n').filter((line) => line !== '');
      return new Set(lines.map((line) => JSON.parse(line).session));
    };
    expect([...(await exported(keys.shop))].sort()).toEqual(await sessionsOf(keys.shop));
    expect([...(await exported(keys.admin))].sort()).toEqual(await sessionsOf(keys.admin));
    // In a project where people see only their own sessions, others are not exported.
    expect([...(await exported(keys.bob))]).not.toContain('of-ada');
    const { audit } = JSON.parse((await request(keys.admin, 'GET', '/v1/audit?limit=1000')).text);
    expect(audit.filter(({ action }: { action: string }) => action === 'exported')).toHaveLength(3);
  });

  test('forget a session, and a person, and keep that it was done', async () => {
    expect((await request(keys.shop, 'POST', '/v1/forget', { session: 'by-rule' })).status).toBe(
      403,
    );
    expect((await request(keys.admin, 'POST', '/v1/forget', { session: 'by-rule' })).status).toBe(
      200,
    );
    expect((await request(keys.admin, 'POST', '/v1/forget', { session: 'by-rule' })).status).toBe(
      404,
    );
    expect(await sessionsOf(keys.shop)).not.toContain('by-rule');
    const forgotten = await request(keys.admin, 'DELETE', '/v1/people/bob');
    expect([forgotten.status, JSON.parse(forgotten.text)]).toEqual([200, { sessions: 1 }]);
    for (const table of ['states', 'sessions'])
      expect(
        await query(
          server.database.superuser,
          `SELECT FROM unrut.${table} WHERE session IN ('of-bob', 'by-rule')`,
        ),
      ).toEqual([]);
    for (const table of ['events', 'findings', 'pieces'])
      expect(
        await query(
          server.database.superuser,
          `SELECT FROM unrut.${table} t WHERE NOT EXISTS (SELECT FROM unrut.states s WHERE s.session_no = t.session_no)`,
        ),
      ).toEqual([]);
    const actions = (await server.organisations.of(1).audit({ limit: 200 })).map(
      ({ action }) => action,
    );
    expect(actions).toEqual(expect.arrayContaining(['session-forgotten', 'person-forgotten']));
    await vi.waitFor(
      async () => expect((await request(keys.bob, 'GET', '/v1/me')).status).toBe(401),
      { timeout: 60_000, interval: 200 },
    );
    // The session can begin again, on a server that had it in memory.
    expect((await request(keys.shop, 'POST', '/v1/events', events('by-rule', {}, 2))).status).toBe(
      200,
    );
    expect(
      JSON.parse((await request(keys.shop, 'GET', '/v1/sessions/by-rule')).text).session.steps,
    ).toBe(2);
  });

  const askDatabase = (sql: string) =>
    query<Record<string, unknown>>(server.database.superuser, sql);
  const sessionsIn = async (): Promise<string[]> =>
    (await askDatabase('SELECT session FROM unrut.sessions ORDER BY 1')).map(({ session }) =>
      String(session),
    );
  const doJobs = async (): Promise<void> => {
    // A server does not wait for the seconds in which others still accept the keys.
    await askDatabase("UPDATE unrut.jobs SET due = now() WHERE name LIKE 'forget-%'");
    const postgres = openPostgres({ url: server.database.server });
    await Promise.all([runJobs(postgres.database), runJobs(postgres.database)]);
    await postgres.close();
    expect(await askDatabase("SELECT FROM unrut.jobs WHERE name LIKE 'forget-%'")).toEqual([]);
  };

  test('are deleted with everything in them, and nothing else is', async () => {
    const name = 'short lived';
    const add = () => request(keys.admin, 'POST', '/v1/projects', { name });
    const store = server.organisations.of(1);
    expect((await add()).status).toBe(200);
    const { project } = (await store.projects()).find((each) => each.name === name)!;
    const key = await server.addKey(1, { scopes: ['ingest', 'read'], project });
    await store.setRole('cy', project, 'member', 'test');
    const before = await sessionsIn();
    for (const session of ['gone-1', 'gone-2'])
      expect((await request(key, 'POST', '/v1/events', events(session))).status).toBe(200);
    await doJobs();
    const figures = () => askDatabase(`SELECT FROM unrut.hours WHERE project = ${project}`);
    expect(await figures()).not.toEqual([]);

    const remove = (by: string) => request(by, 'DELETE', '/v1/projects/short%20lived');
    expect((await remove(key)).status).toBe(403);
    expect(JSON.parse((await remove(keys.admin)).text)).toEqual({
      done: false,
      text: 'Deleting short lived: its keys end within ten seconds, its sessions and figures go within minutes.',
    });
    expect((await remove(keys.admin)).status).toBe(403);
    expect((await store.projects()).map((each) => each.name)).not.toContain(name);
    expect((await store.person('cy'))?.roles).toEqual([]);
    const { keys: listed } = JSON.parse((await request(keys.admin, 'GET', '/v1/keys')).text);
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(key.split('_')[1]);
    expect(
      (await store.keys()).find(({ id }) => id === key.split('_')[1])?.revoked,
    ).toBeGreaterThan(0);

    // The name is free again, and the new project is another one.
    expect((await add()).status).toBe(200);
    const again = (await store.projects()).find((each) => each.name === name)!;
    const newKey = await server.addKey(1, { scopes: ['ingest', 'read'], project: again.project });
    expect((await request(newKey, 'POST', '/v1/events', events('stays'))).status).toBe(200);
    await doJobs();
    expect(await sessionsIn()).toEqual([...before, 'stays'].sort());
    expect(await figures()).toEqual([]);
    expect(
      (await store.audit({ limit: 200 })).filter(({ action }) => action === 'project-deleted'),
    ).toEqual([expect.objectContaining({ project, target: name })]);
  });

  test('the default project is emptied and stays, with the sessions that come later', async () => {
    const key = await server.addKey(1, { scopes: ['ingest', 'read'], project: 1 });
    expect((await request(key, 'POST', '/v1/events', events('emptied'))).status).toBe(200);
    expect((await request(keys.admin, 'DELETE', '/v1/projects/default')).status).toBe(200);
    expect((await request(key, 'POST', '/v1/events', events('later'))).status).toBe(200);
    await doJobs();
    const found = await sessionsIn();
    expect([found.includes('emptied'), found.includes('later')]).toEqual([false, true]);
    expect((await server.organisations.of(1).projects())[0]?.name).toBe('default');
  });

  test.each(['BAD NAME/..', '..', ' shop', 'shop-', 'a\nb', '', 'x'.repeat(61)])(
    'cannot be called %j',
    async (name) => {
      const { status, text } = await request(keys.admin, 'POST', '/v1/projects', { name });
      expect([status, JSON.parse(text).detail]).toEqual([
        400,
        expect.stringContaining('Expected `name` to be a name of 1 to 60 letters, digits, spaces'),
      ]);
    },
  );

  test.each(['Zahlungen 2.0', 'a', '支付', 'shop_front-eu'])('can be called %j', async (name) => {
    expect((await request(keys.admin, 'POST', '/v1/projects', { name })).status).toBe(200);
    const path = `/v1/projects/${encodeURIComponent(name)}`;
    expect((await request(keys.admin, 'DELETE', path)).status).toBe(200);
  });

  test('a key that expires in seconds instead of milliseconds is refused', async () => {
    const expires = Math.floor(Date.now() / 1000) + 3600;
    const { status, text } = await request(keys.admin, 'POST', '/v1/keys', {
      scopes: ['read'],
      expires,
    });
    expect([status, JSON.parse(text).detail]).toEqual([
      400,
      `Expected \`expires\` to be epoch milliseconds, not seconds (multiply by 1000), got \`${expires}\`.`,
    ]);
  });

  test('are changed by their admins alone', async () => {
    const mine = await server.addKey(1, { scopes: ['admin'], project: numbers.shop });
    expect(
      (await request(mine, 'POST', '/v1/projects/shop', { repo: 'shop-front', days: 7 })).status,
    ).toBe(200);
    expect((await request(mine, 'POST', '/v1/projects/tools', {})).status).toBe(403);
    expect((await request(mine, 'POST', '/v1/projects/no-such', {})).status).toBe(403);
    expect((await request(mine, 'POST', '/v1/projects', { name: 'more' })).status).toBe(403);
    expect((await request(mine, 'POST', '/v1/keys', { scopes: ['read'] })).status).toBe(403);
    const added = JSON.parse(
      (await request(mine, 'POST', '/v1/keys', { scopes: ['read'], project: 'shop', name: 'look' }))
        .text,
    );
    expect(added.added).toMatchObject({ project: 'shop', scopes: ['read'], name: 'look' });
    expect(JSON.parse((await request(added.key, 'GET', '/v1/me')).text)).toMatchObject({
      admin: false,
      projects: [{ name: 'shop', scopes: ['read'] }],
    });
    expect(
      JSON.parse((await request(mine, 'GET', '/v1/keys')).text).keys.every(
        ({ project }: { project?: string }) => project === 'shop',
      ),
    ).toBe(true);
    const wrong = await request(keys.admin, 'POST', '/v1/projects/shop', { visibility: 'none' });
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('visibility')]);
    expect((await request(keys.admin, 'POST', '/v1/projects', { name: 'shop' })).status).toBe(409);
  });
});

test('a project deletes what has been inactive for longer than it keeps it', async () => {
  const server = await organisationServer();
  const store = server.organisations.of(1);
  const short = (await store.addProject('short', { days: 2 }, 'test'))!.project;
  for (const project of [1, short]) {
    const key = await server.addKey(1, { scopes: ['ingest'], project });
    for (const [session, days] of [
      ['old', 3],
      ['young', 1],
    ] as const) {
      const event = {
        type: 'user-spoke',
        session: `${session}-${project}`,
        at: Date.now() - days * 86_400_000,
        id: session,
      };
      expect((await asking(server)(key, 'POST', '/v1/events', event)).status).toBe(200);
    }
  }
  const pool = new pg.Pool({ connectionString: server.database.server });
  await runJobs(pool);
  await runJobs(pool);
  await pool.end();
  const left = await query<{ session: string }>(
    server.database.superuser,
    'SELECT session FROM unrut.sessions ORDER BY 1',
  );
  expect(left.map(({ session }) => session)).toEqual(['old-1', 'young-1', `young-${short}`]);
  expect(
    await query(
      server.database.superuser,
      `SELECT FROM unrut.states WHERE session = 'old-${short}'`,
    ),
  ).toEqual([]);
});

test('a quota refuses events with Retry-After, and answers hooks with nothing', async () => {
  const server = await organisationServer();
  const request = asking(server);
  const key = await server.addKey(1, { scopes: ['ingest'], quota: { events: 1 } });
  const send = (n: number, count = 1) =>
    request(
      key,
      'POST',
      '/v1/events',
      Array.from({ length: count }, (_, i) => lookup(n + i, { session: 'much' })),
    );
  expect((await send(0, 100)).status).toBe(200);
  const refused = await send(200);
  expect([
    refused.status,
    JSON.parse(refused.text).code,
    Number(refused.headers['retry-after']) > 10,
  ]).toEqual([429, 'over-quota', true]);
  const hook = await request(key, 'POST', '/v1/hooks/claude-code', {
    session_id: 's',
    cwd: '/x',
    hook_event_name: 'UserPromptSubmit',
    prompt: 'Hi',
  });
  expect([hook.status, hook.text]).toEqual([200, '{}']);
  const other = await server.addKey(1, { scopes: ['ingest'] });
  expect(
    (await request(other, 'POST', '/v1/events', lookup(300, { session: 'much' }))).status,
  ).toBe(200);
});

test('a quota of sessions refuses new ones with its reason, and those that run go on', async () => {
  const server = await organisationServer();
  const request = asking(server);
  const key = await server.addKey(1, { scopes: ['ingest'] });
  const store = server.organisations.of(1);
  const { sessions: before } = await store.today();
  await store.change({ quota: { sessions: before + 2 } }, 'test');
  try {
    const name = (n: number) => `new-${n}-${Date.now()}`;
    const at = Date.now();
    const send = (session: string, n: number) =>
      request(key, 'POST', '/v1/events', { ...lookup(n, { session }), at });
    const names = [1, 2, 3, 4].map(name);
    const sent = [];
    for (const [i, session] of names.entries()) sent.push(await send(session, i));
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    expect(JSON.parse(sent[2]!.text)).toMatchObject({
      code: 'over-quota',
      detail: expect.stringMatching(/new sessions a day of this organisation/),
    });
    expect((await send(names[0]!, 9)).status).toBe(200);
  } finally {
    await store.change({}, 'test');
  }
});

test('a project can be used as soon as it is added, and its quota counts from then on', async () => {
  const server = await organisationServer();
  const request = asking(server);
  const key = await server.addKey(1, { scopes: ['admin'] });
  const send = async (session: string, project: string) =>
    (
      await request(key, 'POST', `/v1/events?project=${project}`, {
        ...lookup(0, { session }),
        at: Date.now(),
      })
    ).status;
  expect(await send('early', 'default')).toBe(200);
  expect(await send('early', 'fresh')).toBe(403);
  const added = { name: 'fresh', settings: { quota: { sessions: 1 } } };
  expect((await request(key, 'POST', '/v1/projects', added)).status).toBe(200);
  expect([await send('one', 'fresh'), await send('two', 'fresh')]).toEqual([200, 429]);
});

test('unrut key knows organisations and projects', async () => {
  const server = await organisationServer();
  await server.organisations.of(1).addProject('shop', {}, 'test');
  const key = (...args: string[]) => runCommand(['key', ...args], server.database.server);
  const added = JSON.parse(
    (
      await key(
        'add',
        'ci',
        '--scope',
        'ingest,read',
        '--project',
        'shop',
        '--person',
        'ada',
        '--json',
      )
    ).stdout,
  );
  expect(added).toMatchObject({
    key: expect.stringMatching(/^unrut_/),
    project: 'shop',
    person: 'ada',
    scopes: ['ingest', 'read'],
  });
  const { text } = await asking(server)(added.key, 'GET', '/v1/me');
  expect(JSON.parse(text)).toMatchObject({
    person: 'ada',
    projects: [{ name: 'shop', scopes: ['ingest', 'read'] }],
  });
  expect((await key('list')).stdout).toContain(`${added.id}  ingest,read  valid`);
  expect((await key('list')).stdout).toContain('in shop  of ada  ci');
  expect(await key('add', '--project', 'no-such')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no project no-such'),
  });
  expect(await key('add', '--org', 'other')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no organisation other'),
  });
  const owner = await runCommand(
    ['key', 'add', '--new-org', 'other', '--scope', 'admin'],
    server.database.owner,
  );
  expect(
    JSON.parse((await asking(server)(owner.stdout.trim(), 'GET', '/v1/me')).text),
  ).toMatchObject({
    organisation: 'other',
    admin: true,
  });
  expect((await key('revoke', added.id)).stdout).toContain('Revoked');
  const audit = await server.organisations.of(1).audit({ limit: 9 });
  expect(audit.filter(({ actor }) => actor === 'cli').map(({ action }) => action)).toEqual([
    'key-revoked',
    'key-added',
  ]);
});
