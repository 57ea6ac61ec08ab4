import { createPostgresLedger } from '@unrut/postgres';
import { withOwner } from '@unrut/postgres/database';
import { DEFAULT_DAYS, lookAfter, type Upkept } from '@unrut/postgres/upkeep';
import { expect, test } from 'vitest';
import { query } from './databases.ts';
import { sharedDatabases } from './fleet-databases.ts';

const DAY = 24 * 60 * 60 * 1000;

test('upkeep makes the days ahead, drops old ones, and keeps what sessions have counted', async () => {
  const { owner, server, superuser } = await sharedDatabases().newDatabase();
  const ledger = createPostgresLedger({ url: server });
  const entry = {
    id: '1',
    session: 'a',
    at: Date.now(),
    kind: 'event',
    step: 0,
    data: { type: 'text-added' },
  } as const;
  await ledger.append([entry, { ...entry, id: '2', kind: 'signal' }, { ...entry, id: '3' }]);
  const after = (days: number): Promise<Upkept> =>
    withOwner(owner, (pool) => lookAfter(pool, DEFAULT_DAYS, new Date(Date.now() + days * DAY)));

  expect(await after(0)).toEqual({ made: 0, dropped: [], states: 0, sessions: 0 });
  const later = await after(12);
  expect(later.made).toBeGreaterThan(0);
  expect(later.dropped.every((name) => name.startsWith('pieces_'))).toBe(true);
  expect(later.dropped).toHaveLength(2);
  expect(await ledger.entries()).toHaveLength(3);

  const fortnight = await after(16);
  expect([fortnight.states, fortnight.dropped.some((name) => name.startsWith('events_'))]).toEqual([
    1,
    true,
  ]);
  expect(await ledger.sessions()).toMatchObject([{ session: 'a', events: 2, signals: 1 }]);
  expect((await ledger.entries({ session: 'a' })).map(({ id, kind }) => [id, kind])).toEqual([
    ['2', 'signal'],
  ]);

  // A session that comes back after its state has gone begins again.
  await ledger.append([{ ...entry, id: '4' }]);
  expect((await ledger.entries({ session: 'a' })).map(({ id }) => id).sort()).toEqual(['2', '4']);
  expect(
    (
      await query(
        superuser,
        'SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhdetachpending',
      )
    ).length,
  ).toBe(0);
  await ledger.close();
});
