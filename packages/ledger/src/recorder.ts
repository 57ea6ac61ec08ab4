import { UnrutError } from '@unrut/engine/errors';
import type { AgentEvent } from '@unrut/engine/event';
import type { GuardOptions, Verdict } from '@unrut/engine/guard';
import { combineRules, type GuardRules } from '@unrut/engine/guard-rules';
import { whyNotAnEvent, withoutNulls } from '@unrut/engine/read-event';
import { toFault } from '@unrut/engine/redact/to-fault';
import { DaySoFar, type DaySum, spentToday } from './day-spending.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { createLiveGuards } from './live-guards.ts';
import type { MemoryRoom } from './memory-room.ts';
import { withMoreAbout } from './more-about.ts';
import { entriesOf, type Origin, sessionsIn } from './record.ts';
import {
  type RecordedVerdict,
  RecordingAttempt,
  type RecordingTransaction,
} from './recording-transaction.ts';
import { RepeatedEntry } from './repeated-entry.ts';

/** A guard whose sessions outlive the process: a ledger stores its state and record. */
export interface RecordedGuard {
  /** As `guard.observe`. A ledger failure is a fault in the verdict, never an exception. */
  observe(event: AgentEvent): Promise<Verdict>;
  /** As `guard.with`: the same sessions and record, with these rules in addition. */
  with(rules: GuardRules, usual?: Pick<GuardRules, 'attended'>): RecordedGuard;
}

/**
 * The only path from events to a ledger: loads the states of their sessions, passes the events to
 * the guard, and saves state and record in one transaction.
 */
export interface Recorder extends RecordedGuard {
  /**
   * Observes events in order. Events that arrive while the ledger is busy are recorded together.
   * Never throws.
   */
  record(events: readonly AgentEvent[], how?: RecordOptions): Promise<Recorded<RecordedVerdict[]>>;
  /**
   * For callers that store more than the guard's state, or record more than events. Never throws.
   */
  transaction<T>(
    about: TransactionAbout,
    work: (transaction: RecordingTransaction) => T,
  ): Promise<Recorded<T>>;
  /**
   * Observes an event immediately, for a session that exists only in this process. `flush` records
   * it, without state.
   */
  observeNow(event: AgentEvent, origin?: Origin): Verdict;
  /** Keeps entries for the next `flush`. */
  addLater(entries: readonly LedgerEntry[]): void;
  /**
   * Writes entries that are not in the ledger yet. Throws if that fails; the entries are kept for
   * the next call.
   */
  flush(): Promise<void>;
}

export interface RecordOptions {
  /** The rules for these events. Default: those of the recorder. */
  guard?: GuardOptions;
  origin?: Origin;
}

export interface TransactionAbout {
  /** All sessions of the events, and those that they report to. */
  sessions: readonly string[];
  /** Keys of the caller's own states, which are saved with the transaction. */
  keys?: readonly string[];
  /** The rules for these events. Default: those of the recorder. */
  guard?: GuardOptions;
  /** The origin, for a recorder that chooses the ledger by it. */
  origin?: Pick<Origin, 'repo' | 'folder'>;
  /** Whether it may run again after a conflict with another process. Default: true. */
  repeatable?: boolean;
  /**
   * Number of events; if set, they may share a transaction with those of other waiting jobs.
   * Default: a transaction of its own.
   */
  together?: number;
}

/** The result of one transaction. */
export interface Recorded<T> {
  /** Undefined if the transaction failed. */
  value?: T;
  /** What was written. */
  entries: LedgerEntry[];
  /** Why nothing was saved. */
  error?: unknown;
}

export interface RecorderOptions {
  /**
   * What happens to events that could not be saved. `keep`: the guard continues in memory, and
   * their entries are written with the next transaction. `drop`: they do not count and can be sent
   * again. Default: `keep`.
   */
  unsaved?: 'keep' | 'drop';
  /**
   * Max number of sessions in memory; the least recently used are dropped first. Default: 1,000.
   */
  sessions?: number;
  /** A memory limit shared with other recorders. Default: only `sessions` limits memory. */
  room?: MemoryRoom;
  /** The clock that determines the day of a budget. Default: `Date.now`. */
  now?: () => number;
}

/** Max number of events in a transaction, so that other processes never wait for long. */
const MAX_EVENTS = 1000;
/** Turns of the event loop to wait for more requests, in all a fraction of a transaction's time. */
const MAX_TURNS = 20;
/** Max number of events waiting for a failing ledger; beyond it, the oldest are dropped. */
const MAX_MISSED = 20_000;

/** The ledger works, but the quota is used up. */
export const isOverQuota = (error: unknown): boolean =>
  error instanceof UnrutError && error.code === 'over-quota';

interface Job {
  about: TransactionAbout;
  act(step: RecordingTransaction): unknown;
  /** Whether more jobs may be about to arrive. */
  gather: boolean;
  resolve(recorded: Recorded<unknown>): void;
}

/** A guard whose state and record are in a ledger, which several processes may share. */
export function createRecorder(
  ledger: Pick<Ledger, 'update' | 'entries' | 'isShown' | 'spentSince' | 'reports'>,
  options: GuardOptions = {},
  {
    unsaved = 'keep',
    sessions = options.sessions ?? 1000,
    room,
    now = Date.now,
  }: RecorderOptions = {},
): Recorder {
  const live = createLiveGuards(sessions, room);
  // Reports invalid rules immediately, not at the first event.
  if (Object.keys(options).length > 0) live.guardOf(options);
  const waiting: Job[] = [];
  let isRunning = false;
  let missed: (() => LedgerEntry[])[] = [];
  /** Events that no saved version includes; the count makes their ids unique. */
  let unsavedEvents = 0;
  let observedNow = 0;
  const soFar = options.budget?.day ? new DaySoFar(ledger, now) : undefined;
  const told = (verdict: Verdict, { session }: AgentEvent): Verdict =>
    ledger.isShown ? withMoreAbout(verdict, session) : verdict;

  /**
   * Runs one transaction at a time, in the order of arrival. Each round takes at least one job, and
   * answers all that it took.
   */
  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      if (waiting[0]!.gather) await gathered();
      const jobs = waiting.splice(0, sizeOfGroup());
      const recorded = await takeStep(jobs);
      for (const [i, { resolve }] of jobs.entries()) resolve(recorded[i]!);
    }
    isRunning = false;
  }

  /** A request takes several turns of the event loop to arrive. */
  async function gathered(): Promise<void> {
    for (let turns = 0, before = 0; turns < MAX_TURNS && waiting.length > before; turns++) {
      before = waiting.length;
      await nextTurn();
    }
  }

  /** The first job and the following ones with the same rules that fit into one transaction. */
  function sizeOfGroup(): number {
    const { guard = options, together } = waiting[0]!.about;
    if (together === undefined) return 1;
    let count = 0;
    const end = waiting.findIndex(({ about }, i) => {
      count += about.together ?? MAX_EVENTS;
      return i > 0 && ((about.guard ?? options) !== guard || count > MAX_EVENTS);
    });
    return end < 0 ? waiting.length : end;
  }

  async function takeStep(jobs: readonly Job[]): Promise<Recorded<unknown>[]> {
    const { guard: rules = options, repeatable = true } = jobs[0]!.about;
    const keys = [...new Set(jobs.flatMap(({ about }) => about.keys ?? []))];
    const names = [...new Set(jobs.flatMap(({ about }) => about.sessions))];
    const acts = jobs.map(({ about, act }) => ({
      names: [...(about.keys ?? []), ...about.sessions],
      act,
    }));
    const known = new Set<string>();
    const owed = missed;
    missed = [];
    let attempt: RecordingAttempt | undefined;
    let today: DaySum | undefined;

    const begun = (): RecordingAttempt => {
      attempt ??= new RecordingAttempt({
        live,
        rules,
        keys,
        sessions: names,
        acts,
        known,
        earlier: unsavedEvents,
        today,
      });
      return attempt;
    };

    async function write(): Promise<Recorded<unknown>[]> {
      today ??= rules.budget?.day && (await spentToday(ledger, now()));
      const versions = await ledger.update(
        [...keys, ...names],
        (saved) => {
          const change = begun().perform(saved);
          return {
            ...change,
            entries: [...owed.flatMap((entries) => entries()), ...change.entries!],
          };
        },
        { repeatable },
      );
      attempt!.keep(versions.slice(keys.length));
      return attempt!.recorded();
    }

    function goOnWithout(error: unknown): Recorded<unknown>[] {
      if (unsaved === 'keep') {
        if (!attempt)
          begun().perform(
            [...keys, ...names].map((name) => ({
              version: live.get(name)?.version ?? 0,
              read: () => null,
            })),
          );
        const parts = attempt!.recorded();
        if (parts.length > 0) {
          unsavedEvents += attempt!.count;
          for (const { entries } of parts) addLater(() => entries);
          live.trim();
          return parts.map(({ value }) => ({ value, entries: [], error }));
        }
      }
      live.drop(names);
      return jobs.map(() => ({ entries: [], error }));
    }

    async function takeEach(): Promise<Recorded<unknown>[]> {
      live.drop(names);
      const recorded: Recorded<unknown>[] = [];
      for (const job of jobs) recorded.push(...(await takeStep([job])));
      return recorded;
    }

    for (;;) {
      try {
        return await write();
      } catch (error) {
        try {
          if (
            error instanceof RepeatedEntry &&
            repeatable &&
            (await findKnown(attempt!.ids, known))
          ) {
            // The sessions in memory are outdated.
            live.drop(names);
            attempt = undefined;
            continue;
          }
          missed = [...owed, ...missed];
          // The ledger works, so the error concerns one of the jobs.
          const isOfOne = error instanceof RepeatedEntry || isOverQuota(error);
          if (jobs.length > 1 && (isOfOne || attempt?.parts.length === 0)) return await takeEach();
          // Events that may not be recorded must not change the guard's state either.
          if (isOverQuota(error)) throw error;
          return goOnWithout(error);
        } catch (fault) {
          live.drop(names);
          return jobs.map(() => ({ entries: [], error: fault }));
        }
      }
    }
  }

  /**
   * Adds events that were recorded longer ago than the guard remembers; false if there are none.
   */
  async function findKnown(ids: readonly string[], known: Set<string>): Promise<boolean> {
    const before = known.size;
    for (const { id } of await ledger.entries({ under: ids }))
      known.add(id.slice(0, id.lastIndexOf('/') + 1));
    return known.size > before;
  }

  function addLater(entries: () => LedgerEntry[]): void {
    if (missed.push(entries) > MAX_MISSED) missed = missed.slice(1);
  }

  const enqueue = <T>(
    about: TransactionAbout,
    act: (step: RecordingTransaction) => T,
    gather: boolean,
  ): Promise<Recorded<T>> =>
    new Promise((resolve) => {
      waiting.push({ about, act, gather, resolve: resolve as Job['resolve'] });
      if (!isRunning) void run();
    });

  const guardUnder = (rules: GuardOptions): RecordedGuard => ({
    async observe(given) {
      const event = withoutNulls(given);
      if (whyNotAnEvent(event) !== undefined) return live.guardOf(rules).observe(event);
      const about = { sessions: sessionsIn(event), together: 1, guard: rules };
      const { value, error } = await enqueue(about, (step) => step.observe(event), false);
      const verdict = told(value ?? live.guardOf(rules).observe(event), event);
      return error === undefined
        ? verdict
        : { ...verdict, faults: [...verdict.faults, toFault('ledger', error)] };
    },
    with: (more, usual) => guardUnder({ ...rules, ...combineRules(rules, more, usual) }),
  });

  return {
    ...guardUnder(options),
    async record(given, { guard, origin = {} } = {}) {
      if (given.length === 0) return { value: [], entries: [] };
      const events = given.map(withoutNulls);
      const sessions = events.flatMap((event) =>
        whyNotAnEvent(event) === undefined ? sessionsIn(event) : [],
      );
      const about: TransactionAbout = {
        sessions,
        together: events.length,
        ...(guard ? { guard } : {}),
      };
      return enqueue(about, (step) => events.map((event) => step.observe(event, { origin })), true);
    },
    transaction: (about, work) => enqueue(about, work, about.together !== undefined),
    observeNow(event, origin) {
      const verdict = live
        .guardOf(options)
        .observe(soFar ? { ...event, spentToday: soFar.sum } : event);
      soFar?.add(entriesOf(event, verdict, 0));
      const brief = withoutContent(event);
      const position = ++observedNow;
      addLater(() => entriesOf(brief, verdict, position, origin));
      return told(verdict, event);
    },
    addLater: (entries) => addLater(() => [...entries]),
    async flush() {
      const writing = missed;
      missed = [];
      try {
        if (writing.length > 0)
          await ledger.update([], () => ({ entries: writing.flatMap((entries) => entries()) }));
        if (missed.length === 0) await soFar?.read();
      } catch (error) {
        missed = [...writing, ...missed].slice(-MAX_MISSED);
        throw error;
      }
    },
  };
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => void (globalThis.setImmediate ?? setTimeout)(resolve));

/** Drops arguments and results, which can be large and are not recorded. */
function withoutContent(event: AgentEvent): AgentEvent {
  if (event.type === 'call-finished')
    return { ...event, call: { ...event.call, args: null }, result: undefined, error: undefined };
  return event.type === 'call-proposed' ? { ...event, call: { ...event.call, args: null } } : event;
}
