import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import { statsOf } from '@unrut/ledger/reports/stats';
import { reportsOf } from '@unrut/ledger/sqlite/reports-of';
import { timelineOf } from '@unrut/ledger/views/timeline';
import type {
  DetectorsAnswer,
  RecoveriesAnswer,
  RunAnswer,
  RunsAnswer,
  SessionAnswer,
  SessionsAnswer,
  SignalsAnswer,
  StatsAnswer,
  StatusAnswer,
} from '@unrut/server/api/answers';
import { beforeAll, describe, expect, test } from 'vitest';
import { record, SEEDED } from './seeded-ledger.ts';
import { type SeededServer, seededServer } from './seeded-server.ts';

let server: SeededServer;
beforeAll(async () => {
  server = await seededServer();
});

const encoded = (session: string): string => `/v1/sessions/${encodeURIComponent(session)}`;

/** All pages of a list, one after the other. */
async function pages<Page extends { next?: string }>(path: string): Promise<Page[]> {
  const found: Page[] = [await server.json<Page>(path)];
  while (found.at(-1)!.next !== undefined)
    found.push(
      await server.json<Page>(`${path}&cursor=${encodeURIComponent(found.at(-1)!.next!)}`),
    );
  return found;
}

describe('GET /v1/sessions', () => {
  test('sums every session up as the commands do', async () => {
    const { sessions, total } = await server.json<SessionsAnswer>('/v1/sessions?limit=200');
    expect(sessions).toHaveLength(total);
    for (const { session, ...row } of sessions) {
      const { session: _, ...summary } = sessionFiguresOf(
        session,
        await server.ledger.entries({ session }),
      );
      expect(row, session).toMatchObject(summary);
    }
  });

  test('gives them page by page, each once, the most recently active first', async () => {
    const found = (await pages<SessionsAnswer>('/v1/sessions?limit=4')).flatMap(
      ({ sessions }) => sessions,
    );
    const { sessions } = await server.json<SessionsAnswer>('/v1/sessions?limit=200');
    expect(found.map(({ session }) => session)).toEqual(sessions.map(({ session }) => session));
    const times = sessions.map(({ last }) => last);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test.each<[string, (keyof typeof SEEDED)[]]>([
    ['state=looping', ['looping', 'nested']],
    ['state=running', ['running']],
    ['state=looping,running&host=claude-code', ['running', 'nested']],
    ['host=gemini-cli', ['recovered']],
    ['search=CURSOR', ['stopped']],
    ['search=infra', ['stopped']],
    ['since=10m&host=codex', ['looping']],
    ['search=nothing+like+this', []],
  ])('%s finds %j', async (query, names) => {
    const { sessions, total } = await server.json<SessionsAnswer>(`/v1/sessions?${query}`);
    expect(sessions.map(({ session }) => session).sort()).toEqual(
      names.map((name) => SEEDED[name]).sort(),
    );
    expect(total).toBe(names.length);
  });

  test('says how many are in which state, and which programs there are, whatever is asked for', async () => {
    const { states, hosts } = await server.json<SessionsAnswer>('/v1/sessions?host=nobody');
    expect(states).toMatchObject({ looping: 2, running: 1, silent: 1 });
    expect(hosts).toEqual(['claude-code', 'codex', 'cursor', 'gemini-cli', 'mcp']);
  });
});

describe('GET /v1/sessions/:id', () => {
  test.each(Object.values(SEEDED))('tells %s step by step as the command does', async (session) => {
    const { moments, total, strip } = await server.json<SessionAnswer>(encoded(session));
    expect(moments.map(({ loops: _, ...moment }) => moment)).toEqual(
      JSON.parse(JSON.stringify(timelineOf(await server.ledger.entries({ session })))),
    );
    expect({ total, letters: strip.length }).toEqual({
      total: moments.length,
      letters: moments.length,
    });
  });

  test('puts what repeats, what was said of it and what was done side by side', async () => {
    const { loops, session } = await server.json<SessionAnswer>(encoded(SEEDED.looping));
    expect(loops).toHaveLength(1);
    const [{ repeats, acts, place, wasted, ...loop }] = loops as [SessionAnswer['loops'][number]];
    expect(loop).toMatchObject({
      since: 3,
      firedAt: 5,
      last: 8,
      count: 5,
      rung: 'escalate',
      isOpen: true,
    });
    expect(repeats.map(({ what }) => what)).toEqual(Array(6).fill('npm test'));
    expect(
      acts.map(({ rung, times, outcomes }) => `${rung} ${times} ${outcomes.persisted}`),
    ).toEqual(['note 1 1', 'hint 1 1', 'block 1 1', 'escalate 1 0']);
    expect(place).toEqual({ start: 4, noticed: 6, end: 9 });
    // One of the five was refused and cost nothing.
    expect(wasted).toEqual({ steps: 5, tokens: 4 * 4200, usd: expect.closeTo(4 * 0.031) });
    expect(session.wasted).toEqual(wasted);
  });

  test('gives a page, from a moment on or around a step', async () => {
    const whole = await server.json<SessionAnswer>(encoded(SEEDED.stopped));
    const page = await server.json<SessionAnswer>(`${encoded(SEEDED.stopped)}?offset=2&limit=3`);
    expect(page).toMatchObject({
      offset: 2,
      total: whole.total,
      strip: whole.strip,
      moments: whole.moments.slice(2, 5),
    });
    const around = await server.json<SessionAnswer>(`${encoded(SEEDED.stopped)}?around=5&limit=3`);
    expect(around.moments.map(({ step }) => step)).toEqual([4, 5, 6]);
    const newest = await server.json<SessionAnswer>(`${encoded(SEEDED.stopped)}?limit=2`);
    expect(newest.moments).toEqual(whole.moments.slice(-2));
  });

  test('continues as the session does', async () => {
    const before = await server.json<SessionAnswer>(encoded('goes-on'));
    expect(before).toMatchObject({
      error: { code: 'unknown-session', message: expect.stringMatching(/^No such session: .*\.$/) },
    });
    const lines = ['Read {"file_path":"/home/dev/project/a.ts"} -> "export const a = 1;"'];
    for (const more of [1, 2]) {
      await record(server.ledger, { session: 'goes-on', lines, until: Date.now() });
      const { moments, session } = await server.json<SessionAnswer>(encoded('goes-on'));
      expect(moments.filter(({ step }) => step !== undefined)).not.toHaveLength(0);
      expect(session.last).toBeGreaterThan(0);
      expect(
        (await server.json<StatsAnswer>('/v1/stats')).hosts.find(({ host }) => host === '')!.steps,
      ).toBe(20 + more);
    }
    await server.ledger.forget('goes-on');
  });
});

describe('GET /v1/signals', () => {
  test('gives all of them page by page, the newest first', async () => {
    const found = (await pages<SignalsAnswer>('/v1/signals?limit=7')).flatMap(
      ({ signals }) => signals,
    );
    const recorded = await server.ledger.entries({ kind: 'signal' });
    expect(found.map(({ id }) => id).sort()).toEqual(recorded.map(({ id }) => id).sort());
    const times = found.map(({ at }) => at);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test('can be narrowed, and tells whose and at which tool', async () => {
    const { signals } = await server.json<SignalsAnswer>(
      `/v1/signals?detector=repeated-call&session=${SEEDED.looping}`,
    );
    expect(signals.map(({ count }) => count)).toEqual([5, 4, 3]);
    expect(signals[0]).toMatchObject({
      detector: 'repeated-call',
      host: 'codex',
      tool: 'Bash',
      advice: false,
      session: SEEDED.looping,
    });
  });
});

describe('figures', () => {
  test('are those of unrut stats', async () => {
    const { recoveries, tools, detectors, ...sums } = await statsOf(reportsOf(server.ledger));
    const answer = await server.json<StatsAnswer>('/v1/stats?since=0');
    const { usd, wasted } = sums;
    expect(answer).toMatchObject({
      ...sums,
      usd: expect.closeTo(usd),
      wasted: { ...wasted, usd: expect.closeTo(wasted.usd) },
    });
    const sorted = (rows: readonly object[]): string[] =>
      rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort();
    expect(sorted(answer.recoveries)).toEqual(sorted(recoveries));
    expect(sorted(answer.tools)).toEqual(sorted(tools));
    expect(sorted(answer.detectors)).toEqual(sorted(detectors));
  });

  test.each(['hour', 'day'] as const)('add up by the %s', async (by) => {
    const { time, hosts, ...sums } = await server.json<StatsAnswer>(`/v1/stats?by=${by}`);
    const total = (
      rows: readonly { steps: number; tokens: number; wasted: { steps: number; tokens: number } }[],
    ) =>
      rows.reduce(
        (sum, { steps, tokens, wasted }) => [
          sum[0]! + steps,
          sum[1]! + tokens,
          sum[2]! + wasted.steps,
          sum[3]! + wasted.tokens,
        ],
        [0, 0, 0, 0],
      );
    const expected = [sums.steps, sums.tokens, sums.wasted.steps, sums.wasted.tokens];
    expect(total(time)).toEqual(expected);
    expect(total(hosts)).toEqual(expected);
    expect(time.length).toBeGreaterThanOrEqual(7);
    expect(new Set(time.map(({ at }) => at % (by === 'hour' ? 3_600_000 : 86_400_000)))).toEqual(
      new Set([0]),
    );
  });

  test('of a time leave out what was before', async () => {
    const all = await server.json<StatsAnswer>('/v1/stats');
    const late = await server.json<StatsAnswer>('/v1/stats?since=12h');
    expect(late.sessions).toBeLessThan(all.sessions);
    expect(late.costliest.map(({ session }) => session)).toContain(SEEDED.looping);
  });

  test('of recoveries tell what was tried, for which failure and tool, and its outcome', async () => {
    const { recoveries, tools, detectors, failures, latest } =
      await server.json<RecoveriesAnswer>('/v1/recoveries');
    expect(recoveries.find(({ rung }) => rung === 'block')).toMatchObject({
      recovery: 'refuse-repeat',
      plans: 15,
      recovered: 9,
    });
    expect(tools.find(({ tool }) => tool === 'browser_click')).toMatchObject({
      recovery: 'hint-failure',
      plans: 3,
      recovered: 3,
    });
    expect(detectors.find(({ detector }) => detector === 'repeated-call')!.plans).toBe(39);
    expect(failures).toContainEqual(
      expect.objectContaining({
        failure: 'failing-test',
        move: 'read-failing-test',
        followed: 8,
        recovered: 8,
      }),
    );
    expect(latest.find(({ session }) => session === SEEDED.looping)).toMatchObject({
      rung: 'escalate',
    });
    expect(latest.find(({ session }) => session === SEEDED.recovered)).toMatchObject({
      rung: 'block',
      outcome: 'recovered',
      tool: 'Bash',
    });
  });

  test('of detectors tell what is in force, where that is said, and what they saw', async () => {
    const { preset, detectors } = await server.json<DetectorsAnswer>('/v1/detectors');
    expect(preset).toBe('recommended');
    const cycle = detectors.find(({ name }) => name === 'cycle')!;
    expect(cycle.options.find(({ key }) => key === 'detectors.cycle.laps')).toMatchObject({
      value: 4,
      default: 3,
      from: 'UNRUT_DETECTORS_CYCLE_LAPS',
      variable: 'UNRUT_DETECTORS_CYCLE_LAPS',
    });
    expect(cycle).toMatchObject({
      isOn: true,
      signals: 0,
      last: null,
      words: expect.stringMatching(/\.$/),
    });
    const repeated = detectors.find(({ name }) => name === 'repeated-call')!;
    expect(repeated).toMatchObject({
      signals: 24,
      sessions: 11,
      rungs: { first: 'note', highest: 'stop' },
    });
    expect(repeated.tools[0]).toMatchObject({ tool: 'npm test' });
  });
});

describe('runs', () => {
  test('are reported as their orchestrator would report them', async () => {
    const { loopDetection, ...status } = await server.json<StatusAnswer>('/v1/status');
    expect(status).toMatchObject({ running: false, run: SEEDED.roadmap, runs: [], tickCount: 15 });
    expect(
      Object.fromEntries(
        Object.entries(loopDetection).map(([task, { attemptCount }]) => [task, attemptCount]),
      ),
    ).toEqual({
      T1: 1,
      T2: 6,
      T3: 5,
    });
  });

  test('are listed page by page, of prompts too', async () => {
    const found = (await pages<RunsAnswer>('/v1/runs?limit=1')).flatMap(({ runs }) => runs);
    expect(found.map(({ run, kind, ending }) => [run, kind, ending])).toEqual([
      [SEEDED.roadmap, 'roadmap', 'escalated'],
      [SEEDED.prompt, 'prompt', 'done'],
    ]);
    expect(found[1]).toMatchObject({
      tickCount: 2,
      file: 'PROMPT.md',
      loopDetection: { 'PROMPT.md': { attemptCount: 2 } },
    });
  });

  test('have tasks with their attempts, and the context of the next prompt', async () => {
    const { tasks, context } = await server.json<RunAnswer>(`/v1/runs/${SEEDED.roadmap}`);
    expect(
      tasks.map(({ title, status, attempts, latest }) => [title, status, attempts, latest.length]),
    ).toEqual([
      ['Set up the shop', 'done', 1, 1],
      ['Pay by card', 'blocked', 6, 6],
      ['Print the invoice', 'needs_review', 5, 5],
    ]);
    expect(tasks[1]!.latest[0]).toMatchObject({
      blockers: ['the key of the payment service is missing'],
      session: 'T2#1',
    });
    expect(new Set(context.map(({ topic }) => topic))).toEqual(
      new Set(['loop_recovery', 'unblock_authority', 'loop_recovery_directive', 'loop_escalation']),
    );
    expect(
      (await server.json<RunAnswer>(`/v1/runs/${SEEDED.prompt}`)).tried.map(({ what }) => what),
    ).toEqual(['Wrote the parser.', 'Wrote its tests.']);
  });
});

test.each([
  ['/v1/sessions?limit=0', 'Expected `limit` to be an integer from 1 to 1000, got `0`.'],
  ['/v1/sessions?limit=many', 'Expected `limit` to be an integer from 1 to 1000, got `"many"`.'],
  ['/v1/sessions?limit=', 'Expected `limit` to be an integer from 1 to 1000'],
  [
    '/v1/sessions?state=bored',
    'Expected `state` to be one or more of looping, stalled, stopped, running, silent, ended',
  ],
  [
    '/v1/sessions?since=yesterday',
    'Expected `since` to be epoch milliseconds, 30m, 24h, 7d, 2w or a date',
  ],
  [
    '/v1/sessions?cursor=x',
    'Expected `cursor` to be the next value of an earlier response, got `"x"`.',
  ],
  [
    '/v1/sessions?bogus=1',
    'Unknown query parameter `bogus`. Known: state, host, model, release, repo, team, person, folder, loops, incident, sort, since, search, limit, cursor.',
  ],
  ['/v1/sessions?serch=x', 'Unknown query parameter `serch`. Did you mean `search`?'],
  ['/v1/status?x', 'Unknown query parameter `x`. Known: none.'],
  ['/v1/signals?limit=501', 'Expected `limit` to be an integer from 1 to 500'],
  ['/v1/signals?detector=repeated-cal', 'Did you mean `repeated-call`?'],
  ['/v1/stats?by=week', 'Expected `by` to be one of hour, day'],
  ['/v1/stream?kind=gossip', 'Expected `kind` to be one or more of event'],
  ['/v1/runs/a%00b', 'Expected an address without %00'],
  [
    '/v1/sessions?since=1794982000',
    'Expected `since` to be epoch milliseconds, not seconds (multiply by 1000), got `"1794982000"`.',
  ],
  ['/v1/sessions?sort=waste', 'Did you mean `wasted`?'],
  ['/v1/sessions/a%00b', 'Expected an address without %00'],
])('%s is refused in one line', async (path, said) => {
  const { status, text } = await server.look(path);
  expect(status, text).toBe(400);
  expect(JSON.parse(text).error).toEqual({
    code: 'bad-query',
    message: expect.stringContaining(said),
  });
});

test('a ledger that was not there yet, or was deleted, has nothing to show', async () => {
  await server.ledger.forget();
  const until = Date.now() + 10_000;
  let answer = await server.json<SessionsAnswer>('/v1/sessions');
  while (answer.total > 0 && Date.now() < until)
    answer = await server.json<SessionsAnswer>('/v1/sessions');
  expect(answer).toEqual({
    sessions: [],
    total: 0,
    states: { looping: 0, stalled: 0, stopped: 0, running: 0, silent: 0, ended: 0 },
    hosts: [],
    failing: 0,
    folders: [],
  });
  expect(await server.json<StatsAnswer>('/v1/stats')).toMatchObject({
    sessions: 0,
    steps: 0,
    time: [],
  });
  expect(await server.json<StatusAnswer>('/v1/status')).toMatchObject({
    running: false,
    run: null,
    tickCount: 0,
    loopDetection: {},
  });
});
