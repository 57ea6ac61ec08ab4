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

/**
 * What the names of states end in that a run keeps beside its session. No session has such a name.
 */
export const TASKS_END = '\u0001tasks';

/**
 * Where a run of tasks is kept; each of its tasks beside it, so that a change to one does not write
 * them all.
 */
const runKey = (run: string): string => `${run}${TASKS_END}`;
const taskKey = (run: string, task: string): string => `${run}\u0001task\u0001${task}`;
/**
 * The ids of its tasks, a hundred to a list: what is written for a task must not grow with their
 * number.
 */
const listKey = (run: string, list: number): string => `${run}\u0001ids\u0001${list}`;
const LIST = 100;
const listOf = (known: number): number => Math.floor(known / LIST);

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
  /**
   * Changes the state; told what guards inside the agents' own sessions reported since the last
   * attempt.
   */
  apply(state: TaskState, inner: readonly string[]): void;
}

const MAX_WAITING = 1000;
const MAX_INNER = 3;

/** The state of a run, with all of its tasks. */
export async function loadTaskState(ledger: Ledger, run: string): Promise<TaskState | undefined> {
  const saved = await ledger.loadState(runKey(run));
  if (saved === null) return undefined;
  const state: TaskState = { ...restoreTaskRun(saved), tasks: {}, standings: {} };
  for (const id of await idsOf(ledger, run, state))
    show(state, id, (await ledger.loadState(taskKey(run, id))) as SavedTask | null);
  return state;
}

/** Drops what a run of tasks keeps. */
export async function forgetTasks(ledger: Ledger, run: string): Promise<void> {
  const state = restoreTaskRun(await ledger.loadState(runKey(run)));
  for (const id of await idsOf(ledger, run, state)) await ledger.forget(taskKey(run, id));
  for (let list = 0; list <= listOf(state.known); list++) await ledger.forget(listKey(run, list));
  await ledger.forget(runKey(run));
}

/** In the order in which they were begun. Two processes may have listed one each. */
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
 * The state of a run of tasks: changed at once in memory, and in the ledger in the same order, each
 * change with its event and entries whole or not at all. A ledger that fails is told to `onFault`;
 * what it missed is written with the next change.
 */
export class TaskStore {
  readonly #ledger: Ledger;
  /** It sees, and plans nothing: what is done about tasks is decided here. */
  readonly #recorder: Recorder;
  readonly #name: string;
  readonly #onFault: (error: unknown) => void;
  /** What the ledger has: the run, and each task. */
  #saved: TaskRun = restoreTaskRun(null);
  readonly #tasks = new Map<string, SavedTask>();
  #waiting: Job[] = [];
  #turn: Promise<void>;
  /** What is known now, written or not. */
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

  /** When all that was changed so far is written, and what earlier processes left is known. */
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

  /** Those that are not known yet. */
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
    // Others may have begun tasks meanwhile.
    if (value.run.known !== this.#tasks.size) await this.#loadTasks().catch(this.#onFault);
    this.#show(ids);
  }

  /**
   * Shows what is saved of the run and of these tasks, and on top of it what waits to be written.
   */
  #show(ids: readonly string[]): void {
    for (const name of ['runner', 'problem'] as const) delete this.state[name];
    Object.assign(this.state, structuredClone(this.#saved));
    const changed = new Set([...ids, ...this.#waiting.flatMap(({ tasks }) => tasks)]);
    for (const id of changed) show(this.state, id, structuredClone(this.#tasks.get(id)));
    for (const { apply } of this.#waiting) apply(this.state, []);
  }
}

/**
 * Applies a change, and records it with its event. The state remembers at which step an attempt is.
 */
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
    // The number of an attempt in the run and what it came to, in words that were redacted before
    // they got here.
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

/** What of a verdict comes from guards inside the agent's own sessions. */
export const innerSignals = ({ signals }: Verdict): Signal[] =>
  signals.filter(({ agent }) => agent !== undefined);

/** A task that waits for a person is signalled, but it is no loop. */
const isOfLoop = ({ evidence: { facts } }: Signal): boolean => facts.waiting !== true;
