import type { StatsAnswer } from '@unrut/server/api/answers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { SECRETS } from '../planted-secrets.ts';
import { ask } from './request.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';
import { lookup, served, tellEvents } from './served.ts';

const DAY = 86_400_000;

let seeded: SeededServer;
beforeAll(async () => {
  seeded = await seededServer();
});

const NESTED = '<nested>';
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
/** What is nested as deep as this cannot be written by `JSON.stringify`. */
const written = (events: unknown, levels = 10_000): string =>
  JSON.stringify(events).replace(`"${NESTED}"`, nested(levels));

describe('an event that cannot be', () => {
  const TIME =
    /^call-finished: expected at in epoch milliseconds, at most a day ahead of this clock, got [\d.e+-]+$/;
  const NAME = /^call-finished: expected a (?:session|parent) with a name, got an empty one$/;
  const TYPE = /^expected a type of call-proposed, .*; got object$/;

  test.each<[string, object, RegExp]>([
    ['has its time in nanoseconds', { at: Date.now() * 1e6 }, TIME],
    ['has its time in microseconds', { at: Date.now() * 1e3 }, TIME],
    ['is of the day after tomorrow', { at: Date.now() + 2 * DAY }, TIME],
    [
      'has its time in seconds',
      { at: Math.floor(Date.now() / 1000) },
      /^call-finished: expected at in epoch milliseconds, not seconds \(multiply by 1000\), got \d+$/,
    ],
    ['is of before 1970', { at: -1 }, TIME],
    ['is of no session', { session: '' }, NAME],
    ['reports to nobody', { parent: '' }, NAME],
    [
      'is nested without end',
      { result: NESTED },
      /^call-finished: expected values within each other up to 500 times, got more$/,
    ],
    ['has a type that is nested without end', { type: NESTED }, TYPE],
    ['has a type that is no text and pretends to be', { type: { toString: 1, valueOf: 1 } }, TYPE],
  ])('because it %s gets a fault in one line, and the others count', async (_, changes, why) => {
    const { url, ledger } = await served(newPath());
    const verdicts = await tellEvents(url, written([lookup(0), lookup(1, changes), lookup(2)]));
    expect(verdicts.map(({ faults }) => faults)).toEqual([
      [],
      [{ where: 'event', message: expect.stringMatching(why) }],
      [],
    ]);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(2);
    expect((await ledger.sessions()).map(({ session }) => session)).toEqual(['s']);
  });

  test.each<[string, object]>([
    ['of a clock that is ahead', { at: Date.now() + DAY / 2 }],
    ['of long ago', { at: 0 }],
    ['with a result of many levels', { result: NESTED }],
  ])('is none %s', async (_, changes) => {
    const { url, ledger } = await served(newPath());
    expect((await tellEvents(url, written(lookup(0, changes), 400)))[0]!.faults).toEqual([]);
    expect((await ledger.entries({ kind: 'event' })).length).toBe(1);
  });
});

describe('too much at once is refused before it is read', () => {
  const lines = { 'content-type': 'application/x-ndjson' };
  test.each<[string, string, Record<string, string>]>([
    ['a list of numbers', `[${'1,'.repeat(2_000_000)}`, {}],
    ['a list of objects', `{"events":[${'{},'.repeat(1_000_000)}`, {}],
    ['lists in lists', '['.repeat(2_000_000), {}],
    ['lines', '1\n'.repeat(1001), lines],
    ['lines of many numbers', `[${'1,'.repeat(1_000_000)}\n[${'1,'.repeat(1_000_000)}`, lines],
  ])('as %s', async (_, body, headers) => {
    const { url } = await served(newPath());
    const { status, text } = await ask(`${url}/v1/events`, { body, headers });
    expect([status, JSON.parse(text).error]).toEqual([
      413,
      {
        code: 'too-many',
        message: expect.stringMatching(
          /^Expected .*, got more\. Nothing was processed: send smaller requests\.$/,
        ),
      },
    ]);
  });

  test('but texts may be long', async () => {
    const { url } = await served(newPath());
    const result = `a,[{"\\`.repeat(500_000);
    expect((await tellEvents(url, lookup(0, { result })))[0]!.faults).toEqual([]);
  });
});

describe('a cost', () => {
  const costs = [
    { usd: 1e308, tokens: 1e308 },
    { usd: 1e308 },
    { usd: -5, tokens: -7 },
    { usd: '9' },
    { usd: 0.5, tokens: 100 },
  ];

  test('that cannot be is left out, and the others add up', async () => {
    const before = await figures();
    const events = costs.map((cost, i) => lookup(i, { session: 'billed', cost, at: Date.now() }));
    // JSON has no infinity, but numbers that are read as one.
    const endless = JSON.stringify(
      lookup(9, { session: 'billed', at: Date.now(), cost: { usd: 0 } }),
    ).replace('"usd":0', '"usd":1e999');
    for (const { faults } of await tellEvents(
      seeded.url,
      `[${events.map((event) => JSON.stringify(event)).join()},${endless}]`,
    ))
      expect(faults).toEqual([]);
    const after = await figures();
    expect(after.stats).toEqual({
      usd: expect.closeTo(before.stats.usd + 0.5),
      tokens: before.stats.tokens + 100,
    });
    expect(after.metrics).toEqual({
      usd: expect.closeTo(before.metrics.usd + 0.5),
      tokens: before.metrics.tokens + 100,
    });
  });

  interface Costs {
    usd: number;
    tokens: number;
  }

  async function figures(): Promise<{ stats: Costs; metrics: Costs }> {
    const { usd, tokens } = await seeded.json<StatsAnswer>('/v1/stats?since=0');
    const { text } = await seeded.look('/metrics');
    const sample = (name: string): number =>
      Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)![1]);
    return {
      stats: { usd, tokens },
      metrics: { usd: sample('unrut_cost_usd_total'), tokens: sample('unrut_tokens_total') },
    };
  }
});

describe('a secret that is a name', () => {
  const key = 'sk-ant-api03-Zx81kQpLmN02bVcXyTrEwQaSdFgHjKlPoIuY';

  test.each([key, ...Object.values(SECRETS)])('is nowhere to be seen: %s', async (secret) => {
    const named = { session: secret, agent: `${secret}a`, parent: `${secret}p`, at: Date.now() };
    const verdicts = await tellEvents(
      seeded.url,
      [0, 1, 2, 3, 4].map((i) => lookup(i, named)),
    );
    expect(verdicts.map(({ step }) => step)).toEqual([0, 1, 2, 3, 4]);
    const own = await seeded.reading.reports.find('');
    const states = await Promise.all(own.map((session) => seeded.ledger.loadState(session)));
    const pages = await Promise.all(
      ['/v1/sessions', '/v1/signals'].map(async (path) => (await seeded.look(path)).text),
    );
    const session = await seeded.look(`/v1/sessions/${encodeURIComponent(secret)}`);
    expect(session.status).toBe(200);
    expect(
      JSON.stringify([verdicts, await seeded.ledger.entries(), own, states, pages, session.text]),
    ).not.toContain(secret);
  });

  test('is one session, also for hooks', async () => {
    const { url, ledger } = await served(newPath());
    const payload = {
      session_id: key,
      agent_id: `${key}a`,
      cwd: '/home/dev/project',
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
    };
    await ask(`${url}/v1/hooks/claude-code`, {
      body: JSON.stringify({ ...payload, tool_use_id: 't', tool_input: { file_path: 'a.ts' } }),
    });
    await tellEvents(url, lookup(0, { session: key }));
    const sessions = await ledger.sessions();
    expect(sessions.map(({ events }) => events)).toEqual([2]);
    expect(
      JSON.stringify([await ledger.entries(), await ledger.loadState(sessions[0]!.session)]),
    ).not.toContain(key);
  });

  test.each([
    '3f2a8c10-0001-4000-8000-000000000001',
    'ses_e1cd0c022ffeWlvTm8Cg91wqg0',
    'team/α run',
    'thread_abc123DEF456ghi789JKL012',
  ])('is not an id of a host: %s', async (session) => {
    const { url, ledger } = await served(newPath());
    await tellEvents(url, lookup(0, { session }));
    expect((await ledger.sessions()).map((each) => each.session)).toEqual([session]);
  });

  test('nor is a name without end kept', async () => {
    const { url, ledger } = await served(newPath());
    await tellEvents(url, lookup(0, { session: 'x '.repeat(10_000) }));
    expect((await ledger.sessions())[0]!.session.length).toBeLessThan(20);
  });
});
