import { randomUUID } from 'node:crypto';
import type { Idle, Json, TaskAttempted } from '../event.ts';
import type { Verdict } from '../guard.ts';
import type { ContextEntry, Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { createRecorder, type Recorder } from '../ledger/recorder.ts';
import type { RecordingStep } from '../ledger/recording-step.ts';
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

const MAX_WAITING = 1000;
const MAX_INNER = 3;

/**
 * The state of a run of tasks: changed at once in memory, and in the ledger in the same order, each change with its event and entries
 * whole or not at all. A ledger that fails is told to `onFault`; what it missed is written with the next change.
 */
export class TaskStore {
  readonly #ledger: Ledger;
  /** It sees, and plans nothing: what is done about tasks is decided here. */
  readonly #recorder: Recorder;
  readonly #run: string;
  readonly #key: string;
  readonly #onFault: (error: unknown) => void;
  #saved: TaskState = restoreTaskState(null);
  #waiting: Job[] = [];
  #turn: Promise<void>;
  /** What is known now, written or not. */
  state: TaskState = restoreTaskState(null);

  constructor(ledger: Ledger, run: string, onFault: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#recorder = createRecorder(ledger, { can: [] }, { unsaved: 'drop' });
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
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
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
    const sessions = jobs.some(({ event }) => event) ? [this.#run] : [];
    const { value, error } = await this.#recorder.step({ sessions, keys: [this.#key] }, (step) => {
      const state = restoreTaskState(step.own(this.#key).read());
      for (const job of jobs) perform(job, state, step);
      step.save(this.#key, structuredClone(state) as unknown as Json);
      return state;
    });
    if (!value) return this.#onFault(error);
    this.#saved = value;
    this.#waiting = this.#waiting.slice(jobs.length);
    this.#show();
  }

  /** Shows what is saved, and on top of it what waits to be written. */
  #show(): void {
    const state = structuredClone(this.#saved);
    for (const { apply } of this.#waiting) apply(state, []);
    this.state = state;
  }
}

/** Applies a change, and records it with its event. The state remembers at which step an attempt is. */
function perform({ apply, event, context, entries }: Job, state: TaskState, step: RecordingStep): void {
  let origin: object = {};
  const verdict = event && step.observe(event, { origin: () => origin });
  apply(state, verdict ? innerSignals(verdict) : []);
  state.signals += verdict?.signals.length ?? 0;
  if (verdict && event?.type === 'task-attempted') {
    // The number of an attempt in the run and what it came to, in words that were redacted before they got here.
    const { task, status, blockers, work, attemptSession } = event;
    recordOf(state, task).step = verdict.step;
    origin = { turn: state.next - 1, task, status, blockers, work, attemptSession };
  }
  step.add({ context, entries: entries?.(state) ?? [] });
}

const innerSignals = ({ signals }: Verdict): string[] =>
  signals
    .filter(({ agent }) => agent !== undefined)
    .map(({ text }) => text)
    .slice(-MAX_INNER);
