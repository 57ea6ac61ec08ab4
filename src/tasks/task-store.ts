import { randomUUID } from 'node:crypto';
import type { Idle, Json, TaskAttempted } from '../event.ts';
import { createGuard, type Guard, type Snapshot, type Verdict } from '../guard.ts';
import type { ContextEntry, Ledger, LedgerEntry, SavedState } from '../ledger/ledger.ts';
import { entriesOf } from '../ledger/record.ts';
import { recordOf, restoreTaskState, type TaskState } from './task-state.ts';

/** The ledger's session of a run's tasks. Its own, as guards inside the agents write the run's. */
export const taskKey = (run: string): string => `${run}/tasks`;

/** One change, until it is in the ledger. */
interface Job {
  /** Changes the state; told what guards inside the agents' own sessions reported since the last attempt. */
  apply(state: TaskState, inner: readonly string[]): void;
  event?: TaskAttempted | Idle | undefined;
  context: readonly ContextEntry[];
  /** What else is recorded, given the state after the change. */
  entries?: ((state: TaskState) => LedgerEntry[]) | undefined;
}

const MOST_WAITING = 1000;
const MOST_INNER = 3;

/**
 * The state of a run of tasks: changed at once in memory, and in the ledger in the same order, each change with its event and entries
 * whole or not at all. A ledger that fails is told to `onFault`; what it missed is written with the next change.
 */
export class TaskStore {
  readonly #ledger: Ledger;
  readonly #run: string;
  readonly #key: string;
  readonly #onFault: (error: unknown) => void;
  #saved: TaskState = restoreTaskState(null);
  #version = -1;
  #waiting: Job[] = [];
  #turn: Promise<void>;
  /** What is known now, written or not. */
  state: TaskState = restoreTaskState(null);

  constructor(ledger: Ledger, run: string, onFault: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#run = run;
    this.#key = taskKey(run);
    this.#onFault = onFault;
    this.#turn = this.#load();
  }

  /** When all that was changed so far is written, and what earlier processes left is known. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  change(apply: Job['apply'], { event, context = [], entries }: Partial<Omit<Job, 'apply'>> = {}): Promise<void> {
    apply(this.state, []);
    this.#waiting.push({ apply, event: event && { id: randomUUID(), ...event }, context, entries });
    if (this.#waiting.length > MOST_WAITING) this.#waiting.shift();
    this.#turn = this.#turn.then(() => this.#write());
    return this.#turn;
  }

  async #load(): Promise<void> {
    try {
      this.#saved = restoreTaskState(await this.#ledger.loadState(this.#key));
      this.#show();
    } catch (error) {
      this.#onFault(error);
    }
  }

  async #write(): Promise<void> {
    const jobs = [...this.#waiting];
    if (jobs.length === 0) return;
    const sessions = jobs.some(({ event }) => event) ? [this.#key, this.#run] : [this.#key];
    let next = this.#saved;
    let isForeign = false;
    try {
      const versions = await this.#ledger.update(sessions, ([own, guarded]) => {
        isForeign = own!.version !== this.#version;
        next = isForeign ? restoreTaskState(own!.read()) : structuredClone(this.#saved);
        const guard = guarded && this.#guardFrom(guarded);
        const entries = jobs.flatMap(({ apply, event, entries: more }) => {
          const verdict = event && guard?.observe(event);
          apply(next, verdict ? innerSignals(verdict) : []);
          next.signals += verdict?.signals.length ?? 0;
          return [...(event && verdict ? recorded(event, verdict, next) : []), ...(more?.(next) ?? [])];
        });
        const states = [next as unknown as Json, ...(guard ? [guard.snapshot(this.#run) as unknown as Json] : [])];
        return { states, entries, context: jobs.flatMap(({ context }) => context) };
      });
      this.#version = versions[0]!;
      this.#saved = next;
      this.#waiting = this.#waiting.slice(jobs.length);
      this.#show();
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** The engine's guard of the run, as whoever wrote it last left it. It sees, and plans nothing: what is done about tasks is decided here. */
  #guardFrom(saved: SavedState): Guard {
    try {
      if (saved.version > 0) return createGuard({ can: [], from: saved.read() as unknown as Snapshot });
    } catch (error) {
      this.#onFault(error);
    }
    return createGuard({ can: [] });
  }

  /** Shows what is saved, and on top of it what waits to be written. */
  #show(): void {
    const state = structuredClone(this.#saved);
    for (const { apply } of this.#waiting) apply(state, []);
    this.state = state;
  }
}

const innerSignals = ({ signals }: Verdict): string[] =>
  signals
    .filter(({ agent }) => agent !== undefined)
    .map(({ text }) => text)
    .slice(-MOST_INNER);

/**
 * As for every event; of an attempt also its number in the run and what it came to, in words that were redacted before they got here. The
 * state remembers where that is.
 */
function recorded(event: TaskAttempted | Idle, verdict: Verdict, state: TaskState): LedgerEntry[] {
  const entries = entriesOf(event, verdict, event.id!);
  if (event.type === 'idle') return entries;
  const { task, status, blockers, work, attemptSession } = event;
  recordOf(state, task).step = verdict.step;
  const came = { turn: state.next - 1, task, status, blockers, work, attemptSession };
  return entries.map((entry) => (entry.kind === 'event' ? { ...entry, data: { ...entry.data, ...came } } : entry));
}
