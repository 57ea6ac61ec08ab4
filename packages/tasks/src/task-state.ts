import type { Json } from '@unrut/engine/event';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { BudgetFigures } from '@unrut/engine/policy/spending';
import { push } from '@unrut/engine/recent';
import { alike, type PolicyState, type TaskLoopType } from '@unrut/engine/task-parts';
import { type Attempt, asStep, type TaskStatus } from './attempt.ts';
import type { RunnerProcess } from './runner.ts';
import type { WorkMemory } from './work.ts';

/** The stored state of a task: enough to detect a loop, and the recoveries so far. */
export interface TaskRecord {
  /** The last attempts, oldest first. */
  attempts: Attempt[];
  /** Attempts since the task was begun or reopened; limits count these. */
  total: number;
  /** Attempts before the task was reopened. */
  earlier: number;
  /**
   * Number of the last attempt before the last recovery or reopening. Only later attempts count.
   */
  since: number;
  /** How often a loop was found and the task continued, since the last recovery. */
  noted: number;
  /** The policy's state for this task. */
  policy?: PolicyState;
  /** Counts plans and attempts, so that new evidence can be distinguished from old. */
  tick: number;
  /** The task was skipped or escalated, and nothing has changed since. */
  setAside?: { how: 'forced' | 'escalated'; loopType: TaskLoopType; reason: string };
  /**
   * The last plan, until its outcome is known. If it helped, it is kept in case the loop returns.
   */
  watched?: Omit<Outcome, 'outcome' | 'after'> & { tick: number; recovered?: true };
  complexity?: number | string;
  /** Suggested workarounds, until the next attempt shows their outcome. */
  tryingWays?: { keys: string[]; blockers: string[] };
  /** Number of attempts with new work. */
  fruitful: number;
  /** The step of its last attempt in the ledger. */
  step?: number;
  /** Memory of its files and checks while it is open. */
  work?: WorkMemory;
}

/** The status of a roadmap task in this run. */
export interface Standing {
  status: TaskStatus;
  /** The status in the roadmap at that time. */
  from: TaskStatus;
  /** The roadmap had no status then, so any status written since is a change. */
  fromNoStatus?: true;
  reason?: string;
  /** Required checks that could not be run. */
  deferred: string[];
  /**
   * Not chosen again in this run: it looped, a person was asked, or it reached the attempt limit.
   */
  setAside?: 'loop' | 'escalated' | 'limit';
  /** Everything except its unavailable checks has passed; only these are left to run. */
  onlyChecks?: boolean;
}

/** Outcomes of a workaround: how often the blocker was gone afterwards, of how many times. */
export type BlockerOutcomes = { [kindAndWay: string]: { gone: number; times: number } };

/** The state of a run of tasks that is kept between processes. Plain JSON. */
export interface TaskRun {
  version: 1;
  /** The number of the next attempt. */
  next: number;
  /** Number of tasks begun; their ids are stored separately. */
  known: number;
  /** The last attempts at any task, for detecting cycles. */
  latest: Attempt[];
  /** Attempts that have begun but not ended, by task. */
  begun: { [task: string]: { session: string } };
  blockers: BlockerOutcomes;
  tickCount: number;
  cost: { tokens: number; usd: number };
  /** Milliseconds that attempts have taken. */
  spent: number;
  /** Loop signals, including those of guards inside the agents. */
  signals: number;
  /** The process that works on it. */
  runner?: RunnerProcess;
  /** Spent part of the budget, if there is one. */
  budget?: BudgetFigures;
  /** Failed runs of the agent in a row. */
  errors: number;
  /** Why the last of them failed, if known. */
  problem?: string;
}

/** The whole state: the run and its tasks. */
export interface TaskState extends TaskRun {
  tasks: { [id: string]: TaskRecord };
  standings: { [task: string]: Standing };
}

const startTaskRun = (): TaskRun => ({
  version: 1,
  next: 1,
  known: 0,
  latest: [],
  begun: {},
  blockers: {},
  tickCount: 0,
  cost: { tokens: 0, usd: 0 },
  spent: 0,
  signals: 0,
  errors: 0,
});

export const startTaskState = (): TaskState => ({ ...startTaskRun(), tasks: {}, standings: {} });

/** Restores a run from a ledger. Missing or unknown fields start with their defaults. */
export function restoreTaskRun(json: Json | null): TaskRun {
  const run = (json ?? {}) as unknown as TaskRun;
  return { ...startTaskRun(), ...(run.version === 1 ? structuredClone(run) : {}) };
}

/** Attempts kept per task, or more if the thresholds require it. */
export const MAX_ATTEMPTS = 24;
/** Three laps of five tasks. */
const MAX_LATEST = 15;

/** Sets a property of any name, including `__proto__`. */
export const put = <T>(map: { [name: string]: T }, name: string, value: T): T => {
  Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  return value;
};

export const own = <T>(map: { [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined;

export const recordOf = (state: TaskState, task: string): TaskRecord =>
  own(state.tasks, task) ??
  put(state.tasks, task, {
    attempts: [],
    total: 0,
    earlier: 0,
    since: 0,
    noted: 0,
    tick: 0,
    fruitful: 0,
  });

/**
 * The attempts that count towards a loop: those since the last recovery that were not interrupted.
 */
export const countedIn = ({ attempts, since }: TaskRecord): Attempt[] =>
  attempts.filter(({ number, interrupted }) => number > since && !interrupted);

/**
 * Adds an attempt under the next number and closes the one that was begun. Returns the outcome of
 * the last plan.
 */
export function addAttempt(
  state: TaskState,
  attempt: Omit<Attempt, 'number'>,
  {
    complexity,
    most = MAX_ATTEMPTS,
  }: { complexity?: number | string | undefined; most?: number } = {},
): Outcome | undefined {
  const record = recordOf(state, attempt.task);
  const made = { ...attempt, number: state.next++ };
  const brings =
    !attempt.interrupted &&
    alike([...record.attempts.filter(({ interrupted }) => !interrupted), made].map(asStep)) === 1;
  if (complexity !== undefined) record.complexity = complexity;
  record.total++;
  record.tick++;
  const isFirst = record.attempts.length === 0;
  if (brings && attempt.work.length > 0) record.fruitful++;
  push(record.attempts, made, most);
  push(state.latest, made, MAX_LATEST);
  delete state.begun[attempt.task];
  // Nothing improves a task that is already done.
  const isChanged =
    record.setAside?.loopType === 'completed_task_revisit'
      ? attempt.status !== 'done'
      : brings && !isFirst;
  if (isChanged) delete record.setAside;
  const { watched } = record;
  if (!isChanged || !watched || watched.recovered) return undefined;
  watched.recovered = true;
  return outcomeOf(record, 'recovered');
}

/** The outcome of the last plan for a task. */
export function outcomeOf({ watched, tick }: TaskRecord, outcome: Outcome['outcome']): Outcome {
  const { tick: since, recovered, ...about } = watched!;
  return { ...about, outcome, after: tick - since };
}
