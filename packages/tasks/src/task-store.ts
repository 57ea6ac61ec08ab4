import { randomUUID } from 'node:crypto';
import type { Idle, Json, TaskAttempted } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import type { Signal } from '@unrut/engine/signal';
import type { ContextEntry, Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import type { RecordingTransaction } from '@unrut/ledger/recording-transaction';
import type { TaskSettings } from './task-options.ts';
import {
  own,
  put,
  recordOf,
  restoreTaskRun,
  type Standing,
  type TaskRecord,
  type TaskRun,
  type TaskState,
} from './task-state.ts';

/** Suffix of the states that a run keeps besides its session. No session name ends like this. */
export const TASKS_END = '\u0001tasks';

/**
 * The key of a run of tasks. Each task has its own key, so that a change to one does not rewrite
 * all.
 */
const runKey = (run: string): string => `${run}${TASKS_END}`;
const taskKey = (run: string, task: string): string => `${run}\u0001task\u0001${task}`;
/**
 * The key of a list of a hundred task ids. The cost of writing a task must not grow with their
 * number.
 */
const listKey = (run: string, list: number): string => `${run}\u0001ids\u0001${list}`;
const LIST = 100;
const listOf = (known: number): number => Math.floor(known / LIST);

interface SavedTask {
  record?: TaskRecord;
  standing?: Standing;
}

/** What a change affects. */
interface About {
  /** The tasks it reads or changes. */
  tasks: readonly string[];
  event?: TaskAttempted | Idle | undefined;
  /** What the agent said in an attempt, besides its work. */
  said?: readonly string[] | undefined;
  context?: readonly ContextEntry[] | undefined;
  /** Further entries to store, given the state after the change. */
  entries?: ((state: TaskState) => LedgerEntry[]) | undefined;
}

/** A change that is not yet in the ledger. */
interface Job extends About {
  /**
   * Changes the state. Receives the reports of guards inside the agents' own sessions since the
   * last attempt.
   */
  apply(state: TaskState, inner: readonly string[]): void;
}

const MAX_WAITING = 1000;
const MAX_INNER = 3;

/** Loads the state of a run with all of its tasks. */
export async function loadTaskState(ledger: Ledger, run: string): Promise<TaskState | undefined> {
  const saved = await ledger.loadState(runKey(run));
  if (saved === null) return undefined;
  const state: TaskState = { ...restoreTaskRun(saved), tasks: {}, standings: {} };
  for (const id of await idsOf(ledger, run, state))
    show(state, id, (await ledger.loadState(taskKey(run, id))) as SavedTask | null);
  return state;
}

/** Deletes the state of a run of tasks. */
export async function forgetTasks(ledger: Ledger, run: string): Promise<void> {
  const state = restoreTaskRun(await ledger.loadState(runKey(run)));
  for (const id of await idsOf(ledger, run, state)) await ledger.forget(taskKey(run, id));
  for (let list = 0; list <= listOf(state.known); list++) await ledger.forget(listKey(run, list));
  await ledger.forget(runKey(run));
}

/**
 * Task ids in the order in which the tasks were begun. Two processes may have listed the same one.
 */
async function idsOf(ledger: Ledger, run: string, { known }: TaskRun): Promise<string[]> {
  const ids = new Set<string>();
  if (known === 0) return [];
  for (let list = 0; list <= listOf(known); list++)
    for (const id of idsIn(await ledger.loadState(listKey(run, list)))) ids.add(id);
  return [...ids];
}

const idsIn = (list: Json | null): string[] => (list ?? []) as string[];

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
 * The state of a run of tasks. Changes apply to memory at once and to the ledger in the same order,
 * each in one transaction with its event and entries. Ledger errors go to `onFault`; the missed
 * changes are written with the next one.
 */
export class TaskStore {
  readonly #ledger: Ledger;
  /** Observes without planning: recoveries of tasks are decided here. */
  readonly #recorder: Recorder;
  readonly #name: string;
  readonly #onFault: (error: unknown) => void;
  /** The state in the ledger: the run and each task. */
  #saved: TaskRun = restoreTaskRun(null);
  readonly #tasks = new Map<string, SavedTask>();
  #waiting: Job[] = [];
  #turn: Promise<void>;
  /** The current state, whether written or not. */
  readonly state: TaskState = { ...restoreTaskRun(null), tasks: {}, standings: {} };

  constructor(
    ledger: Ledger,
    run: string,
    { onFault, budget }: Pick<TaskSettings, 'onFault' | 'budget'>,
  ) {
    this.#ledger = ledger;
    this.#recorder = createRecorder(
      ledger,
      { can: [], ...(budget ? { budget } : {}) },
      { unsaved: 'drop' },
    );
    this.#name = run;
    this.#onFault = onFault;
    this.#turn = this.#load();
  }

  /** Resolves when all changes so far are written and the state of earlier processes is loaded. */
  get settled(): Promise<void> {
    return this.#turn;
  }

  change(apply: Job['apply'], { event, ...about }: About): Promise<void> {
    apply(this.state, []);
    this.#waiting.push({ apply, ...about, event: event && { id: randomUUID(), ...event } });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#turn = this.#turn.then(() => this.#write());
    return this.#turn;
  }

  async #load(): Promise<void> {
    try {
      const saved = await this.#ledger.loadState(runKey(this.#name));
      this.#saved = restoreTaskRun(saved);
      await this.#loadTasks();
      this.#show([]);
    } catch (error) {
      this.#onFault(error);
    }
  }

  /** Loads the tasks that are not known yet. */
  async #loadTasks(): Promise<void> {
    for (const id of await idsOf(this.#ledger, this.#name, this.#saved)) {
      if (this.#tasks.has(id)) continue;
      const part = ((await this.#ledger.loadState(taskKey(this.#name, id))) ?? {}) as SavedTask;
      this.#tasks.set(id, part);
      show(this.state, id, structuredClone(part));
    }
  }

  async #write(): Promise<void> {
    const jobs = [...this.#waiting];
    if (jobs.length === 0) return;
    const sessions = jobs.some(({ event }) => event) ? [this.#name] : [];
    const ids = [...new Set(jobs.flatMap(({ tasks }) => tasks))];
    const [whole, ...parts] = [runKey(this.#name), ...ids.map((id) => taskKey(this.#name, id))] as [
      string,
      ...string[],
    ];
    const fresh = ids.filter((id) => !this.#tasks.has(id));
    const lists = fresh.length > 0 ? [listKey(this.#name, listOf(this.#saved.known))] : [];
    const { value, error } = await this.#recorder.transaction(
      { sessions, keys: [whole, ...parts, ...lists] },
      (step) => {
        const state: TaskState = {
          ...restoreTaskRun(step.own(whole).read()),
          tasks: {},
          standings: {},
        };
        for (const [i, id] of ids.entries())
          show(state, id, structuredClone(step.own(parts[i]!).read()) as SavedTask | null);
        for (const job of jobs) perform(job, state, step);
        const { tasks, standings, ...run } = state;
        for (const key of lists) {
          const listed = idsIn(step.own(key).read());
          const all = [...new Set([...listed, ...fresh])];
          run.known += all.length - listed.length;
          step.save(key, all);
        }
        step.save(whole, structuredClone(run) as unknown as Json);
        for (const [i, id] of ids.entries()) step.save(parts[i]!, partOf(state, id) as Json);
        return { run, parts: ids.map((id) => partOf(state, id)) };
      },
    );
    if (!value) return this.#onFault(error);
    this.#saved = value.run;
    for (const [i, id] of ids.entries()) this.#tasks.set(id, value.parts[i]!);
    this.#waiting = this.#waiting.slice(jobs.length);
    // Other processes may have begun tasks in the meantime.
    if (value.run.known !== this.#tasks.size) await this.#loadTasks().catch(this.#onFault);
    this.#show(ids);
  }

  /**
   * Resets the run and these tasks to their saved state, then applies the changes that wait to be
   * written.
   */
  #show(ids: readonly string[]): void {
    for (const name of ['runner', 'problem'] as const) delete this.state[name];
    Object.assign(this.state, structuredClone(this.#saved));
    const changed = new Set([...ids, ...this.#waiting.flatMap(({ tasks }) => tasks)]);
    for (const id of changed) show(this.state, id, structuredClone(this.#tasks.get(id)));
    for (const { apply } of this.#waiting) apply(this.state, []);
  }
}

/** Applies a change and records it with its event. The state remembers the step of the attempt. */
function perform(
  { apply, event, said = [], context = [], entries }: Job,
  state: TaskState,
  step: RecordingTransaction,
): void {
  let origin: object = {};
  const verdict = event && step.observe(event, { origin: () => origin });
  apply(
    state,
    (verdict ? innerSignals(verdict) : []).slice(-MAX_INNER).map(({ text }) => text),
  );
  state.signals += verdict?.signals.filter(isOfLoop).length ?? 0;
  if (verdict?.budget) state.budget = verdict.budget.figures;
  if (verdict && event?.type === 'task-attempted') {
    // The number and result of an attempt; the texts were redacted before.
    const { task, status, blockers, work, attemptSession } = event;
    recordOf(state, task).step = verdict.step;
    origin = {
      turn: state.next - 1,
      task,
      status,
      blockers,
      work,
      ...(said.length > 0 ? { said } : {}),
      attemptSession,
    };
  }
  step.add({ context, entries: entries?.(state) ?? [] });
}

/** The signals of guards inside the agent's own sessions. */
export const innerSignals = ({ signals }: Verdict): Signal[] =>
  signals.filter(({ agent }) => agent !== undefined);

/** A task that waits for a person raises a signal, but is not a loop. */
const isOfLoop = ({ evidence: { facts } }: Signal): boolean => facts.waiting !== true;
