import { createPostgresLedger } from '@unrut/postgres';
import { beforeAll, expect, test } from 'vitest';
import { APT_TIMEOUT } from '../from-debian.ts';
import { expectExact } from './accounts.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { isFull } from './full.ts';
import { startLoad } from './load.ts';
import { installedPgBouncer, startPgBouncer } from './pgbouncer.ts';
import { tcpProxy } from './proxies.ts';
import { startFleetServer } from './servers.ts';

const SESSIONS = 20;
const KILLS = isFull ? 10 : 2;
const batch = (session: number): number => (session % 2 === 0 ? 1 : 10);

beforeAll(() => void installedPgBouncer(), APT_TIMEOUT);

test('behind PgBouncer in transaction mode, without prepared statements: killed, cut off, shared, all is exact', async () => {
  const databases = sharedDatabases();
  const { server: address, superuser } = await databases.newDatabase();
  const way = await tcpProxy(() => databases.port);
  const port = await startPgBouncer(way.port);
  const ledger = address.replace(`:${databases.port}/`, `:${port}/`);
  const options = { ledger, env: { UNRUT_PREPARE: '0' } };
  const servers = [await startFleetServer(options), await startFleetServer(options)];
  // Every other request of a session goes to the other server.
  const load = startLoad({
    urls: servers.map(({ url }) => url),
    sessions: SESSIONS,
    batch,
    first: (session, request) => session + request,
  });
  await load.more(SESSIONS * 2);
  for (let i = 0; i < KILLS; i++) {
    await servers[i % 2]!.kill();
    await load.more(SESSIONS);
    await servers[i % 2]!.restart();
    way.set('reset');
    way.set('pass');
    await load.more(SESSIONS);
  }
  const result = await load.stop();
  expect(servers.map(({ isUp }) => isUp)).toEqual([true, true]);
  const own = createPostgresLedger({ url: address });
  await expectExact(result, superuser, own);
  await own.close();
  way.close();
});
