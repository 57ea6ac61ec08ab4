import { expect, onTestFinished, test } from 'vitest';
import { query } from './databases.ts';
import { eventOf } from './load.ts';
import { startPostgres } from './postgres.ts';
import { startFleetServer } from './servers.ts';
import { COPIED, canCopy, copyOf, follow } from './standby.ts';

test.runIf(canCopy)(
  'lists are read from a replica, events are written to the primary, and continue when the replica is away',
  async () => {
    const primary = await startPostgres({ settings: COPIED });
    onTestFinished(() => primary.remove());
    const { name } = await primary.newDatabase();
    const replica = await copyOf(primary, primary.port);
    onTestFinished(() => replica.remove());
    await follow(primary, false);
    const { url } = await startFleetServer({
      ledger: primary.url(name, 'unrut_app'),
      env: { UNRUT_LEDGER_READS: replica.url(name, 'unrut_app') },
    });
    const send = async (session: string): Promise<number> =>
      (
        await fetch(`${url}/v1/events`, {
          method: 'POST',
          body: JSON.stringify(eventOf(session, 1, 0)),
        })
      ).status;
    const listed = async (): Promise<string[]> => {
      const { sessions } = (await (await fetch(`${url}/v1/sessions`)).json()) as {
        sessions: { session: string }[];
      };
      return sessions.map(({ session }) => session).sort();
    };
    const soon = { timeout: 60_000, interval: 100 };

    expect(await send('first')).toBe(200);
    await expect.poll(listed, soon).toEqual(['first']);
    await query(replica.url('postgres'), 'SELECT pg_wal_replay_pause()');
    await expect
      .poll(
        () => query(replica.url('postgres'), 'SELECT pg_get_wal_replay_pause_state() AS state'),
        soon,
      )
      .toEqual([{ state: 'paused' }]);
    expect(await send('second')).toBe(200);
    expect(await query(primary.url(name), 'SELECT session FROM unrut.sessions ORDER BY 1')).toEqual(
      [{ session: 'first' }, { session: 'second' }],
    );
    expect(await listed()).toEqual(['first']);
    await query(replica.url('postgres'), 'SELECT pg_wal_replay_resume()');
    await expect.poll(listed, soon).toEqual(['first', 'second']);

    await replica.stop('immediate');
    await expect.poll(async () => (await fetch(`${url}/v1/sessions`)).status, soon).toBe(503);
    expect(await send('third')).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  },
);
