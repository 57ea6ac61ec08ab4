import { randomUUID } from 'node:crypto';
import type { Idle, Json, TaskAttempted } from '../event.ts';
import type { Verdict } from '../guard.ts';
import type { ContextEntry, Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { createRecorder, type Recorder } from '../ledger/recorder.ts';
import type { RecordingStep } from '../ledger/recording-step.ts';
import { own, put, recordOf, restoreTaskRun, type Standing, type TaskRecord, type TaskState } from './task-state.ts';

/** What the names of states end in that a run keeps beside its session. No session has such a name. */
export const TASKS_END = '\u0001tasks';

/** Where a run of tasks is kept; each of its tasks beside it, so that a change to one does not write them all. */
const runKey = (run: string): string => `${run}${TASKS_END}`;
const taskKey = (run: string, task: string): string => `${run}\u0001task\u0001${task}`;

interface SavedTask {
  record?: TaskRecord;
  standing?: Standing;
}

/** What a change is about. */
interface About {
  /** The tasks that it reads or changes. */
  tasks: readonly string[];
  event?: TaskAttempted | Idle | undefined;
  /** What an attempt said beside its work. */
  said?: readonly string[] | undefined;
  context?: readonly ContextEntry[] | undefined;
  /** What else is recorded, given the state after the change. */
  entries?: ((state: TaskState) => LedgerEntry[]) | undefined;
}

/** One change, until it is in the ledger. */
interface Job extends About {
  /** Changes the state; told what guards inside the agents' own sessions reported since the last attempt. */
  apply(state: TaskState, inner: readonly string[]): void;
}

const MAX_WAITING = 1000;
const MAX_INNER = 3;

/** The state of a run, with all of its tasks. */
export async function loadTaskState(ledger: Ledger, run: string): Promise<TaskState | undefined> {
  const saved = await ledger.loadState(runKey(run));
  if (saved === null) return undefined;
  const state = restoreTaskRun(saved);
  for (const id of idsIn(saved)) show(state, id, (await ledger.loadState(taskKey(run, id))) as SavedTask | null);
  return state;
}

/** Drops what a run of tasks keeps. */
export async function forgetTasks(ledger: Ledger, run: string): Promise<void> {
  for (const id of idsIn(await ledger.loadState(runKey(run)))) await ledger.forget(taskKey(run, id));
  await ledger.forget(runKey(run));
}

const idsIn = (saved: Json | null): string[] => (saved as { ids?: string[] } | null)?.ids ?? [];

function show(state: TaskState, id: string, saved: SavedTask | null | undefined): void {
  if (saved?.record) put(state.tasks, id, saved.record);
  else delete state.tasks[id];
  if (saved?.standing) put(state.standings, id, saved.standing);
  else delete state.standings[id];
}

const partOf = ({ tasks, standings }: TaskState, id: string): SavedTask => {
  const [record, standing] = [own(tasks, id), own(standings, id)];
  return structuredClone({ ...(record ? { record } : {}), ...(standing ? { standing } : {}) });
};

/**
 * The state of a run of tasks: changed at once in memory, and in the ledger in the same order, each change with its event and entries
 * whole or not at all. A ledger that fails is told to `onFault`; what it missed is written with the next change.
 */
export class TaskStore {
  readonly #ledger: Ledger;
  /** It sees, and plans nothing: what is done about tasks is decided here. */
  readonly #recorder: Recorder;
  readonly #run: string;
  readonly #onFault: (error: unknown) => void;
  #saved: TaskState = restoreTaskRun(null);
  #ids = new Set<string>();
  #waiting: Job[] = [];
  #turn: Promise<void>;
  /** What is known now, written or not. */
  state: TaskState = restoreTaskRun(null);

  constructor(ledger: Ledger, run: string, onFault: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#recorder = createRecorder(ledger, { can: [] }, { unsaved: 'drop' });
    this.#run = run;
    this.#onFault = onFault;
    this.#turn = this.#load();
  }

  /** When all that was changed so far is written, and what earlier processes left is known. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  change(apply: Job['apply'], { event, ...about }: About): Promise<void> {
    // What is shown is shared with what is saved.
    for (const id of about.tasks) show(this.state, id, partOf(this.state, id));
    apply(this.state, []);
    this.#waiting.push({ apply, ...about, event: event && { id: randomUUID(), ...event } });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#turn = this.#turn.then(() => this.#write());
    return this.#turn;
  }

  async #load(): Promise<void> {
    try {
      this.#saved = (await loadTaskState(this.#ledger, this.#run)) ?? this.#saved;
      this.#ids = new Set([...Object.keys(this.#saved.tasks), ...Object.keys(this.#saved.standings)]);
      this.#show();
    } catch (error) {
      this.#onFault(error);
    }
  }

  async #write(): Promise<void> {
    const jobs = [...this.#waiting];
    if (jobs.length === 0) return;
    const sessions = jobs.some(({ event }) => event) ? [this.#run] : [];
    const ids = [...new Set(jobs.flatMap(({ tasks }) => tasks))];
    const [whole, ...parts] = [runKey(this.#run), ...ids.map((id) => taskKey(this.#run, id))] as [string, ...string[]];
    const { value, error } = await this.#recorder.step({ sessions, keys: [whole, ...parts] }, (step) => {
      const saved = step.own(whole).read();
      const state = restoreTaskRun(saved);
      for (const [i, id] of ids.entries()) show(state, id, structuredClone(step.own(parts[i]!).read()) as SavedTask | null);
      for (const job of jobs) perform(job, state, step);
      const known = new Set([...idsIn(saved), ...ids.filter((id) => Object.keys(partOf(state, id)).length > 0)]);
      const { tasks, standings, ...run } = state;
      step.save(whole, { ...(structuredClone(run) as object), ids: [...known] } as Json);
      for (const [i, id] of ids.entries()) step.save(parts[i]!, partOf(state, id) as Json);
      return { state, known };
    });
    if (!value) return this.#onFault(error);
    const { tasks, standings } = this.#saved;
    this.#saved = { ...value.state, tasks, standings };
    for (const id of ids) show(this.#saved, id, partOf(value.state, id));
    const unknown = [...value.known].filter((id) => !this.#ids.has(id));
    this.#ids = value.known;
    await this.#loadOthers(unknown.filter((id) => !ids.includes(id)));
    this.#waiting = this.#waiting.slice(jobs.length);
    this.#show();
  }

  /** Tasks that another process has begun. */
  async #loadOthers(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      show(this.#saved, id, (await this.#ledger.loadState(taskKey(this.#run, id)).catch(() => null)) as SavedTask | null);
  }

  /** Shows what is saved, and on top of it what waits to be written. Only tasks that wait are copied. */
  #show(): void {
    const { tasks, standings, ...run } = this.#saved;
    const state: TaskState = { ...structuredClone(run), tasks: { ...tasks }, standings: { ...standings } };
    for (const { apply, tasks: ids } of this.#waiting) {
      for (const id of ids) show(state, id, partOf(state, id));
      apply(state, []);
    }
    this.state = state;
  }
}

/** Applies a change, and records it with its event. The state remembers at which step an attempt is. */
function perform({ apply, event, said = [], context = [], entries }: Job, state: TaskState, step: RecordingStep): void {
  let origin: object = {};
  const verdict = event && step.observe(event, { origin: () => origin });
  apply(state, verdict ? innerSignals(verdict) : []);
  state.signals += verdict?.signals.length ?? 0;
  if (verdict && event?.type === 'task-attempted') {
    // The number of an attempt in the run and what it came to, in words that were redacted before they got here.
    const { task, status, blockers, work, attemptSession } = event;
    recordOf(state, task).step = verdict.step;
    origin = { turn: state.next - 1, task, status, blockers, work: [...work, ...said], attemptSession };
  }
  step.add({ context, entries: entries?.(state) ?? [] });
}

const innerSignals = ({ signals }: Verdict): string[] =>
  signals
    .filter(({ agent }) => agent !== undefined)
    .map(({ text }) => text)
    .slice(-MAX_INNER);
