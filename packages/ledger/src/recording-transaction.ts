import { type AgentEvent, type Json, parentOf } from '@unrut/engine/event';
import { createGuard, emptyVerdict, type GuardOptions, type Verdict } from '@unrut/engine/guard';
import { toFault } from '@unrut/engine/redact/to-fault';
import type { Fault } from '@unrut/engine/signal';
import { type DaySum, sumOf } from './day-spending.ts';
import { JsonText } from './json-text.ts';
import type { ContextEntry, LedgerChange, LedgerEntry, SavedState } from './ledger.ts';
import type { LiveGuards } from './live-guards.ts';
import { entriesOf, idsUnder, type Origin, sessionsIn } from './record.ts';

/** The operations of a caller within one transaction. */
export interface RecordingTransaction {
  /** Passes an event to the guard, and records it. */
  observe(event: AgentEvent, how?: ObserveOptions): RecordedVerdict;
  /** The caller's own state of a session; undefined if it has none. */
  memory(session: string): Json | undefined;
  remember(session: string, memory: Json): void;
  /** A state of the entrance's own. */
  own(key: string): SavedState;
  save(key: string, state: Json): void;
  /** Records something else. */
  add(more: { entries?: readonly LedgerEntry[]; context?: readonly ContextEntry[] }): void;
}

export interface ObserveOptions {
  /**
   * Added to the record of the event: its origin, or plain JSON from the caller. A function is
   * called at the end of the transaction.
   */
  origin?: Origin | object | (() => object);
  /** Selects the parts of the verdict to record. Default: all of it. */
  kept?: (verdict: Verdict) => Verdict;
}

export interface RecordedVerdict extends Verdict {
  /** The id is already known. Nothing was changed. */
  repeated?: true;
}

/** The initial data of a transaction. */
interface Beginning {
  live: LiveGuards;
  rules: GuardOptions;
  /** Of states that entrances keep, and of sessions. */
  keys: readonly string[];
  sessions: readonly string[];
  acts: readonly PartAct[];
  /** Id prefixes of events that the ledger already has. */
  known: ReadonlySet<string>;
  /** Number of earlier events that no saved version includes. */
  earlier: number;
  /** The ledger's sum for the day before this transaction, if the budget has a daily limit. */
  today?: DaySum | undefined;
}

/** A caller's function, and the keys and sessions that it uses. */
interface PartAct {
  names: readonly string[];
  act(step: RecordingTransaction): unknown;
}

/** The result of one part of a transaction. */
interface Part {
  value: unknown;
  once: LedgerEntry[];
  added: LedgerEntry[];
  context: ContextEntry[];
  /** Id prefixes of the observed events. */
  ids: string[];
}

/** A transaction whose parts are repeated after a conflict with another process. */
export class RecordingAttempt {
  readonly #given: Beginning;
  readonly #guard;
  readonly #saved = new Map<string, SavedState>();
  /** Not reported yet. */
  readonly #faults: Fault[] = [];
  readonly #own = new Map<string, Json>();
  readonly #touched = new Set<string>();
  readonly #states = new Map<string, JsonText>();
  readonly #ids = new Set<string>();
  #part = emptyPart();
  #observed: (() => LedgerEntry[])[] = [];
  /** By the events of this step. */
  readonly #spent: DaySum = { usd: 0, steps: 0 };
  count = 0;
  parts: Part[] = [];

  constructor(given: Beginning) {
    this.#given = given;
    this.#guard = given.live.guardOf(given.rules);
  }

  /** Id prefixes of the observed events. */
  get ids(): readonly string[] {
    return [...this.#ids];
  }

  /**
   * Runs the callers' parts and returns the changes to write. When called again after a conflict,
   * it repeats only parts whose sessions have changed.
   */
  perform(saved: readonly SavedState[]): LedgerChange {
    const { live, keys, sessions, acts } = this.#given;
    const before = this.parts;
    const changed = this.#changed(saved);
    this.parts = [];
    Object.assign(this.#spent, { usd: 0, steps: 0 });
    const stays = ({ names }: PartAct, i: number): boolean =>
      before[i] !== undefined && names.every((name) => !changed.has(name));
    for (const [i, act] of acts.entries())
      if (!stays(act, i)) for (const id of before[i]?.ids ?? []) this.#ids.delete(id);
    this.#load(changed, before.length > 0);
    this.parts = acts.map((act, i) => (stays(act, i) ? before[i]! : this.#perform(act)));
    const last = sessions.findLastIndex((session) => this.#touched.has(session));
    for (const session of sessions.slice(0, last + 1)) {
      if (this.#states.has(session)) continue;
      const memory = live.get(session)!.memory;
      this.#states.set(
        session,
        new JsonText(
          JSON.stringify({
            ...this.#guard.peek(session),
            ...(memory === undefined ? {} : { memory }),
          }),
        ),
      );
    }
    return {
      states: [
        ...keys.map((key) => this.#own.get(key) ?? null),
        ...sessions.slice(0, last + 1).map((session) => this.#states.get(session)!),
      ],
      once: this.parts.flatMap(({ once }) => once),
      entries: this.parts.flatMap(({ added }) => added),
      context: this.parts.flatMap(({ context }) => context),
    };
  }

  /**
   * Names whose version has changed, and all names that share a part with them; their state in
   * memory is outdated.
   */
  #changed(saved: readonly SavedState[]): ReadonlySet<string> {
    const { keys, sessions, acts } = this.#given;
    const changed = new Set<string>();
    for (const [i, name] of [...keys, ...sessions].entries()) {
      if (this.#saved.get(name)?.version !== saved[i]!.version) changed.add(name);
      this.#saved.set(name, saved[i]!);
    }
    for (let size = -1; size < changed.size; ) {
      size = changed.size;
      for (const { names } of acts)
        if (names.some((name) => changed.has(name))) for (const name of names) changed.add(name);
    }
    return changed;
  }

  #load(changed: ReadonlySet<string>, isAgain: boolean): void {
    const { live, sessions } = this.#given;
    for (const name of changed) {
      this.#own.delete(name);
      this.#touched.delete(name);
      this.#states.delete(name);
    }
    for (const session of sessions) {
      if (!changed.has(session)) continue;
      if (isAgain) live.drop([session]);
      try {
        live.load(session, this.#guard, this.#saved.get(session)!);
      } catch (error) {
        this.#faults.push(toFault('ledger', error));
      }
    }
  }

  #perform({ act }: PartAct): Part {
    this.#part = emptyPart();
    this.#observed = [];
    this.#part.value = act(this.#step);
    this.#part.once = this.#observed.flatMap((make) => make());
    return this.#part;
  }

  /** The outcome of each part. */
  recorded(): { value: unknown; entries: LedgerEntry[] }[] {
    return this.parts.map(({ value, once, added }) => ({ value, entries: [...once, ...added] }));
  }

  /** Called after saving, with the new versions of the sessions. */
  keep(versions: readonly number[]): void {
    const { live, sessions } = this.#given;
    for (const [i, version] of versions.entries()) {
      const session = live.get(sessions[i]!)!;
      session.version = version;
      session.size = this.#states.get(sessions[i]!)!.text.length;
    }
    live.trim();
  }

  readonly #step: RecordingTransaction = {
    observe: (event, how) => this.#observe(event, how),
    memory: (session) => this.#given.live.get(session)?.memory,
    remember: (session, memory) => {
      this.#given.live.get(session)!.memory = memory;
      this.#touched.add(session);
    },
    own: (key) => this.#saved.get(key)!,
    save: (key, state) => void this.#own.set(key, state),
    add: ({ entries = [], context = [] }) => {
      this.#part.added.push(...entries);
      this.#part.context.push(...context);
    },
  };

  #observe(
    event: AgentEvent,
    { origin = {}, kept = (verdict) => verdict }: ObserveOptions = {},
  ): RecordedVerdict {
    const { known, earlier } = this.#given;
    const own = typeof event?.id === 'string' ? idsUnder(event, '') : undefined;
    // A guard remembers the latest ids only.
    if (own !== undefined && (known.has(own) || this.#ids.has(own)))
      return { ...emptyVerdict(), repeated: true };
    const verdict = this.#look(this.#withDay(event));
    if (verdict.seen === null && verdict.faults.length === 0) return { ...verdict, repeated: true };
    if (verdict.faults.some(({ where }) => where === 'event')) return verdict;
    verdict.faults.push(...this.#faults.splice(0));
    this.#touched.add(event.session);
    const parent = parentOf(event);
    // The parent stores its children's signals, pays for them, and counts the sub-agents that they
    // start.
    if (
      parent !== undefined &&
      (verdict.signals.length > 0 || verdict.budget || verdict.seen?.spawns)
    )
      this.#touched.add(parent);
    const position = `${this.#saved.get(event.session)?.version ?? 0}.${earlier + this.count++}`;
    if (own !== undefined) this.#remember(own);
    this.#spend(event, verdict);
    this.#observed.push(() =>
      entriesOf(event, kept(verdict), position, typeof origin === 'function' ? origin() : origin),
    );
    return verdict;
  }

  /** Earlier events of this transaction are not in the ledger yet. */
  #withDay(event: AgentEvent): AgentEvent {
    const { today } = this.#given;
    return today
      ? {
          ...event,
          spentToday: { usd: today.usd + this.#spent.usd, steps: today.steps + this.#spent.steps },
        }
      : event;
  }

  #spend(event: AgentEvent, verdict: Verdict): void {
    if (!this.#given.today) return;
    const { usd, steps } = sumOf(entriesOf(event, verdict, 0));
    this.#spent.usd += usd;
    this.#spent.steps += steps;
  }

  #remember(id: string): void {
    this.#ids.add(id);
    this.#part.ids.push(id);
  }

  /**
   * If the guard fails with the stored state but not with a fresh one, the stored state is corrupt:
   * drops it.
   */
  #look(event: AgentEvent): Verdict {
    const { live, rules } = this.#given;
    const verdict = this.#guard.observe(event);
    const stumbled = verdict.faults.find(isOfGuard);
    if (!stumbled) return verdict;
    const suspects = sessionsIn(event).filter((session) => live.get(session)?.isLoaded);
    if (suspects.length === 0 || createGuard(rules).observe(event).faults.some(isOfGuard))
      return verdict;
    for (const session of suspects) {
      this.#guard.forget(session);
      live.get(session)!.isLoaded = false;
      this.#touched.add(session);
    }
    this.#faults.push({ ...stumbled, where: 'ledger' });
    return this.#guard.observe(event);
  }
}

const emptyPart = (): Part => ({ value: undefined, once: [], added: [], context: [], ids: [] });

const isOfGuard = ({ where }: Fault): boolean => where === 'guard';
