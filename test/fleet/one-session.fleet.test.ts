import type { AgentEvent } from '@unrut/engine/event';
import { createPostgresLedger } from '@unrut/postgres';
import { expect, test } from 'vitest';
import { keptSteps } from '../server/kept-steps.ts';
import { ask } from '../server/request.ts';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';
import { isFull } from './full.ts';
import { eventOf } from './load.ts';
import { startFleetServer } from './servers.ts';

const SERVERS = isFull ? 8 : 3;
const EVENTS = isFull ? 1000 : 60;
const MOST_TRIES = 5;

/** Sends events one after the other; gives the most tries that one took. */
async function sendAll(url: string, events: readonly AgentEvent[]): Promise<number> {
  let most = 0;
  for (const event of events) {
    let tries = 1;
    for (; ; tries++) {
      const { status, text } = await ask(`${url}/v1/events`, { body: JSON.stringify(event) });
      if (status === 200) break;
      expect([status, tries <= MOST_TRIES, text]).toEqual([503, true, expect.any(String)]);
    }
    most = Math.max(most, tries);
  }
  return most;
}

const deadlocksIn = async (superuser: string, name: string): Promise<number> => {
  const [row] = await query<{ deadlocks: string }>(
    superuser,
    'SELECT deadlocks FROM pg_stat_database WHERE datname = $1',
    [name],
  );
  return Number(row!.deadlocks);
};

test(`${SERVERS} servers and one session, ${EVENTS} events each: all are counted`, async () => {
  const { server: address, superuser, name } = await sharedDatabases().newDatabase();
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => startFleetServer({ ledger: address })),
  );
  const tries = await Promise.all(
    servers.map(({ url }, s) =>
      sendAll(
        url,
        Array.from({ length: EVENTS }, (_, i) => eventOf('one', 1, s * EVENTS + i)),
      ),
    ),
  );
  expect(Math.max(...tries)).toBeLessThanOrEqual(MOST_TRIES);
  const ledger = createPostgresLedger({ url: address });
  expect((await ledger.sessions()).map(({ session, events }) => [session, events])).toEqual([
    ['one', SERVERS * EVENTS],
  ]);
  expect(await keptSteps(ledger, 'one')).toBe(SERVERS * EVENTS);
  expect(
    new Set((await ledger.entries({ session: 'one', kind: 'event' })).map(({ id }) => id)).size,
  ).toBe(SERVERS * EVENTS);
  await ledger.close();
  expect(await deadlocksIn(superuser, name)).toBe(0);
});

test('parents and children crosswise: all are counted, and nobody waits for the other for ever', async () => {
  const { server: address, superuser, name } = await sharedDatabases().newDatabase();
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => startFleetServer({ ledger: address })),
  );
  const names = ['a', 'b', 'c'];
  const count = Math.ceil(EVENTS / 4);
  /** Each session is the child of another, by one server or the other. */
  const nested = (server: number, i: number): AgentEvent => {
    const session = names[i % names.length]!;
    const parent = names[(i + 1 + (server % 2)) % names.length]!;
    return { ...eventOf(session, 1, i), id: `${server}-${i}`, parent };
  };
  await Promise.all(
    servers.map(({ url }, s) =>
      sendAll(
        url,
        Array.from({ length: count }, (_, i) => nested(s, i)),
      ),
    ),
  );
  const ledger = createPostgresLedger({ url: address });
  const events = (await ledger.sessions()).reduce((sum, each) => sum + each.events, 0);
  expect(events).toBe(SERVERS * count);
  await ledger.close();
  expect(await deadlocksIn(superuser, name)).toBe(0);
});
