import { createPostgresLedger } from '@unrut/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { keptSteps } from '../server/kept-steps.ts';
import { countsOf, expectExact } from './accounts.ts';
import { isFull } from './full.ts';
import { startLoad } from './load.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { tcpProxy } from './proxies.ts';
import { startFleetServer } from './servers.ts';
import { COPIED, canCopy, copyOf, follow, promote } from './standby.ts';

const TIMES = isFull ? 5 : 1;
const SESSIONS = 12;
const batch = (session: number): number => (session % 2 === 0 ? 1 : 10);

const removeLater = (postgres: TestPostgres): TestPostgres => {
  onTestFinished(() => postgres.remove());
  return postgres;
};

/** Two places for a Postgres, and the address that names both. */
async function places(first: TestPostgres) {
  const ports = [first.port, first.port];
  const proxies = [await tcpProxy(() => ports[0]!), await tcpProxy(() => ports[1]!)];
  onTestFinished(() => {
    for (const proxy of proxies) proxy.close();
  });
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    ports,
    addressOf: (name: string): string =>
      `postgres://unrut_app@${hosts}/${name}?target_session_attrs=read-write`,
  };
}

test.runIf(canCopy)(
  'a synchronous standby takes over under load, again and again: nothing is lost',
  async () => {
    let primary = removeLater(await startPostgres({ settings: COPIED }));
    const { ports, addressOf } = await places(primary);
    const { name } = await primary.newDatabase();
    let standby = removeLater(await copyOf(primary, primary.port));
    ports[1] = standby.port;
    await follow(primary, true);
    const servers = [
      await startFleetServer({ ledger: addressOf(name) }),
      await startFleetServer({ ledger: addressOf(name) }),
    ];
    const load = startLoad({ urls: servers.map(({ url }) => url), sessions: SESSIONS, batch });
    for (let i = 0; i < TIMES; i++) {
      await load.more(SESSIONS * 3);
      await primary.stop('immediate');
      await promote(standby);
      await load.more(SESSIONS * 2);
      primary = standby;
      if (i === TIMES - 1) break;
      standby = removeLater(await copyOf(primary, primary.port));
      ports[i % 2] = standby.port;
      await follow(primary, true);
    }
    const result = await load.stop();
    expect(servers.map(({ isUp }) => isUp)).toEqual([true, true]);
    const ledger = createPostgresLedger({ url: primary.url(name, 'unrut_app') });
    await expectExact(result, primary.url(name), ledger);
    await ledger.close();
  },
);

test.runIf(canCopy)(
  'an asynchronous standby that misses the last moments takes over: no session is stuck, and none mixes two histories',
  async () => {
    const primary = removeLater(await startPostgres({ settings: COPIED }));
    const { ports, addressOf } = await places(primary);
    const { name } = await primary.newDatabase();
    const way = await tcpProxy(() => primary.port);
    onTestFinished(way.close);
    const standby = removeLater(await copyOf(primary, way.port));
    ports[1] = standby.port;
    await follow(primary, false);
    const servers = [
      await startFleetServer({ ledger: addressOf(name) }),
      await startFleetServer({ ledger: addressOf(name) }),
    ];
    const load = startLoad({ urls: servers.map(({ url }) => url), sessions: SESSIONS, batch });
    await load.more(SESSIONS * 3);
    // From here on, answers are lost; servers continue with their memory.
    way.set('silent');
    await load.more(SESSIONS * 5);
    await primary.stop('immediate');
    await promote(standby);
    await load.more(SESSIONS * 10);
    const result = await load.stop();
    const ledger = createPostgresLedger({ url: standby.url(name, 'unrut_app') });
    const counts = await countsOf([...result.sent.keys()], standby.url(name));
    let lost = 0;
    for (const [session, events] of result.sent) {
      const { counter, rows } = counts.get(session)!;
      // State and record are of one history, and each id counts once.
      expect({ session, rows, known: await keptSteps(ledger, session) }).toEqual({
        session,
        rows: counter,
        known: counter,
      });
      const last = (await ledger.entries({ session, kind: 'event', last: 1 }))[0]!;
      expect([session, last.at]).toEqual([session, events.at(-1)!.at]);
      lost += events.length - rows;
    }
    expect(lost).toBeGreaterThan(0);
    await ledger.close();
  },
);
