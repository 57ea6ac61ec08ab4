import {
  type AccountBounds,
  type AccountState,
  addEntry,
  isOfLoop,
  readAccount,
  startAccount,
  sumsOf,
} from '@unrut/engine/account/account';
import { type KeptAccount, keepAccount, resumeAccount } from '@unrut/engine/account/kept-account';
import { higher } from '@unrut/engine/account/loop';
import { hash64 } from '@unrut/engine/hash';
import { present } from '@unrut/engine/json';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { LedgerEntry } from '../ledger-entry.ts';
import {
  asRecorded,
  hasFailed,
  type RecordedEntry,
  type RecordedEvent,
} from '../reports/recorded-entry.ts';
import { type StallWatch, waitingFor, watchStall } from '../reports/stall.ts';
import type { TriedSession } from '../trial/trial.ts';
import { countHours, hourNumber, type KeptHours, startHours } from './count-hours.ts';
import type { HourChanges } from './hour-changes.ts';
import { calledIn, loopRows, placeOf } from './loop-rows.ts';
import {
  type Acted,
  type LoopColumns,
  noOutcomes,
  type OutcomeCounts,
  type SessionColumns,
  type SessionFigures,
  withinRange,
} from './session-figures.ts';
import { addToPulse, type PulseParts } from './session-pulse.ts';

/** Resumes the count of a session from saved state. */
export interface SessionCount {
  readonly account: AccountState;
  /** Adds an entry; entries come in the order of recording. */
  add(entry: LedgerEntry): void;
  figures(): SessionFigures;
  columns(): SessionColumns;
  /** The changes of hourly figures since the last call. */
  hours(): HourChanges;
  /** All loops if any has changed since the last call; otherwise none. */
  loops(): LoopColumns[];
  /** The state to save: JSON of at most 6 KB. */
  text(): string;
}

/** The state of counting one session, besides its account. Plain JSON. */
interface Known {
  known: Pick<
    SessionFigures,
    'host' | 'folder' | 'highest' | 'lastPlan' | 'doing' | 'why' | 'mode' | 'stopped' | 'budget'
  >;
  /** Null before the first entry. */
  first: number | null;
  last: number;
  plans: number;
  ended: boolean;
  tried?: TriedSession;
  stall?: StallWatch;
  outcomes: OutcomeCounts;
  acted: Acted;
  /** The newest plans and their outcomes. */
  followed: [plan: string, shadow: boolean | null, outcome: Outcome['outcome'] | null][];
}

/**
 * The saved state. Servers of other versions may resume from it; they drop fields that they do not
 * know.
 */
interface Kept extends KeptHours {
  sums: Known;
  account: KeptAccount;
  pulse: PulseParts;
  origin: { [name in (typeof ORIGIN)[number]]?: string };
  /** A hash of the loops in the last report. */
  told: string;
  /** The tools called where the latest stretches of loops were noticed, by step and agent. */
  called: [place: string, tool: string][];
}

const ORIGIN = ['model', 'release', 'repo', 'team', 'person'] as const;

/**
 * Limits for nested agents, plans and words, from the usual ones to the smallest, which always fit.
 */
const BOUNDS: readonly (AccountBounds & { plans: number; words: number })[] = [
  { agents: 6, stretches: 8, marks: 48, plans: 24, words: 300 },
  { agents: 3, stretches: 5, marks: 32, plans: 12, words: 200 },
  { agents: 1, stretches: 3, marks: 16, plans: 6, words: 100 },
  { agents: 0, stretches: 1, marks: 4, plans: 2, words: 50 },
  { agents: 0, stretches: 1, marks: 1, plans: 0, words: 20 },
];
const MAX_BYTES = 6144;
/** Characters of a tool's name. */
const MAX_TOOL = 100;
/** Max plans of a session whose outcomes are tracked; the oldest are dropped first. */
const MAX_FOLLOWED = 1000;

const startKnown = (): Known => ({
  known: {},
  first: null,
  last: 0,
  plans: 0,
  ended: false,
  outcomes: noOutcomes(),
  acted: { plans: 0, ...noOutcomes() },
  followed: [],
});

/** The figures of a whole session, from all its entries in the order of recording. */
export function sessionFiguresOf(session: string, entries: Iterable<LedgerEntry>): SessionFigures {
  const count = countSession(session);
  for (const entry of entries) count.add(entry);
  return count.figures();
}

/** Starts to count a session, or resumes from saved state. */
export function countSession(session: string, kept?: string): SessionCount {
  const resumed = resume(kept);
  const { account, sums: known, pulse, origin } = resumed;
  const { known: figures, outcomes, acted } = known;
  const hours = countHours(resumed, () => ({
    host: figures.host ?? '',
    team: origin.team ?? '',
    model: origin.model ?? '',
    release: origin.release ?? '',
  }));
  const followed = new Map(known.followed.map((plan) => [plan[0], plan]));
  let accounted = sumsOf(account);
  const calledAt = new Map(resumed.called);

  function add(entry: RecordedEntry): void {
    const was = accounted;
    addEntry(account, entry);
    accounted = sumsOf(account);
    const { at } = entry;
    known.first = Math.min(known.first ?? at, at);
    known.last = Math.max(known.last, at);
    if (entry.kind === 'event') addEvent(entry, entry.data);
    else if (entry.kind === 'signal') {
      if (isOfLoop(entry.data)) figures.why = entry.data.text;
    } else if (entry.kind === 'plan') addPlan(entry, entry.data);
    else if (entry.kind === 'outcome')
      addOutcome(withinRange(entry, entry.data.plan), entry.data.outcome);
    const { steps, wasted } = accounted;
    if (steps > was.steps || wasted.steps !== was.wasted.steps)
      addToPulse(pulse, at, steps - was.steps, wasted.steps - was.wasted.steps);
    hours.add(entry, was, accounted);
    if (entry.kind === 'signal')
      calledAt.set(placeOf(entry), hours.toolAt(entry).slice(0, MAX_TOOL));
  }

  function addEvent(entry: RecordedEntry, event: RecordedEvent): void {
    const { agent = '' } = entry;
    const { type, host, folder, mode, seen } = event;
    for (const name of ORIGIN)
      if (typeof event[name] === 'string') origin[name] = event[name] as string;
    if (folder !== undefined) figures.folder = folder;
    addToTrial(event);
    if (host !== undefined) {
      figures.host = host;
      if (mode === undefined) delete figures.mode;
      else figures.mode = mode;
    }
    if (agent === '') known.ended = type === 'session-ended';
    known.stall ??= { agents: [] };
    watchStall(known.stall, entry, event);
    if (event.budget) figures.budget = event.budget.figures;
    if (seen?.call) figures.doing = seen.call.label;
    // Stopping a nested agent does not end the run.
    if (type === 'plan-performed')
      setStopped(agent === '' && event.rung === 'stop' && !event.failed);
    else if (type === 'user-spoke' || (seen?.call && event.refusedBy !== 'unrut'))
      setStopped(false);
  }

  function addToTrial(event: RecordedEvent): void {
    const { type, mode, drawn, isOn } = event;
    if (drawn) known.tried ??= { ...drawn, failed: 0, messages: 0 };
    if (!known.tried) return;
    if (type === 'call-finished' && hasFailed(event)) known.tried.failed++;
    if (type === 'user-spoke') known.tried.messages++;
    if (mode === 'off' || isOn) known.tried.left = true;
  }

  function setStopped(isStopped: boolean): void {
    if (isStopped) figures.stopped = true;
    else delete figures.stopped;
  }

  function addPlan(
    entry: RecordedEntry,
    { id, rung, shadow }: Extract<RecordedEntry, { kind: 'plan' }>['data'],
  ): void {
    known.plans++;
    if (!shadow) acted.plans++;
    follow(withinRange(entry, id), shadow);
    // A host need not report performed plans.
    if (rung === 'stop' && !shadow && !entry.agent) setStopped(true);
    figures.lastPlan = { rung, at: entry.at, shadow };
    figures.highest = figures.highest === undefined ? rung : higher(figures.highest, rung);
  }

  function follow(name: string, shadow: boolean | null): Known['followed'][number] {
    const plan: Known['followed'][number] = [name, shadow, null];
    followed.set(name, plan);
    known.followed.push(plan);
    if (known.followed.length > MAX_FOLLOWED) followed.delete(known.followed.shift()![0]);
    return plan;
  }

  function addOutcome(name: string, outcome: Outcome['outcome']): void {
    const plan = followed.get(name) ?? follow(name, null);
    for (const counts of plan[1] === false ? [outcomes, acted] : [outcomes]) {
      if (plan[2] !== null) counts[plan[2]]--;
      counts[outcome]++;
    }
    plan[2] = outcome;
  }

  function figuresNow(): SessionFigures {
    const { steps, looped, looping, loops, tokens = 0, usd = 0, wasted } = readAccount(account);
    const open = loops.findLast((loop) => loop.open);
    const stall = known.stall && waitingFor(known.stall);
    const isStuck = loops.some(({ ending, open: goesOn }) => goesOn || ending === 'never');
    return {
      session,
      ...figures,
      first: known.first ?? 0,
      last: known.last,
      ended: known.ended,
      steps,
      loops: looped,
      looping,
      ...(isStuck ? { stuck: true as const } : {}),
      ...(open ? { loopingSince: open.at } : {}),
      ...(stall ? { stall } : {}),
      tokens,
      usd,
      wasted,
      plans: known.plans,
      outcomes: { ...outcomes },
    };
  }

  function keptWith({ plans, words, ...bounds }: (typeof BOUNDS)[number]): string {
    const { doing, why } = figures;
    const short = present({ doing: doing?.slice(0, words), why: why?.slice(0, words) });
    const followed = plans === 0 ? [] : known.followed.slice(-plans);
    return JSON.stringify({
      sums: { ...known, known: { ...figures, ...short }, followed },
      account: keepAccount(account, bounds),
      pulse,
      origin,
      told: resumed.told,
      called: calledIn(account, calledAt).slice(-bounds.stretches),
      ...hours.kept(plans, bounds.agents + 1),
    } satisfies Kept);
  }

  return {
    account,
    add(entry) {
      if (entry.kind !== 'piece') return attempt(() => add(asRecorded(entry)));
      known.first = Math.min(known.first ?? entry.at, entry.at);
      // An entry after the end shows that the session had not ended.
      if (entry.at > known.last) known.ended = false;
      known.last = Math.max(known.last, entry.at);
    },
    figures: figuresNow,
    columns() {
      const { session: _, host = null, folder = null, wasted, ...rest } = figuresNow();
      const { loopingSince, highest, lastPlan, doing, why, stopped, stuck, stall, mode, ...row } =
        rest;
      const { outcomes: counts, budget, ...columns } = row;
      const { model = null, release = null, repo = null, team = null, person = null } = origin;
      return {
        ...columns,
        host,
        folder,
        model,
        release,
        repo,
        team,
        person,
        wasted_steps: wasted.steps,
        wasted_tokens: wasted.tokens,
        wasted_usd: wasted.usd,
        waits_for: stall?.of ?? null,
        waits_since: stall?.since ?? null,
        words: [session, host, folder, doing, why].filter(Boolean).join('\n').toLowerCase(),
        summary: {
          outcomes: counts,
          acted,
          pulse,
          ...present({
            loopingSince,
            highest,
            lastPlan,
            doing,
            why,
            stopped,
            stuck,
            stall,
            budget,
            mode,
            tried: known.tried,
          }),
        },
      };
    },
    hours: hours.take,
    loops() {
      const rows = loopRows(account, calledAt);
      // The tool of a loop is reported only once.
      const text = JSON.stringify(rows.map(({ tool: _, ...row }) => row));
      const now = rows.length === 0 ? '' : hash64(text);
      if (now === resumed.told) return [];
      resumed.told = now;
      return rows;
    },
    text() {
      for (const bounds of BOUNDS) {
        const text = keptWith(bounds);
        if (byteLength(text) <= MAX_BYTES) return text;
      }
      return keptWith(BOUNDS.at(-1)!);
    },
  };
}

type Resumed = Omit<Kept, 'account'> & { account: AccountState };

/** Parses the saved state. If that fails, counting starts over with the next entry. */
function resume(kept: string | undefined): Resumed {
  const start = { sums: startKnown(), pulse: [], origin: {}, told: '', called: [] };
  const begun = { ...start, ...startHours() };
  const read = attempt((): Resumed => {
    const known = JSON.parse(kept ?? 'null') as Kept;
    // Earlier versions saved only the last hour.
    const seen = known.seen ?? (known.lastEvent === null ? [] : [hourNumber(known.lastEvent)]);
    return { ...begun, ...known, seen, account: resumeAccount(known.account) };
  });
  return read ?? { ...begun, account: startAccount() };
}

/** Anybody may add an entry, so one that cannot be counted is still recorded. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const byteLength = (text: string): number => encoder.encode(text).length;
