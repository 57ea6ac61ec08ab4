import type { InsightsAnswer, SessionsAnswer } from '@unrut/server/api/answers';
import { beforeAll, describe, expect, test } from 'vitest';
import { tellSessions } from '../views/insight-sessions.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

const DAY = 86_400_000;

let server: SeededServer;
beforeAll(async () => {
  server = await seededServer();
  const now = Date.now();
  const people = Array.from({ length: 12 }, (_, i) => `dev${i}`);
  await tellSessions(
    server.ledger,
    [
      {
        sessions: 200,
        looped: 90,
        origin: { repo: 'billing', release: 'v41' },
        from: now - 9 * DAY,
      },
      {
        sessions: 200,
        looped: 30,
        origin: { repo: 'billing', release: 'v42' },
        from: now - 4 * DAY,
      },
      { sessions: 150, looped: 15, origin: { repo: 'docs', release: 'v42' }, from: now - 4 * DAY },
    ].map((kind) => ({ ...kind, people, to: kind.from + 4 * DAY })),
  );
});

describe('GET /v1/insights', () => {
  test('groups sessions, the group with the most waste first, and says so', async () => {
    const answer = await server.json<InsightsAnswer>('/v1/insights?by=repo');
    const known = answer.groups.filter(({ value }) => value !== '');
    expect(known.map(({ value, sessions, looped }) => [value, sessions, looped])).toEqual([
      ['billing', 400, 120],
      ['docs', 150, 15],
    ]);
    expect(answer.advice).toContain('Look at the repo billing first');
    expect(known[0]!.people).toBe(12);
    const { value, low, high } = known[0]!.share;
    expect([low < value, value < high]).toEqual([true, true]);
    const inTrend = known[0]!.trend.reduce((sum, { sessions }) => sum + sessions, 0);
    expect(inTrend).toBe(400);
    expect(answer.releases.map(({ release }) => release)).toEqual(['v41', 'v42']);
    expect(answer.choices.release).toEqual(['v41', 'v42']);
  });

  test('groups by tool and detector count among all sessions', async () => {
    const { all, groups } = await server.json<InsightsAnswer>('/v1/insights?by=tool');
    const tests = groups.find(({ value }) => value === 'npm test')!;
    expect(tests.sessions).toBe(all.sessions);
    expect(tests.looped).toBeGreaterThanOrEqual(135);
    const { groups: detectors } = await server.json<InsightsAnswer>('/v1/insights?by=detector');
    expect(detectors.map(({ value }) => value)).toContain('repeated-call');
  });

  test('compares two releases, in words only where that is certain', async () => {
    const path = '/v1/insights?by=repo&compare=release&a=v41&b=v42';
    const answer = await server.json<InsightsAnswer>(path);
    expect(answer.compared).toMatchObject({ by: 'release', a: { value: 'v41' } });
    expect(answer.comparison).toMatchObject({
      a: { sessions: 200, looped: 90 },
      b: { sessions: 350, looped: 45 },
      difference: { verdict: 'fewer' },
    });
    expect(answer.verdict).toBe('Fewer loops in v42 than in v41');
    expect(await server.json<InsightsAnswer>(path)).toMatchObject({
      comparison: answer.comparison,
    });
    const docs = answer.groups.find(({ value }) => value === 'docs')!;
    expect(docs.comparison!.difference).toBeUndefined();
    const none = await server.json<InsightsAnswer>(
      '/v1/insights?compare=release&a=v42&b=v42&by=repo',
    );
    expect(none.verdict).toContain('Not enough to tell');
  });

  test('compares two periods, by default with the time before', async () => {
    const answer = await server.json<InsightsAnswer>('/v1/insights?since=4d&compare=period');
    expect(answer.comparison!.b.looped).toBeLessThan(answer.comparison!.a.looped);
    const given = await server.json<InsightsAnswer>('/v1/insights?compare=period&a=9d..5d&b=4d..');
    expect(given.compared!.a.until).toBeLessThan(given.compared!.b.since!);
    expect(given.comparison!.a.sessions).toBeGreaterThan(100);
  });

  test('is CSV where that is asked for', async () => {
    const { status, text, headers } = await server.look('/v1/insights?by=repo&format=csv');
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(text).toMatch(/^repo,sessions,people,.*\r\n/);
    expect(text).toMatch(/^billing,400,12,120,0\.3,/m);
  });

  test.each(['compare=release&a=v41', 'compare=period&a=yesterday..&b=7d..', 'by=colour'])(
    '?%s is refused',
    async (query) => {
      expect((await server.look(`/v1/insights?${query}`)).status).toBe(400);
    },
  );
});

test('lists and search of sessions have the same filters', async () => {
  const path = '/v1/sessions?repo=billing&release=v42&person=dev3&limit=100';
  const { sessions, total } = await server.json<SessionsAnswer>(path);
  expect([sessions.length, total]).toEqual([total, 17]);
  const found = await server.json<SessionsAnswer>(`${path}&search=npm&loops=1`);
  expect(found.total).toBeGreaterThan(0);
  expect(found.total).toBeLessThan(17);
});
