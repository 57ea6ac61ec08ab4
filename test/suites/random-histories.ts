import { accountOf, addEntry, startAccount, sumsOf } from '@unrut/engine/account/account';
import { LOOP_ENDINGS } from '@unrut/engine/account/loop';
import { isAdvice, isOnTrial } from '@unrut/engine/detectors';
import { RUNGS, type Rung } from '@unrut/engine/event';
import { present } from '@unrut/engine/json';
import type { Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { asRecorded, type RecordedEvent } from '@unrut/ledger/reports/recorded-entry';
import type { Reports, SessionRow, SessionsQuery } from '@unrut/ledger/reports/reports';
import { check, checkSame } from '../../packages/testing/src/case.ts';
import { checkInsights, foldedSession } from './insights-fold.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SILENT = 5 * MINUTE;

/** Numbers from 0 to 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomOf(seed);
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  is(share: number): boolean {
    return this.#next() < share;
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}

const TOOLS = ['npm test', 'Read', 'search', 'POST'];
/** Loops, advice, and one on trial. */
const SEEN = [
  ['repeated-call', 'consecutive'],
  ['repeated-error', 'same'],
  ['cycle', 'several-calls'],
  ['stale-poll', 'often'],
  ['drifting-click', 'soft'],
] as const;
const RECOVERIES = ['say-what-repeats', 'offer-untried', 'refuse-repeat', 'ask-human'];
const OUTCOMES = ['recovered', 'persisted', 'relapsed', 'unknown'] as const;
const HOSTS = ['claude-code', 'codex', 'gemini-cli', undefined];
const FOLDERS = ['shop', 'infra', 'docs', undefined];

const REPOS = ['shop', 'infra', undefined];
const RELEASES = ['v41', 'v42', undefined];
const TEAMS = ['web', 'data', undefined];
const MODELS = ['m1', 'm2', undefined];
const PEOPLE = ['ana', 'ben', 'cy', undefined];

/** Signals of a session that are all kept, so that a cost told at its end is shared out exactly. */
const KEPT = 8;

/** A session that somebody made up: any entries, in any order that can come. */
function historyOf(chance: Chance, session: string, now: number): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  const [host, folder] = [chance.of(HOSTS), chance.of(FOLDERS)];
  const origin = {
    ...present({ host, folder, repo: chance.of(REPOS), release: chance.of(RELEASES) }),
    ...present({ team: chance.of(TEAMS), model: chance.of(MODELS), person: chance.of(PEOPLE) }),
  };
  const agents = chance.is(0.2) ? [undefined, 'a1', 'a2'] : [undefined];
  const steps = new Map<string | undefined, number>();
  const plans: { id: string; agent: string | undefined; rung: Rung }[] = [];
  let at = now - chance.below(3 * DAY) - (chance.is(0.3) ? 0 : HOUR);
  if (chance.is(0.2)) at = now - chance.below(20 * MINUTE);

  function add(agent: string | undefined, kind: LedgerEntry['kind'], data: object): void {
    const step = steps.get(agent) ?? 0;
    entries.push({
      id: `${session}/${entries.length}`,
      session,
      at: Math.min(at, now),
      kind,
      step,
      ...(agent === undefined ? {} : { agent }),
      data: data as LedgerEntry['data'],
    });
  }

  function addFound(agent: string | undefined): void {
    const step = steps.get(agent) ?? 0;
    const streak = `s${chance.below(3)}`;
    const [detector, variant] = chance.of(SEEN);
    if (chance.is(0.6))
      add(agent, 'signal', {
        detector,
        variant,
        step,
        since: Math.max(0, step - chance.below(6)),
        count: 2 + chance.below(5),
        strength: chance.below(10) / 10,
        streak,
        rung: chance.of(RUNGS),
        evidence: { facts: {}, keys: [] },
        text: `${detector} of ${streak}`,
      });
    if (chance.is(0.4)) {
      const plan = { id: `p${plans.length}`, agent, rung: chance.of(RUNGS) };
      plans.push(plan);
      add(agent, 'plan', {
        id: plan.id,
        recovery: chance.of(RECOVERIES),
        rung: plan.rung,
        streak,
        reason: `${detector}/${variant}`,
        shadow: chance.is(0.2),
        toModel: '',
        toHuman: '',
      });
    }
    const plan = plans.length > 0 && chance.is(0.5) ? chance.of(plans) : undefined;
    if (plan && chance.is(0.5))
      add(plan.agent, 'outcome', {
        plan: plan.id,
        recovery: 'x',
        rung: plan.rung,
        reason: 'x/y',
        streak,
        outcome: chance.of(OUTCOMES),
        after: 1,
      });
    else if (plan)
      add(plan.agent, 'event', {
        type: 'plan-performed',
        plan: plan.id,
        failed: chance.is(0.2),
        ...origin,
        rung: chance.is(0.7) ? plan.rung : chance.of(RUNGS),
      });
  }

  const length = 1 + chance.below(16);
  for (let i = 0; i < length; i++) {
    const agent = chance.of(agents);
    // Some events come late.
    at += chance.is(0.1)
      ? -chance.below(3 * HOUR)
      : chance.below(chance.is(0.1) ? 5 * HOUR : 4 * MINUTE);
    const kind = chance.below(20);
    if (kind === 0) add(agent, 'event', { type: 'user-spoke', ...origin });
    else if (kind === 1) add(agent, 'fault', { where: 'guard', message: 'x' });
    else if (kind === 2) add(undefined, 'piece', {});
    else {
      const tool = chance.of(TOOLS);
      const cost = { tokens: chance.below(1000), usd: chance.below(100) / 64 };
      add(agent, 'event', {
        type: 'call-finished',
        tool,
        ...origin,
        ...(chance.is(0.7) ? { cost } : {}),
        seen: {
          call: { tool, label: `${tool} ${i}` },
          result: { known: true, ...(chance.is(0.3) ? { error: { label: 'E' } } : {}) },
        },
      });
      if (chance.is(0.5)) addFound(agent);
      steps.set(agent, (steps.get(agent) ?? 0) + 1);
    }
  }
  if (chance.is(0.3))
    add(undefined, 'event', {
      type: 'session-ended',
      ...origin,
      ...(chance.is(0.5) ? { well: true } : {}),
      ...(chance.is(0.3) && entries.filter(({ kind }) => kind === 'signal').length <= KEPT
        ? { cost: { usd: 0.5 } }
        : {}),
    });
  return entries;
}

/** What a session comes to, by all of its entries at once. */
export function rowIn(session: string, entries: readonly LedgerEntry[], now: number): object {
  const told = entries.filter(({ kind }) => kind !== 'piece').map(asRecorded);
  const account = accountOf(told);
  const events = told.flatMap((entry) => (entry.kind === 'event' ? [entry] : []));
  const plans = told.flatMap((entry) => (entry.kind === 'plan' ? [entry] : []));
  const ends = new Map<string, (typeof OUTCOMES)[number]>();
  for (const entry of told)
    if (entry.kind === 'outcome') ends.set(`${entry.agent} ${entry.data.plan}`, entry.data.outcome);
  const counts = (of: readonly string[]) =>
    Object.fromEntries(OUTCOMES.map((name) => [name, of.filter((each) => each === name).length]));
  const acted = plans.filter(({ data }) => !data.shadow);
  const last = Math.max(...entries.map(({ at }) => at));
  const own = events.filter(({ agent }) => agent === undefined);
  const isOver = own.at(-1)?.data.type === 'session-ended';
  const endedAt = entries.findLastIndex(({ data }) => data.type === 'session-ended');
  const before = Math.max(0, ...entries.slice(0, endedAt + 1).map(({ at }) => at));
  const isSaidAfter = entries
    .slice(endedAt + 1)
    .some(({ kind, at }) => kind === 'piece' && at > before);
  const ended = isOver && !isSaidAfter;
  const isStopped = stoppedIn(told);
  const state = ended
    ? 'ended'
    : isStopped
      ? 'stopped'
      : now - last > SILENT
        ? 'silent'
        : account.looping
          ? 'looping'
          : 'running';
  const why = told.findLast(
    (entry) => entry.kind === 'signal' && !isOnTrial(entry.data) && !isAdvice(entry.data),
  );
  return {
    session,
    host: events.find(({ data }) => data.host)?.data.host,
    folder: events.find(({ data }) => data.folder)?.data.folder,
    first: Math.min(...entries.map(({ at }) => at)),
    last,
    ended,
    state,
    steps: account.steps,
    loops: account.looped,
    looping: account.looping,
    tokens: account.tokens ?? 0,
    usd: account.usd ?? 0,
    wasted: account.wasted,
    plans: plans.length,
    outcomes: counts([...ends.values()]),
    acted: {
      plans: acted.length,
      ...counts(acted.flatMap(({ agent, data }) => ends.get(`${agent} ${data.id}`) ?? [])),
    },
    why: why?.kind === 'signal' ? why.data.text : undefined,
    doing: (
      events.findLast(({ data }) => data.seen?.call)?.data.seen as { call?: { label: string } }
    )?.call?.label,
    stuck: account.loops.some(({ open, ending }) => open || ending === 'never') || undefined,
    loopingSince: account.loops.findLast(({ open }) => open)?.at,
  };
}

function stoppedIn(told: readonly ReturnType<typeof asRecorded>[]): boolean {
  let isStopped = false;
  for (const { kind, agent, data } of told) {
    if (kind === 'plan' && data.rung === 'stop' && !data.shadow && !agent) isStopped = true;
    if (kind !== 'event') continue;
    const event = data as RecordedEvent;
    if (event.type === 'plan-performed')
      isStopped = !agent && event.rung === 'stop' && !event.failed;
    else if (event.type === 'user-spoke' || event.seen?.call) isStopped = false;
  }
  return isStopped;
}

type Row = SessionRow & { loopingSince?: number };
const bytes = (one = '', other = ''): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));
const STATES = ['looping', 'stalled', 'stopped', 'running', 'silent', 'ended'];
const ORDERS: { [sort: string]: (one: Row, other: Row) => number } = {
  state: (one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state),
  since: (one, other) => (one.loopingSince ?? one.first) - (other.loopingSince ?? other.first),
  wasted: (one, other) =>
    other.wasted.usd - one.wasted.usd || other.wasted.steps - one.wasted.steps,
  agent: (one, other) => bytes(one.host, other.host),
  project: (one, other) => bytes(one.folder, other.folder),
};
const newestFirst = (one: Row, other: Row): number =>
  other.last - one.last || bytes(one.session, other.session);

const QUERIES: [Omit<SessionsQuery, 'most'>, (row: Row, now: number) => boolean][] = [
  [{}, () => true],
  [{ looped: true }, ({ loops }) => loops > 0],
  [{ states: ['ended', 'stopped'] }, ({ state }) => state === 'ended' || state === 'stopped'],
  [
    { states: ['looping', 'silent', 'running'] },
    ({ state }) => state !== 'ended' && state !== 'stopped',
  ],
  [
    { host: 'codex', states: ['running'] },
    ({ host, state }) => host === 'codex' && state === 'running',
  ],
  [{ folder: 'shop', looped: true }, ({ folder, loops }) => folder === 'shop' && loops > 0],
  [{ search: 'CYCLE' }, ({ why = '' }) => why.includes('cycle')],
];

const SORTS = [undefined, 'state', 'since', 'wasted', 'agent', 'project'] as const;

/** Without what is not there, so that it can be compared. */
function plain(value: unknown): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]).sort());
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value === 0 ? 0 : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([name, each]) => [name, plain(each)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/**
 * The same, with the expected sums where they differ only because they were added in another order.
 */
function settled(given: unknown, expected: unknown): unknown {
  if (typeof given === 'number' && typeof expected === 'number')
    return Math.abs(given - expected) < 1e-6 ? expected : given;
  if (Array.isArray(given) && Array.isArray(expected))
    return given.map((each, i) => settled(each, expected[i]));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [
      name,
      settled(each, (expected as { [name: string]: unknown } | undefined)?.[name]),
    ]),
  );
}

const same = (given: unknown, expected: unknown, what: string): void => {
  const wanted = plain(expected);
  checkSame(settled(plain(given), wanted), wanted, what);
};

/** Only what the expected row has. */
const like = (row: object | undefined, expected: object): object =>
  Object.fromEntries(Object.keys(expected).map((name) => [name, row?.[name as never]]));

async function checkLists(
  reports: Reports,
  rows: readonly Row[],
  now: number,
  chance: Chance,
): Promise<void> {
  const { states, hosts, folders, total } = await reports.sessions({ most: 1, facets: true });
  const expected = Object.fromEntries(
    STATES.map((state) => [state, rows.filter((row) => row.state === state).length]),
  );
  same([states, total], [expected, rows.length], 'states');
  same(
    [hosts, folders],
    [
      [...new Set(rows.flatMap(({ host }) => host ?? []))].sort(),
      [...new Set(rows.flatMap(({ folder }) => folder ?? []))].sort(),
    ],
    'what there is to choose from',
  );
  const since = now - chance.below(3 * DAY);
  for (const [query, isWanted] of [
    ...QUERIES,
    [{ since }, ({ last }: Row) => last >= since] as const,
  ]) {
    const sort = chance.of(SORTS);
    const wanted = rows
      .filter((row) => isWanted(row, now))
      .sort((one, other) => (sort ? ORDERS[sort]!(one, other) : 0) || newestFirst(one, other));
    const found: SessionRow[] = [];
    const most = 5 + chance.below(200);
    for (let after: SessionsQuery['after'] | undefined, page = 0; ; page++) {
      const report = await reports.sessions({
        most,
        ...query,
        ...(sort ? { sort } : {}),
        ...(after ? { after } : {}),
      });
      same(report.total, wanted.length, `total of ${JSON.stringify(query)}`);
      found.push(...report.sessions);
      if (!report.next) break;
      after = report.next;
      check(page <= rows.length, 'expected pages to end');
    }
    const words = `${JSON.stringify(query)} by ${sort ?? 'time'}, pages of ${most}`;
    same(
      found.map(({ session }) => session),
      wanted.map(({ session }) => session),
      words,
    );
    for (const [i, row] of wanted.entries()) same(like(found[i], row), row, words);
  }
}

interface Sums {
  [name: string]: number;
}

const addTo = (sums: Sums, more: Sums): void => {
  for (const [name, value] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + value;
};

/** What all entries since a time come to, each in its hour. */
function statsIn(histories: ReadonlyMap<string, LedgerEntry[]>, since: number, by: 'hour' | 'day') {
  const from = Math.floor(since / HOUR) * HOUR;
  const sums: Sums = { sessions: 0, looping: 0 };
  const [time, hosts, tools, plans] = [
    new Map<number, Sums>(),
    new Map<string, Sums>(),
    new Map<string, Sums>(),
    new Map<string, Sums>(),
  ];
  const detectors = new Map<string, Sums>();
  const of = <Key>(map: Map<Key, Sums>, key: Key): Sums => {
    map.set(key, map.get(key) ?? {});
    return map.get(key)!;
  };
  for (const entries of histories.values()) {
    const state = startAccount();
    const host = (entries.find(({ data }) => data.host)?.data.host ?? '') as string;
    const places = new Map<string, [key: string, at: number, rung: string, end?: string]>();
    const counted = {
      session: false,
      looping: false,
      parts: new Set<number>(),
      detectors: new Set<string>(),
    };
    const at = new Map<string | undefined, { step: number; tool: string; isCounted: boolean }>();
    for (const entry of entries) {
      if (entry.kind === 'piece') continue;
      const { kind, agent, step } = entry;
      const data = entry.data as Record<string, never> & {
        seen?: { call?: object; result?: { error?: object } };
      };
      const was = sumsOf(state);
      addEntry(state, asRecorded(entry));
      const now = sumsOf(state);
      const isIn = entry.at >= from;
      const part =
        Math.floor(entry.at / (by === 'hour' ? HOUR : DAY)) * (by === 'hour' ? HOUR : DAY);
      const work = at.get(agent) ?? { step: -1, tool: '', isCounted: false };
      at.set(agent, work);
      if (kind === 'event' && data.seen?.call)
        Object.assign(work, { step, tool: data.tool, isCounted: false });
      const change: Sums = {
        steps: now.steps - was.steps,
        loops: now.looped - was.looped,
        tokens: (now.tokens ?? 0) - (was.tokens ?? 0),
        usd: (now.usd ?? 0) - (was.usd ?? 0),
        wasted: now.wasted.usd - was.wasted.usd,
      };
      const signals = kind === 'signal' && !isOnTrial(asRecorded(entry).data as never) ? 1 : 0;
      if (isIn) {
        addTo(sums, {
          ...change,
          events: kind === 'event' ? 1 : 0,
          faults: kind === 'fault' ? 1 : 0,
          signals,
        });
        addTo(of(time, part), { ...change, signals });
        addTo(of(hosts, host), { steps: change.steps!, usd: change.usd!, wasted: change.wasted! });
        if (kind === 'event') {
          if (!counted.session) addTo(sums, { sessions: 1 });
          if (!counted.session) addTo(of(hosts, host), { sessions: 1 });
          counted.session = true;
          if (!counted.parts.has(part)) addTo(of(time, part), { sessions: 1 });
          counted.parts.add(part);
          if (data.type === 'call-finished')
            addTo(of(tools, data.tool), { calls: 1, failed: data.seen?.result?.error ? 1 : 0 });
        }
        if (now.looped > was.looped && !counted.looping) {
          addTo(sums, { looping: 1 });
          counted.looping = true;
        }
      }
      if (kind === 'signal') {
        const isLoop = !isOnTrial(data as never) && !isAdvice(data as never);
        const detector = String(data.detector);
        const isFirst = !counted.detectors.has(detector);
        if (isIn) addTo(of(detectors, detector), { signals: 1, sessions: isFirst ? 1 : 0 });
        if (isIn) counted.detectors.add(detector);
        if (isIn && isLoop && work.step === step && !work.isCounted)
          addTo(of(tools, work.tool), { looping: 1 });
        if (isLoop) work.isCounted = true;
      }
      if (kind === 'plan') {
        const { recovery, rung, reason, shadow, id } = data as unknown as Record<string, string>;
        const key = [recovery, rung, work.tool, reason!.split('/')[0], shadow].join('\n');
        places.set(`${agent} ${id}`, [key, entry.at, rung!]);
        if (isIn) addTo(of(plans, key), { plans: 1 });
      }
      const place = places.get(`${agent} ${data.plan}`);
      if (!place || place[1] < from) continue;
      if (data.type === 'plan-performed' && (data.failed || data.rung !== place[2]))
        addTo(of(plans, place[0]), { notPerformed: 1 });
      if (kind !== 'outcome') continue;
      if (place[3]) addTo(of(plans, place[0]), { [place[3]]: -1 });
      place[3] = data.outcome;
      addTo(of(plans, place[0]), { [place[3]!]: 1 });
    }
  }
  return { sums, time, hosts, tools, detectors, plans };
}

const some = (map: ReadonlyMap<unknown, object>, names: readonly string[]): object =>
  new Map(
    [...map].map(([key, row]) => [
      key,
      Object.fromEntries(names.map((name) => [name, row[name as never] ?? 0])),
    ]),
  );

async function checkSums(
  reports: Reports,
  histories: ReadonlyMap<string, LedgerEntry[]>,
  since: number,
  by: 'hour' | 'day',
): Promise<void> {
  const expected = statsIn(histories, since, by);
  const stats = await reports.stats({ since, by });
  const { usd } = stats.wasted;
  const names = Object.keys(expected.sums);
  same(
    like({ ...stats, wasted: usd }, expected.sums),
    Object.fromEntries(names.map((name) => [name, expected.sums[name]])),
    'sums',
  );
  const flat = <Row extends { wasted: { usd: number } }>(
    map: ReadonlyMap<unknown, Row>,
  ): Map<unknown, object> =>
    new Map([...map].map(([key, row]) => [key, { ...row, wasted: row.wasted.usd }]));
  const busy = new Map([...expected.time].filter(([, row]) => row.sessions || row.signals));
  const parts = ['sessions', 'steps', 'loops', 'signals', 'tokens', 'usd', 'wasted'];
  same(some(flat(stats.time), parts), some(busy, parts), `by ${by} since ${since}`);
  const ofHost = ['sessions', 'steps', 'usd', 'wasted'];
  const there = new Map([...expected.hosts].filter(([, row]) => row.sessions));
  same(
    some(flat(new Map([...stats.hosts].filter(([, row]) => row.sessions > 0))), ofHost),
    some(there, ofHost),
    'by program',
  );
  same(
    some(stats.tools, ['calls', 'failed', 'looping']),
    some(expected.tools, ['calls', 'failed', 'looping']),
    'by tool',
  );
  same(some(stats.detectors, ['signals']), some(expected.detectors, ['signals']), 'by detector');
  same(
    stats.detectorSessions,
    new Map([...expected.detectors].map(([name, row]) => [name, row.sessions])),
    'sessions by detector',
  );
  const counts = ['plans', 'notPerformed', ...OUTCOMES];
  same(some(stats.plans, counts), some(expected.plans, counts), 'plans');
}

/** Where loops ended, each once, and how many independent ones they are worth. */
async function checkLoops(
  reports: Reports,
  histories: ReadonlyMap<string, LedgerEntry[]>,
  since: number,
  now: number,
): Promise<void> {
  const from = Math.floor(since / HOUR) * HOUR;
  const endings: Sums = Object.fromEntries([...LOOP_ENDINGS, 'open'].map((name) => [name, 0]));
  const bySession: number[] = [];
  const detectors = new Map<string, number>();
  for (const [session, entries] of histories) {
    const { state } = rowIn(session, entries, now) as Row;
    const { loops } = accountOf(entries.filter(({ kind }) => kind !== 'piece').map(asRecorded));
    const wanted = loops.filter(({ advice, at }) => !advice && at >= from);
    for (const { ending, detector } of wanted) {
      addTo(endings, { [ending ?? (state === 'silent' ? 'never' : 'open')]: 1 });
      detectors.set(detector, (detectors.get(detector) ?? 0) + 1);
    }
    bySession.push(wanted.length);
  }
  const all = bySession.reduce((sum, n) => sum + n, 0);
  const squares = bySession.reduce((sum, n) => sum + n * n, 0);
  const { loops } = await reports.recoveries({ since, most: 1 });
  same(loops.all, { loops: all, effective: squares && (all * all) / squares, endings }, 'endings');
  same(
    new Map(loops.detectors.map((row) => [row.detector, row.loops])),
    detectors,
    'loops by detector',
  );
}

/** How many sessions a ledger has, and how many entries are written at once. */
const SESSIONS = 500;
const AT_ONCE = 400;

/**
 * Writes made-up histories, the sessions in turns, and compares all that is stored of them with
 * what all entries come to at once: halfway, and at the end.
 */
export async function checkHistories(
  { ledger, reports, now }: { ledger: Ledger; reports: Reports; now: number },
  seed: number,
): Promise<void> {
  const chance = new Chance(seed);
  const all = Array.from({ length: SESSIONS }, (_, i) =>
    historyOf(chance, `${chance.below(1e9).toString(36)}-${i}`, now),
  );
  const waiting = all.map((entries) => [...entries]);
  const histories = new Map<string, LedgerEntry[]>();
  let left = waiting.reduce((sum, { length }) => sum + length, 0);
  const half = left / 2;
  const compare = async (): Promise<void> => {
    const rows = [...histories].map(([session, entries]) => rowIn(session, entries, now) as Row);
    await checkLists(reports, rows, now, chance);
    for (const by of ['hour', 'day'] as const)
      await checkSums(reports, histories, chance.is(0.5) ? 0 : now - chance.below(2 * DAY), by);
    await checkLoops(reports, histories, chance.is(0.5) ? 0 : now - chance.below(DAY), now);
    const folded = [...histories.values()].map(foldedSession);
    await checkInsights(reports, folded, chance.is(0.5) ? 0 : now - chance.below(2 * DAY), same);
  };
  try {
    let isHalf = false;
    while (left > 0) {
      const entries: LedgerEntry[] = [];
      for (let tries = 0; tries < AT_ONCE; tries++) {
        const next = chance.of(waiting).splice(0, 1 + chance.below(4));
        entries.push(...next);
        left -= next.length;
      }
      if (left < SESSIONS) for (const rest of waiting) entries.push(...rest.splice(0, rest.length));
      if (left < SESSIONS) left = 0;
      await ledger.append(entries);
      for (const entry of entries)
        histories.set(entry.session, [...(histories.get(entry.session) ?? []), entry]);
      if (!isHalf && left <= half) {
        isHalf = true;
        await compare();
      }
    }
    await compare();
  } catch (error) {
    throw new Error(`With seed ${seed}: ${String(error)}`, { cause: error });
  }
}

/** How many ledgers are checked: 1,000 histories, and 100,000 in the full run. */
export const LEDGERS = (process.env.UNRUT_HISTORIES === 'full' ? 100_000 : 1000) / SESSIONS;
