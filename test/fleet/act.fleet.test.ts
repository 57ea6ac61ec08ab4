import type { SessionAnswer } from '@unrut/server/api/answers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { LOOPING } from '../hosts/looping-host.ts';
import { ask } from '../server/request.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { type OrganisationServer, organisationServer } from './organisation-server.ts';
import { startFleetServer } from './servers.ts';

const claude = LOOPING['claude-code'];

/** Milliseconds for which another server may not know an instruction. */
const KNOWN_ELSEWHERE = { timeout: 30_000, interval: 100 };

/** An agent that loops, by HTTP hooks, under a name of its own. */
function agentOf(send: (payload: object) => Promise<string>, session: string) {
  let next = 1;
  return async (tries: number): Promise<object[]> => {
    const told: object[] = [];
    for (const end = next + tries; next < end; next++)
      for (const payload of [claude.before(next), ...claude.after(next)]) {
        const text = await send({ ...payload, session_id: session });
        if (text !== '{}') told.push(JSON.parse(text));
      }
    return told;
  };
}

const isRefused = (told: readonly object[]): boolean =>
  told.some((each) => claude.refuses!(each as never));
const isStopped = (told: readonly object[]): boolean => told.some((each) => 'continue' in each);

describe('acting on sessions in Postgres', () => {
  let one: OrganisationServer;
  let other: OrganisationServer;
  const keys = { admin: '', shop: '', shopAdmin: '', pay: '' };

  const request = (server: OrganisationServer, key: string, path: string, body?: object) =>
    ask(server.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const act = async (key: string, body: object, search = '') => {
    const { status, text } = await request(one, key, `/v1/act${search}`, body);
    return { status, said: JSON.parse(text) };
  };
  const looping = (session: string, server = one, key = keys.shop) =>
    agentOf(
      async (payload) => (await request(server, key, '/v1/hooks/claude-code', payload)).text,
      session,
    );
  const controlOf = async (session: string, key = keys.admin, server = one) => {
    const { text } = await request(server, key, `/v1/sessions/${session}`);
    return (JSON.parse(text) as SessionAnswer).control;
  };

  beforeAll(async () => {
    one = await organisationServer();
    other = await organisationServer({}, { database: one.database });
    const store = one.organisations.of(1);
    const shop = (await store.addProject('shop', {}, 'test'))!.project;
    const pay = (await store.addProject('pay', {}, 'test'))!.project;
    keys.admin = await one.addKey(1, { scopes: ['admin'] });
    keys.shop = await one.addKey(1, { scopes: ['ingest', 'read'], project: shop });
    keys.shopAdmin = await one.addKey(1, { scopes: ['admin'], project: shop });
    keys.pay = await one.addKey(1, { scopes: ['admin'], project: pay });
  });

  test('off holds on every server, and on ends it', async () => {
    const loop = looping('off-and-on');
    await loop(4);
    expect(await controlOf('off-and-on')).toEqual({
      isOff: false,
      canStop: true,
      isStopping: false,
    });
    expect(await act(keys.shopAdmin, { session: 'off-and-on', act: 'off' })).toMatchObject({
      status: 200,
      said: { text: expect.stringMatching(/^Unrut is off for this session/) },
    });
    expect(await loop(3)).toEqual([]);
    await vi.waitFor(
      async () =>
        expect(await controlOf('off-and-on', keys.admin, other)).toMatchObject({ isOff: true }),
      KNOWN_ELSEWHERE,
    );
    const elsewhere = looping('off-and-on', other);
    expect(await elsewhere(1)).toEqual([]);
    await act(keys.shopAdmin, { session: 'off-and-on', act: 'on' });
    expect((await loop(3)).length).toBeGreaterThan(0);
  });

  test('a false alarm is not refused any more; twin: without one it is', async () => {
    const [forgiven, twin] = [looping('forgiven'), looping('twin', one, keys.pay)];
    expect([isRefused(await forgiven(6)), isRefused(await twin(6))]).toEqual([true, true]);
    const { status, said } = await act(keys.shopAdmin, { session: 'forgiven', act: 'false-alarm' });
    expect([status, said.text]).toEqual([
      200,
      expect.stringMatching(/^Noted as a false alarm: the call/),
    ]);
    expect(isRefused(await forgiven(3))).toBe(false);
    // A false alarm in one project has no effect in another.
    expect(isRefused(await twin(3))).toBe(true);
  });

  test('a stop is obeyed once, whichever server is asked', async () => {
    const [here, there] = [looping('stopped'), looping('stopped', other)];
    await here(1);
    await act(keys.shopAdmin, { session: 'stopped', act: 'stop' });
    expect(await controlOf('stopped')).toMatchObject({ isStopping: true });
    await vi.waitFor(
      async () =>
        expect(await controlOf('stopped', keys.admin, other)).toMatchObject({ isStopping: true }),
      KNOWN_ELSEWHERE,
    );
    const told = await Promise.all([here(1), there(1)]);
    expect(told.filter(isStopped)).toHaveLength(1);
    expect(isStopped(await here(1))).toBe(false);
    expect(await controlOf('stopped')).toMatchObject({ isStopping: false });
  });

  test('many at once, each with its result; refused ones keep no other from it', async () => {
    const names = ['many-1', 'many-2', 'many-3'];
    for (const name of names) await looping(name)(1);
    const answer = await act(keys.shopAdmin, { sessions: [...names, 'nobody'], act: 'off' });
    expect(answer).toMatchObject({
      status: 200,
      said: {
        text: 'Done for 3 of 4 sessions.',
        results: [...names, 'nobody'].map((session) => ({ session, done: session !== 'nobody' })),
      },
    });
    for (const name of names) expect(await controlOf(name)).toMatchObject({ isOff: true });
    for (const body of [{ act: 'off' }, { session: 'a', sessions: ['b'], act: 'off' }])
      expect((await act(keys.admin, body)).status).toBe(400);
  });

  test('only by admins of the project, and it is written down', async () => {
    await looping('guarded')(1);
    const order = { session: 'guarded', act: 'stop' };
    expect((await act(keys.shop, order)).status).toBe(403);
    expect((await act(keys.pay, order)).status).toBe(404);
    expect((await act(keys.pay, order, '?project=shop')).status).toBe(403);
    expect(await controlOf('guarded', keys.shop)).toBeUndefined();
    // A session of the same name in another project is not meant.
    await looping('guarded', one, keys.pay)(1);
    expect((await act(keys.pay, order)).status).toBe(200);
    expect(await controlOf('guarded', keys.shopAdmin)).toMatchObject({ isStopping: false });
    const { text } = await request(one, keys.admin, '/v1/audit?limit=1000');
    const [, id] = keys.pay.split('_');
    expect(JSON.parse(text).audit).toContainEqual(
      expect.objectContaining({ actor: `key:${id}`, action: 'session-stop', target: 'guarded' }),
    );
  });

  test('what was said about a session is forgotten with it', async () => {
    await looping('gone')(1);
    await act(keys.shopAdmin, { session: 'gone', act: 'off' });
    await request(one, keys.shopAdmin, '/v1/forget', { session: 'gone' });
    await vi.waitFor(async () => {
      await looping('gone')(1);
      expect(await controlOf('gone')).toMatchObject({ isOff: false });
    }, KNOWN_ELSEWHERE);
  });
});

test('a server on Postgres for one team acts, too', async () => {
  const { server } = await sharedDatabases().newDatabase();
  const { url } = await startFleetServer({ ledger: server });
  const loop = agentOf(
    async (payload) =>
      (await ask(`${url}/v1/hooks/claude-code`, { body: JSON.stringify(payload) })).text,
    'alone',
  );
  expect(isRefused(await loop(6))).toBe(true);
  const { status } = await ask(`${url}/v1/act`, {
    body: JSON.stringify({ session: 'alone', act: 'off' }),
  });
  expect(status).toBe(200);
  expect(await loop(2)).toEqual([]);
});
