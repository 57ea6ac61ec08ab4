import { type AgentEvent, type Json, parentOf } from '../event.ts';
import { createGuard, type GuardOptions, type Verdict } from '../guard.ts';
import { toFault } from '../redact/to-fault.ts';
import type { Fault } from '../signal.ts';
import { JsonText } from './json-text.ts';
import type { ContextEntry, LedgerChange, LedgerEntry, SavedState } from './ledger.ts';
import type { LiveGuards } from './live-guards.ts';
import { entriesOf, idsUnder, type Origin, sessionsIn } from './record.ts';

/** What an entrance does within one step of the ledger. */
export interface RecordingStep {
  /** Shows an event to the guard, and records it. */
  observe(event: AgentEvent, how?: ObserveOptions): RecordedVerdict;
  /** What the entrance remembers beside the guard's state of a session; undefined where it never did. */
  memory(session: string): Json | undefined;
  remember(session: string, memory: Json): void;
  /** A state of the entrance's own. */
  own(key: string): SavedState;
  save(key: string, state: Json): void;
  /** Records something else. */
  add(more: { entries?: readonly LedgerEntry[]; context?: readonly ContextEntry[] }): void;
}

export interface ObserveOptions {
  /** Is added to what is recorded of the event: where it came from, and plain JSON that the entrance knows. A function is asked when the entrance has done all of its step. */
  origin?: Origin | object | (() => object);
  /** What of the verdict is recorded. Default: all of it. */
  kept?: (verdict: Verdict) => Verdict;
}

export interface RecordedVerdict extends Verdict {
  /** An event of this id was here before. Nothing was changed. */
  repeated?: true;
}

/** What a step begins with. */
interface Beginning {
  live: LiveGuards;
  rules: GuardOptions;
  /** Of states that entrances keep, and of sessions. */
  keys: readonly string[];
  sessions: readonly string[];
  saved: readonly SavedState[];
  /** What the ids of events begin with that the ledger has already. */
  known: ReadonlySet<string>;
  /** Events before this step that no saved version counts. */
  earlier: number;
}

/** What one part of a step gave. */
interface Part {
  value: unknown;
  entries: LedgerEntry[];
}

/** One attempt at a step: it is made again when another process was faster. */
export class RecordingAttempt {
  readonly #given: Beginning;
  readonly #guard;
  readonly #saved: ReadonlyMap<string, SavedState>;
  /** Not told yet. */
  readonly #faults: Fault[] = [];
  readonly #own = new Map<string, Json>();
  readonly #touched = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #context: ContextEntry[] = [];
  #observed: (() => LedgerEntry[])[] = [];
  #added: LedgerEntry[] = [];
  count = 0;
  parts: Part[] = [];

  constructor(given: Beginning) {
    const { live, rules, keys, sessions, saved } = given;
    this.#given = given;
    this.#guard = live.guardOf(rules);
    this.#saved = new Map([...keys, ...sessions].map((name, i) => [name, saved[i]!]));
    for (const session of sessions) {
      try {
        live.load(session, this.#guard, this.#saved.get(session)!);
      } catch (error) {
        this.#faults.push(toFault('ledger', error));
      }
    }
  }

  /** What the ids of the observed events begin with. */
  get ids(): readonly string[] {
    return [...this.#ids];
  }

  /** Lets entrances do their parts, and gives what is to be written. */
  perform(acts: readonly ((step: RecordingStep) => unknown)[]): LedgerChange {
    const { live, keys, sessions } = this.#given;
    const once: LedgerEntry[] = [];
    const entries: LedgerEntry[] = [];
    this.parts = acts.map((act) => {
      this.#observed = [];
      this.#added = [];
      const value = act(this.#step);
      const observed = this.#observed.flatMap((make) => make());
      once.push(...observed);
      entries.push(...this.#added);
      return { value, entries: [...observed, ...this.#added] };
    });
    const last = sessions.findLastIndex((session) => this.#touched.has(session));
    const states = sessions.slice(0, last + 1).map((session) => {
      const memory = live.get(session)!.memory;
      return new JsonText(JSON.stringify({ ...this.#guard.peek(session), ...(memory === undefined ? {} : { memory }) }));
    });
    return { states: [...keys.map((key) => this.#own.get(key) ?? null), ...states], once, entries, context: this.#context };
  }

  /** The ledger has it; the sessions that were written have these versions now. */
  keep(versions: readonly number[]): void {
    const { live, sessions } = this.#given;
    for (const [i, version] of versions.entries()) live.get(sessions[i]!)!.version = version;
    live.trim();
  }

  readonly #step: RecordingStep = {
    observe: (event, how) => this.#observe(event, how),
    memory: (session) => this.#given.live.get(session)?.memory,
    remember: (session, memory) => {
      this.#given.live.get(session)!.memory = memory;
      this.#touched.add(session);
    },
    own: (key) => this.#saved.get(key)!,
    save: (key, state) => void this.#own.set(key, state),
    add: ({ entries = [], context = [] }) => {
      this.#added.push(...entries);
      this.#context.push(...context);
    },
  };

  #observe(event: AgentEvent, { origin = {}, kept = (verdict) => verdict }: ObserveOptions = {}): RecordedVerdict {
    const { known, earlier } = this.#given;
    const own = typeof event?.id === 'string' ? idsUnder(event, '') : undefined;
    // A guard remembers the latest ids only.
    if (own !== undefined && (known.has(own) || this.#ids.has(own))) return { ...NOTHING, repeated: true };
    const verdict = this.#look(event);
    if (verdict.seen === null && verdict.faults.length === 0) return { ...verdict, repeated: true };
    if (verdict.faults.some(({ where }) => where === 'event')) return verdict;
    verdict.faults.push(...this.#faults.splice(0));
    this.#touched.add(event.session);
    const parent = parentOf(event);
    if (parent !== undefined && verdict.signals.length > 0) this.#touched.add(parent);
    const position = `${this.#saved.get(event.session)?.version ?? 0}.${earlier + this.count++}`;
    if (own !== undefined) this.#ids.add(own);
    this.#observed.push(() => entriesOf(event, kept(verdict), position, typeof origin === 'function' ? origin() : origin));
    return verdict;
  }

  /** A state that only looked sound is dropped: what stumbles over it does not stumble without it. */
  #look(event: AgentEvent): Verdict {
    const { live, rules } = this.#given;
    const verdict = this.#guard.observe(event);
    const stumbled = verdict.faults.find(isOfGuard);
    if (!stumbled) return verdict;
    const suspects = sessionsIn(event).filter((session) => live.get(session)?.isLoaded);
    if (suspects.length === 0 || createGuard(rules).observe(event).faults.some(isOfGuard)) return verdict;
    for (const session of suspects) {
      this.#guard.forget(session);
      live.get(session)!.isLoaded = false;
      this.#touched.add(session);
    }
    this.#faults.push({ ...stumbled, where: 'ledger' });
    return this.#guard.observe(event);
  }
}

const isOfGuard = ({ where }: Fault): boolean => where === 'guard';

const NOTHING: Verdict = { signals: [], witnesses: [], plan: null, shadow: null, outcomes: [], faults: [], step: 0, seen: null };
