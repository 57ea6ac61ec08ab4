import { accountOf } from '@unrut/engine/account/account';
import type { AgentEvent } from '@unrut/engine/event';
import type { GuardOptions } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { Ledger } from '@unrut/ledger/ledger';
import { createMemoryLedger } from '@unrut/ledger/memory';
import { forgive } from '@unrut/ledger/people/forgive';
import { NOTHING_SAID, type SaidChange } from '@unrut/ledger/people/said';
import type { Origin } from '@unrut/ledger/record';
import { createRecorder } from '@unrut/ledger/recorder';
import { asRecorded } from '@unrut/ledger/reports/recorded-entry';
import type { Reports, SessionRow, SessionsQuery } from '@unrut/ledger/reports/reports';
import { reportsOf } from '@unrut/ledger/sqlite/reports-of';
import { sessionLoops } from '@unrut/ledger/views/session-loops';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { momentsOf } from '@unrut/testing/trace';
import { type Case, check, checkSame } from '../../packages/testing/src/case.ts';

/** A ledger, and what tells about it. */
export interface ReportsUnderTest {
  ledger: Ledger;
  reports: Reports;
  /** Adds up what is only added up now and then. */
  settle?(): Promise<void>;
  close?(): Promise<void>;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OPENING = [
  'user "Make the cart test pass."',
  'Read {"file_path":"/home/dev/project/src/cart.ts"} -> "export const add = (cart, item) => [...cart, item];"',
];
const fails = (times: number): string =>
  `Bash {"command":"npm test"} -> exit 1 "FAIL test/cart.test.ts\\nexpected 2, got 3" x${times}`;
const RECOVERING = [
  ...OPENING,
  fails(5),
  'Edit {"file_path":"/home/dev/project/src/count.ts","old_string":"+ 1","new_string":""} -> "The file was updated."',
  'Bash {"command":"npm test"} -> exit 0 "Tests  25 passed (25)"',
  'say "The cart counts every lamp once."',
];
const HONEST = [
  ...OPENING,
  'Bash {"command":"npm test"} -> exit 0 "Tests  25 passed (25)"',
  'Grep {"pattern":"1.19","path":"src"} -> "src/price.ts:1:export const price = (item) => item.net * 1.19;"',
  'say "The rate is a named constant now."',
];

interface Told {
  session: string;
  lines: readonly string[];
  /** When its last event was. */
  until: number;
  origin?: Origin;
  agent?: string;
  ended?: true;
  cost?: { tokens: number; usd: number };
  guard?: GuardOptions;
}

/**
 * What every ledger is told: sessions that loop, recover, work on, are silent, nested or only
 * watched. Events are two minutes apart, so that a ledger that shows new figures once a minute
 * shows all of them.
 */
const fixture = (now: number): Told[] => [
  {
    session: '0f3a91bc-old',
    lines: RECOVERING,
    until: now - 2 * DAY,
    ended: true,
    origin: { host: 'gemini-cli', folder: 'shop' },
    cost: { tokens: 100, usd: 0.01 },
  },
  {
    session: '0f3a91bc-recovered',
    lines: RECOVERING,
    until: now - 3 * HOUR - 61_000,
    ended: true,
    origin: { host: 'claude-code', folder: 'shop' },
    cost: { tokens: 1000, usd: 0.25 },
  },
  {
    session: '4b7e02d1-shadow',
    lines: [...OPENING, fails(4)],
    until: now - 90 * MINUTE - 7000,
    guard: { shadow: true },
  },
  {
    session: '5c11d0aa-stalled',
    lines: ['Read {"file_path":"src/a.ts"} -> "export const a = 1;"'],
    until: now - 40 * MINUTE,
    origin: { host: 'qwen-code', folder: 'lab', turns: true },
  },
  {
    session: 'a6f2c7d8-nested',
    lines: [...OPENING, fails(4)],
    until: now - 170_000,
    agent: 'a1',
    origin: { host: 'claude-code' },
  },
  {
    session: 'team/α run?x=1',
    lines: HONEST,
    until: now - 90_000,
    origin: { host: 'codex', folder: 'infra' },
  },
  {
    session: '91d0fe34-looping',
    lines: [...OPENING, fails(6)],
    until: now - 80_000,
    origin: { host: 'codex', folder: 'infra' },
    cost: { tokens: 10, usd: 0.5 },
  },
];

const ENDS = ['\u0001test-run'];

/** Tells a ledger what the fixture has, each event by itself. */
async function tell(ledger: Ledger, now: number): Promise<void> {
  for (const { session, lines, until, origin = {}, agent, ended, cost, guard } of fixture(now)) {
    const recorder = createRecorder(ledger, {
      can: ['note', 'hint', 'block', 'escalate', 'stop'],
      ...guard,
    });
    const events = momentsOf(lines).flatMap((moment) => moment.events);
    let isRefused = false;
    const observe = async (event: AgentEvent) => {
      const { value, error } = await recorder.record([event], { origin });
      check(error === undefined, `expected the fixture to be recorded, got ${String(error)}`);
      return value![0]!.plan;
    };
    for (const [i, given] of events.entries()) {
      const at = until - (events.length - 1 - i) * 2 * MINUTE;
      const event = {
        ...given,
        session,
        at,
        id: `e${i}`,
        ...present({ agent }),
      } as AgentEvent;
      const finished =
        event.type === 'call-finished' ? { ...event, ...(cost ? { cost } : {}) } : event;
      const shown: AgentEvent =
        isRefused && finished.type === 'call-finished'
          ? { ...finished, refusedBy: 'unrut', result: 'refused', error: undefined }
          : finished;
      const plan = await observe(shown);
      isRefused = event.type === 'call-proposed' && plan?.rung === 'block';
      if (!plan) continue;
      const performed = {
        plan: plan.id,
        rung: plan.rung === 'hint' ? ('note' as const) : plan.rung,
      };
      await observe({
        type: 'plan-performed',
        session,
        at: at + MINUTE,
        id: `p${i}`,
        ...performed,
        ...present({ agent }),
      });
    }
    if (ended)
      await observe({
        type: 'session-ended',
        session,
        at: until + 2 * MINUTE,
        id: 'end',
        outcome: 'done',
      });
  }
  for (const run of ['team/α run?x=1', '91d0fe34-looping'])
    await ledger.saveState(`${run}${ENDS[0]}`, { run });
}

/**
 * In one order, so that it can be compared: of what is counted by name no ledger says in which
 * order it comes.
 */
function ordered(value: unknown): unknown {
  if (value instanceof Map)
    return [...value]
      .map(([key, each]) => [key, ordered(each)])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value === 'number') return Math.round(value * 1e6) / 1e6;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    fields
      .map(([name, each]) => [name, ordered(each)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

const same = (given: unknown, expected: unknown, what: string): void =>
  checkSame(ordered(given), ordered(expected), what);

async function pages<Page extends { next?: object }, Query extends { most: number }>(
  ask: (query: Query) => Promise<Page>,
  query: Query,
): Promise<Page[]> {
  const found = [await ask(query)];
  while (found.at(-1)!.next && found.length < 100)
    found.push(await ask({ ...query, after: found.at(-1)!.next }));
  return found;
}

/** Questions about sessions, each with the sessions that must be found. */
const QUESTIONS = (now: number): [query: Omit<SessionsQuery, 'most'>, found: string[]][] => [
  [{ states: ['looping'] }, ['91d0fe34-looping', 'a6f2c7d8-nested']],
  [{ states: ['running'] }, ['team/α run?x=1']],
  [{ states: ['silent'] }, ['4b7e02d1-shadow']],
  [{ states: ['stalled'] }, ['5c11d0aa-stalled']],
  [{ states: ['ended', 'silent'] }, ['4b7e02d1-shadow', '0f3a91bc-recovered', '0f3a91bc-old']],
  [{ host: 'codex' }, ['91d0fe34-looping', 'team/α run?x=1']],
  [{ folder: 'shop' }, ['0f3a91bc-recovered', '0f3a91bc-old']],
  [{ since: now - HOUR, looped: true }, ['91d0fe34-looping', 'a6f2c7d8-nested']],
  [{ search: 'GEMINI' }, ['0f3a91bc-old']],
  [{ search: 'Α RUN' }, ['team/α run?x=1']],
  [{ search: 'nothing like this' }, []],
  [{ sort: 'wasted', looped: true, folder: 'infra' }, ['91d0fe34-looping']],
];

/**
 * The suite that the reports of every ledger pass. `open` gives a new, empty ledger each time,
 * whose clock says `now`.
 */
export function testReports(
  name: string,
  open: (now: () => number) => ReportsUnderTest | Promise<ReportsUnderTest>,
): Case[] {
  // Yesterday, so that whoever divides by days has one that is over.
  const now = Math.floor(Date.now() / DAY) * DAY - 12 * HOUR;
  const clock = (): number => now;

  const on = (
    title: string,
    run: (reports: Reports, usual: Reports, ledger: Ledger) => Promise<void>,
  ): Case => ({
    name: `${name}: ${title}`,
    run: async () => {
      const { ledger, reports, settle, close } = await open(clock);
      try {
        const memory = createMemoryLedger();
        for (const each of [memory, ledger]) await tell(each, now);
        await settle?.();
        await run(reports, reportsOf(memory, clock), ledger);
      } finally {
        await reports.close();
        await (close ?? ledger.close)();
      }
    },
  });
  const namesOf = (rows: readonly SessionRow[]): string[] => rows.map(({ session }) => session);

  return [
    on(
      'lists sessions with all their figures, and what there is to choose from',
      async (reports, usual) => {
        const report = await reports.sessions({ most: 50, facets: true });
        same(report, await usual.sessions({ most: 50, facets: true }), 'sessions');
        same(
          report.states,
          { looping: 2, stalled: 1, stopped: 0, running: 1, silent: 1, ended: 2 },
          'states',
        );
        same(
          [report.total, report.hosts, report.folders],
          [7, ['claude-code', 'codex', 'gemini-cli', 'qwen-code'], ['infra', 'lab', 'shop']],
          'facets',
        );
        const looping = report.sessions.find(({ session }) => session.endsWith('looping'))!;
        same(
          [looping.steps > 6, looping.loops, looping.wasted.steps > 0, looping.state],
          [true, 1, true, 'looping'],
          'looping',
        );
        const honest = report.sessions.find(({ session }) => session.startsWith('team'))!;
        same(
          [honest.loops, honest.wasted, honest.plans],
          [0, { steps: 0, tokens: 0, usd: 0 }, 0],
          'honest',
        );
      },
    ),
    on(
      'compares the arms of a trial, and leaves out who was switched off or on',
      async (reports, _, ledger) => {
        same(await reports.trials(), [], 'no trial');
        await tellTrial(ledger, now);
        const [trial, ...others] = await reports.trials();
        const { guarded, recorded, measures, verdict } = trial!;
        same([others.length, trial!.trial, trial!.left, verdict], [0, '50%', 2, 'less'], 'trial');
        same([guarded + recorded, Math.min(guarded, recorded) >= 30], [78, true], 'sessions');
        same([trial!.acted, trial!.falseAlarms], [0, 1], 'false alarms');
        const told = Object.fromEntries(measures.map((each) => [each.name, each]));
        // One failed call each, and twelve of which all but the first are lost.
        same([told.failed!.guarded, told.failed!.recorded], [1, 12], 'failed calls');
        same([told.wasted!.guarded, told.wasted!.recorded], [0, 91.6667], 'steps lost');
        same(
          [told.steps!.recorded, told.long!.recorded, told.ended!.guarded],
          [12, 100, 100],
          'rest',
        );
      },
    ),
    on('gives sessions page by page, each once', async (reports, usual) => {
      const found = (await pages(reports.sessions, { most: 2 })).flatMap(({ sessions }) =>
        namesOf(sessions),
      );
      same(found, namesOf((await usual.sessions({ most: 50 })).sessions), 'pages');
      const looped = (await pages(reports.sessions, { most: 1, looped: true })).flatMap(
        ({ sessions }) => namesOf(sessions),
      );
      same(
        looped,
        [
          '91d0fe34-looping',
          'a6f2c7d8-nested',
          '4b7e02d1-shadow',
          '0f3a91bc-recovered',
          '0f3a91bc-old',
        ],
        'those with a loop',
      );
    }),
    on('finds sessions by what is asked for', async (reports, usual) => {
      for (const [query, found] of QUESTIONS(now)) {
        const report = await reports.sessions({ most: 50, ...query });
        same(
          [namesOf(report.sessions), report.total],
          [found, found.length],
          JSON.stringify(query),
        );
      }
      for (const sort of ['state', 'since', 'wasted', 'agent', 'project'] as const) {
        const [one, other] = [
          await reports.sessions({ most: 50, sort }),
          await usual.sessions({ most: 50, sort }),
        ];
        same(namesOf(one.sessions), namesOf(other.sessions), `sorted by ${sort}`);
      }
    }),
    on('tells of one session, and what happened in it', async (reports, usual) => {
      for (const { session } of fixture(now)) {
        same(await reports.session(session), await usual.session(session), session);
        const [one, other] = [(await reports.history(session))!, (await usual.history(session))!];
        same(timelineOf(one.entries), timelineOf(other.entries), `moments of ${session}`);
        const loopsIn = ({ entries }: typeof one) =>
          sessionLoops(accountOf(entries.map(asRecorded)), timelineOf(entries), false);
        same(loopsIn(one), loopsIn(other), `loops of ${session}`);
        same([one.whole, one.cut], [true, false], session);
      }
      same(
        [await reports.session('none'), await reports.history('none'), await reports.session('')],
        [undefined, undefined, undefined],
        'none',
      );
    }),
    on('finds names, and what sessions can be called', async (reports, usual) => {
      same((await reports.find('0f3a')).sort(), ['0f3a91bc-old', '0f3a91bc-recovered'], 'find');
      same(
        [await reports.find('0f3a91bc-recovered x'), (await reports.find('')).length],
        [[], 7],
        'find',
      );
      const asked = ['0f3a91bc-old', '91d0fe34-looping'];
      const [one, other] = [await reports.names(asked), await usual.names(asked)];
      same(
        asked.map((each) => one.get(each)),
        asked.map((each) => other.get(each)),
        'names',
      );
      same(one.get('91d0fe34-looping'), '91d0fe34', 'the shortest name');
    }),
    on('lists signals, the newest first, page by page', async (reports, usual) => {
      for (const query of [
        {},
        { detector: 'repeated-call' },
        { session: '0f3a91bc-old' },
        { since: now - HOUR },
        { detector: 'none' },
      ]) {
        const found = (await pages(reports.signals, { most: 3, ...query })).flatMap(
          ({ signals }) => signals,
        );
        const { signals } = await usual.signals({ most: 200, ...query });
        same(found, signals, `signals ${JSON.stringify(query)}`);
        check(signals.length > 0 || query.detector === 'none', 'expected signals to compare');
      }
    }),
    on('adds up what was done, seen, tried and wasted', async (reports, usual) => {
      for (const query of [
        { since: 0, by: 'day' },
        { since: 0, by: 'hour' },
        { since: now - 4 * HOUR, by: 'hour' },
        { since: now - DAY - 12 * HOUR, by: 'day' },
        { since: now + DAY, by: 'day' },
        { since: 0, by: 'day', costliest: 'steps' },
        { since: 0, by: 'day', costliest: 'tokens' },
      ] as const)
        same(
          await reports.stats(query),
          await usual.stats(query),
          `stats ${JSON.stringify(query)}`,
        );
      const { sessions, looping, steps, tokens, wasted } = await reports.stats({
        since: 0,
        by: 'day',
      });
      same(
        [sessions, looping, steps > 30, tokens > 0, wasted.steps > 0],
        [7, 5, true, true, true],
        'sums',
      );
    }),
    on('tells what was tried, and how often it worked', async (reports, usual) => {
      for (const query of [
        { since: 0, most: 50 },
        { since: now - 4 * HOUR, most: 2 },
      ])
        same(
          await reports.recoveries(query),
          await usual.recoveries(query),
          `recoveries ${JSON.stringify(query)}`,
        );
      const { plans, latest } = await reports.recoveries({ since: 0, most: 50 });
      const sum = (field: 'recovered' | 'notPerformed' | 'shadow'): number =>
        [...plans.values()].reduce((all, row) => all + row[field], 0);
      same(
        [sum('recovered') > 0, sum('notPerformed') > 0, sum('shadow') > 0, latest.length > 3],
        [true, true, true, true],
        'plans',
      );
    }),
    on('tells what each detector saw', async (reports, usual) => {
      for (const since of [0, now - 4 * HOUR, now + DAY])
        same(await reports.detectors({ since }), await usual.detectors({ since }), `${since}`);
      check((await reports.detectors({ since: 0 })).detectors.size > 0, 'expected a detector');
    }),
    on('lists runs, the latest first', async (reports) => {
      const found = (await pages(reports.runs, { ends: ENDS, most: 1 })).flatMap(
        ({ runs }) => runs,
      );
      same(
        found.map(({ run }) => run),
        ['91d0fe34-looping', 'team/α run?x=1'],
        'runs',
      );
      same((await reports.runs({ ends: ['\u0001none'], most: 5 })).runs, [], 'no runs');
    }),
    on('feeds what is added, each entry once and in order', async (reports, _, ledger) => {
      const { feed } = reports;
      const place = await feed.newest();
      same(await feed.after(place, 10), [], 'nothing yet');
      const recorder = createRecorder(ledger);
      for (const i of [1, 2, 3]) {
        const call = { id: `c${i}`, tool: 'Read', args: { file_path: `/${i}.ts` } };
        const event = {
          type: 'call-finished',
          session: 'team/α run?x=1',
          at: now + i * MINUTE,
          id: `new ${i}`,
          call,
        } as const;
        await recorder.record([{ ...event, result: `export const part = ${i};` }]);
      }
      const found = await fedEntries(feed, place, 3);
      same(
        found.map(({ at, kind }) => [at - now, kind]),
        [1, 2, 3].map((i) => [i * MINUTE, 'event']),
        'fed',
      );
      const [first, second] = found;
      same(
        (await feed.after(first!.place, 1))!.map(({ id }) => id),
        [second!.id],
        'goes on',
      );
      same(
        [feed.isAfter(second!.place, first!.place), feed.isAfter(first!.place, second!.place)],
        [true, false],
        'order',
      );
    }),
  ];
}

/** Sessions of a trial that loop in one arm and end at once in the other. */
async function tellTrial(ledger: Ledger, now: number): Promise<void> {
  const recorder = createRecorder(ledger, { trial: { share: 0.5 } });
  const guarded: string[] = [];
  for (let i = 0; i < 80; i++) {
    const session = `tried-${i}`;
    const events: AgentEvent[] = [{ type: 'user-spoke', session, at: now, id: `${i} asked` }];
    const add = (n: number): void => {
      const call = { id: `${i} ${n}`, tool: 'Bash', args: { command: 'npm test' } };
      const about = { session, at: now + n, id: `${i} ${n}`, origin: { repo: `repo-${i % 2}` } };
      events.push({ type: 'call-finished', call, error: 'Error: no such module', ...about });
    };
    add(1);
    const { value } = await recorder.record(events);
    // Who is only recorded goes on for twelve calls.
    events.length = 0;
    if (value![0]!.drawn!.arm === 'recorded') for (let n = 2; n <= 12; n++) add(n);
    events.push({ type: 'session-ended', session, at: now + 20, id: `${i} end` });
    const said: Origin | undefined = ([{ mode: 'off' }, { isOn: true }] as const)[i];
    await recorder.record(events, said ? { origin: { ...said, host: 'codex' } } : {});
    if (value![0]!.drawn!.arm === 'guarded') guarded.push(session);
  }
  // One is about a session that has left.
  for (const session of [guarded.at(-1)!, 'tried-0', 'tried-1'])
    await forgive(ledger, async (_: number, change: SaidChange) => change(NOTHING_SAID), {
      ...{ scope: 'call', folder: '', at: now },
      alarm: {
        ...{ session, at: now, step: 1, keys: ['k'], detectors: ['cycle'], label: 'npm test' },
        signal: { detector: 'cycle', variant: 'soft', count: 3, text: 'again' },
      },
    });
}

/** Waits for entries that others may still hold back. */
async function fedEntries(
  feed: Reports['feed'],
  place: string,
  count: number,
): Promise<Awaited<ReturnType<typeof feed.after>> & object> {
  const ending = new AbortController();
  for await (const _ of feed.turns(ending.signal)) {
    const found = (await feed.after(place, 100)) ?? [];
    if (found.length < count) continue;
    ending.abort();
    return found;
  }
  return [];
}
