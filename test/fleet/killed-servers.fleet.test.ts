import { createPostgresLedger } from '@unrut/postgres';
import { expect, test } from 'vitest';
import { expectExact } from './accounts.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { isFull } from './full.ts';
import { startLoad } from './load.ts';
import { httpProxy } from './proxies.ts';
import { startFleetServer } from './servers.ts';

/** Sessions send batches of 1 and of 10. */
const batch = (session: number): number => (session % 2 === 0 ? 1 : 10);
const KILLS = isFull ? 50 : 20;
const SWALLOWED = isFull ? 200 : 50;
const SESSIONS = isFull ? 40 : 12;

test(`${KILLS} times one of two servers is killed under load: nothing is lost, and nothing counts twice`, async () => {
  const { server: address, superuser } = await sharedDatabases().newDatabase();
  const servers = [
    await startFleetServer({ ledger: address }),
    await startFleetServer({ ledger: address }),
  ];
  const load = startLoad({ urls: servers.map(({ url }) => url), sessions: SESSIONS, batch });
  await load.more(SESSIONS);
  for (let i = 0; i < KILLS; i++) {
    const server = servers[i % 2]!;
    await server.kill();
    await load.more(5);
    await server.restart();
  }
  const result = await load.stop();
  const ledger = createPostgresLedger({ url: address });
  await expectExact(result, superuser, ledger);
  await ledger.close();
});

test(`${SWALLOWED} answers are swallowed after the commit: the same events get the verdicts of then`, async () => {
  const { server: address, superuser } = await sharedDatabases().newDatabase();
  const servers = [
    await startFleetServer({ ledger: address }),
    await startFleetServer({ ledger: address }),
  ];
  const proxies = await Promise.all(servers.map(({ url }) => httpProxy(() => url)));
  const load = startLoad({ urls: proxies.map(({ url }) => url), sessions: SESSIONS, batch });
  await load.more(SESSIONS);
  for (let i = 0; i < SWALLOWED; i++) {
    await proxies[i % 2]!.swallow();
    // The server that has just committed is killed as well, now and then.
    if (i % 10 !== 9) continue;
    await servers[i % 2]!.kill();
    await servers[i % 2]!.restart();
  }
  await load.more(SESSIONS);
  const result = await load.stop();
  expect(result.repeated).toBeGreaterThanOrEqual(SWALLOWED);
  const ledger = createPostgresLedger({ url: address });
  await expectExact(result, superuser, ledger);
  await ledger.close();
});
