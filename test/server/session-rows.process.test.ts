import { createSqliteLedger } from '@unrut/ledger/sqlite';
import type { RecoveriesAnswer, SessionAnswer, SessionsAnswer } from '@unrut/server/api/answers';
import { openReading } from '@unrut/server/api/reading';
import { afterAll, describe, expect, test } from 'vitest';
import { nameInPath } from '../../packages/dashboard/src/api/name-in-path.ts';
import { newPath } from '../ledger-files.ts';
import { ask } from './request.ts';
import { record } from './seeded-ledger.ts';
import { seededServer } from './seeded-server.ts';
import { served } from './served.ts';

const MINUTE = 60_000;
const NOW = 1_794_800_000_000;
const STUCK = ['Read {"file_path":"/home/dev/project/a.ts"} -> "export const a = 1;" x6'];
const OUT = [
  STUCK[0]!.replace('x6', 'x5'),
  ...Array.from(
    { length: 8 },
    (_, i) => `Read {"file_path":"/home/dev/project/${i}.ts"} -> "export const v${i} = ${i * i};"`,
  ),
];

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A ledger whose reader's clock can be set. */
function newReading() {
  const path = newPath();
  const clock = { now: NOW };
  const ledger = createSqliteLedger({ path, now: () => clock.now });
  const reading = openReading(ledger, () => clock.now);
  closing.push(reading.close, ledger.close);
  const rowOf = async (session: string) => {
    const { sessions } = await reading.reports.sessions({ most: 10, facets: true });
    return sessions.find((row) => row.session === session)!;
  };
  return { ledger, clock, reading, rowOf };
}

describe('a session whose clock is two hours ahead', () => {
  test('falls silent five minutes after its last entry was read, and stays so', async () => {
    const { ledger, clock, rowOf } = newReading();
    const ahead = 120 * MINUTE;
    await record(ledger, { session: 's', lines: STUCK, until: NOW + ahead });
    expect((await rowOf('s')).state).toBe('looping');
    for (const later of [6, 60, 120, 122]) {
      clock.now = NOW + later * MINUTE;
      expect((await rowOf('s')).state, `${later} minutes later`).toBe('silent');
    }
    await record(ledger, {
      session: 's',
      lines: ['Glob {"pattern":"*"} -> "b.ts"'],
      until: clock.now + ahead,
    });
    expect((await rowOf('s')).state).not.toBe('silent');
  });

  test('is still shown with its own time', async () => {
    const { ledger, rowOf } = newReading();
    await record(ledger, { session: 's', lines: STUCK, until: NOW + 120 * MINUTE });
    expect((await rowOf('s')).last).toBe(NOW + 120 * MINUTE);
  });
});

describe('what was done about a session', () => {
  test.each([true, false])('is none of what was only recorded: shadow %s', async (shadow) => {
    const { ledger, rowOf } = newReading();
    await record(ledger, {
      session: 's',
      lines: OUT,
      until: NOW,
      guard: { shadow, can: ['note', 'hint', 'escalate', 'stop'] },
    });
    const { plans, outcomes, acted } = await rowOf('s');
    expect([plans > 0, outcomes.recovered > 0]).toEqual([true, true]);
    expect(acted).toEqual(
      shadow
        ? { plans: 0, recovered: 0, persisted: 0, relapsed: 0, unknown: 0 }
        : { plans, ...outcomes },
    );
  });

  test('is distinguished where both happened', async () => {
    const { ledger, rowOf } = newReading();
    await record(ledger, {
      session: 's',
      lines: STUCK,
      until: NOW - MINUTE,
      guard: { shadow: true },
    });
    const recorded = (await rowOf('s')).plans;
    await record(ledger, { session: 's', lines: STUCK, until: NOW });
    const { plans, acted } = await rowOf('s');
    expect([recorded > 0, acted.plans]).toEqual([true, plans - recorded]);
  });
});

describe('the routes', () => {
  const look = async <T>(url: string, path: string): Promise<T> =>
    JSON.parse((await ask(url + path, { method: 'GET' })).text);
  const newServer = async () => {
    const path = newPath();
    const ledger = createSqliteLedger({ path });
    const reading = openReading(ledger);
    closing.push(reading.close);
    const { url } = await served(path, {
      ledger,
      reads: { reading, settings: () => expect.unreachable() },
    });
    return { url, ledger };
  };

  test('find a session, whatever its name', async () => {
    const { url, ledger } = await newServer();
    for (const session of ['.', '..', 'a/b?c', ' '])
      await record(ledger, { session, lines: STUCK, until: Date.now() });
    for (const session of ['.', '..', 'a/b?c', ' ']) {
      const found = await look<SessionAnswer>(url, `/v1/sessions/${nameInPath(session)}?limit=2`);
      expect([found.session.session, found.moments.length]).toEqual([session, 2]);
    }
    expect(await look(url, '/v1/sessions/none')).toMatchObject({
      status: 404,
      code: 'unknown-session',
    });
    expect(await look(url, '/v1/runs/%252E%252E')).toMatchObject({ code: 'unknown-run' });
  });

  test.each(['/v1/session?id=s', '/v1/run?id=s', '/healthz'])(
    'the old name %s is gone',
    async (path) => {
      const { url } = await newServer();
      expect(await look(url, path)).toMatchObject({ status: 404, code: 'not-found' });
    },
  );

  test('give a loop as open only while the session goes in circles', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 'now', lines: STUCK, until: Date.now() });
    await record(ledger, { session: 'then', lines: STUCK, until: Date.now() - 120 * MINUTE });
    await record(ledger, {
      session: 'told',
      lines: [...STUCK, 'user "Try something else."'],
      until: Date.now(),
    });
    const open = async (id: string) => {
      const { session, loops } = await look<SessionAnswer>(url, `/v1/sessions/${id}`);
      return [session.state, loops.map(({ isOpen }) => isOpen)];
    };
    expect(await open('now')).toEqual(['looping', [true]]);
    expect(await open('then')).toEqual(['silent', [false]]);
    expect(await open('told')).toEqual(['running', [false]]);
  });

  test('say that what was only recorded had no outcome', async () => {
    const { url, ledger } = await newServer();
    await record(ledger, { session: 's', lines: OUT, until: Date.now(), guard: { shadow: true } });
    const { acted, recoveries, latest } = await look<RecoveriesAnswer>(url, '/v1/recoveries');
    expect(acted).toEqual({ plans: 0, recovered: 0, persisted: 0, relapsed: 0, unknown: 0 });
    expect(
      recoveries.every(
        ({ plans, shadow, recovered, persisted }) =>
          plans === shadow && recovered + persisted === 0,
      ),
    ).toBe(true);
    expect(latest.some(({ shadow, outcome }) => shadow && outcome === 'recovered')).toBe(true);
    const { moments } = await look<SessionAnswer>(url, '/v1/sessions/s');
    const found = moments.flatMap(({ outcomes }) => outcomes);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ shadow }) => shadow === true)).toBe(true);
  });
});

test.each([
  ['browser-shop-checkout', 'browser-shop-checkout'],
  ['support-agent-42', 'support-agent-42'],
  ['3f2a8c10-0001-4000-8000-000000000001', '3f2a8c10'],
])('the session %s is called %s', async (session, name) => {
  const server = await seededServer();
  await record(server.ledger, {
    session,
    lines: ['Read {"file_path":"/a.ts"} -> "x"'],
    until: Date.now(),
  });
  const { sessions } = await server.json<SessionsAnswer>(`/v1/sessions?search=${session}`);
  expect(sessions.map((each) => each.name)).toEqual([name]);
});
