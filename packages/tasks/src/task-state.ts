import type { Json } from '@unrut/engine/event';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { BudgetFigures } from '@unrut/engine/policy/spending';
import { push } from '@unrut/engine/recent';
import { alike, type PolicyState, type TaskLoopType } from '@unrut/engine/task-parts';
import { type Attempt, asStep, type TaskStatus } from './attempt.ts';
import type { RunnerProcess } from './runner.ts';
import type { WorkMemory } from './work.ts';

/** What is remembered of a task: enough to see it loop, and what was done about it. */
export interface TaskRecord {
  /** The last ones, the newest last. */
  attempts: Attempt[];
  /** Attempts since it was begun or last taken up again: those that a limit counts. */
  total: number;
  /** Attempts before its author gave it another status. */
  earlier: number;
  /**
   * The number of the last attempt before the last recovery, or before it was taken up again: only
   * later ones count.
   */
  since: number;
  /** How often a loop was seen and the task was to go on, since the last recovery. */
  noted: number;
  /** What the policy has done about it. */
  policy?: PolicyState;
  /** Plans made and attempts seen, so that evidence is known to be fresh. */
  tick: number;
  /** It was left, or a person was asked, and nothing has changed since. */
  setAside?: { how: 'forced' | 'escalated'; loopType: TaskLoopType; reason: string };
  /**
   * The last plan, until it is known what came of it; then, where it helped, in case it comes back.
   */
  watched?: Omit<Outcome, 'outcome' | 'after'> & { tick: number; recovered?: true };
  complexity?: number | string;
  /**
   * The ways around blockers that were suggested, until the next attempt shows what came of them.
   */
  tryingWays?: { keys: string[]; blockers: string[] };
  /** Attempts that brought work never seen before. */
  fruitful: number;
  /** The step at which the ledger has its last attempt. */
  step?: number;
  /** What is known of its files and checks, while it is open. */
  work?: WorkMemory;
}

/** Where a task of a roadmap stands in this run. */
export interface Standing {
  status: TaskStatus;
  /** What the roadmap said then. */
  from: TaskStatus;
  /** It said nothing then, so that a status written since is news, whichever it is. */
  fromNoStatus?: true;
  reason?: string;
  /** Required checks that could not be made. */
  deferred: string[];
  /**
   * It is not picked again in this run: it looped, a person was asked, or it was tried often
   * enough.
   */
  setAside?: 'loop' | 'escalated' | 'limit';
  /** All but its unavailable checks has passed: they alone are to be made. */
  onlyChecks?: boolean;
}

/**
 * How a way around a kind of blocker went: how often the blocker was gone after it, of how many
 * times.
 */
export type BlockerOutcomes = { [kindAndWay: string]: { gone: number; times: number } };

/** What a run of tasks keeps of itself between processes. Plain JSON. */
export interface TaskRun {
  version: 1;
  /** The number of the next attempt. */
  next: number;
  /** How many tasks were begun: their ids are listed apart. */
  known: number;
  /** The last attempts at any task, for cycles. */
  latest: Attempt[];
  /** Attempts that have begun and not ended, by task. */
  begun: { [task: string]: { session: string } };
  blockers: BlockerOutcomes;
  tickCount: number;
  cost: { tokens: number; usd: number };
  /** Milliseconds that attempts have taken. */
  spent: number;
  /** Signals of loops, also by guards inside the agents. */
  signals: number;
  /** The process that works on it. */
  runner?: RunnerProcess;
  /** What is spent of its budget, if it has one. */
  budget?: BudgetFigures;
  /** Failed runs of the agent in a row. */
  errors: number;
  /** Why the last of them failed, where that is known. */
  problem?: string;
}

/** All of it: the run, and each of its tasks. */
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

/** The run as it comes back from a ledger; what is missing or unknown starts afresh. */
export function restoreTaskRun(json: Json | null): TaskRun {
  const run = (json ?? {}) as unknown as TaskRun;
  return { ...startTaskRun(), ...(run.version === 1 ? structuredClone(run) : {}) };
}

/** Kept of each task, or more where the thresholds ask for it. */
export const MAX_ATTEMPTS = 24;
/** Three laps of five tasks. */
const MAX_LATEST = 15;

/** Sets a property whatever its name is, `__proto__` included. */
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

/** The attempts that a loop is made of: since the last recovery, and not cut off. */
export const countedIn = ({ attempts, since }: TaskRecord): Attempt[] =>
  attempts.filter(({ number, interrupted }) => number > since && !interrupted);

/**
 * Adds an attempt, which gets the next number, and ends the one that was begun. Gives what it shows
 * of the last plan.
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
  // Whatever is done to a task that is done brings it no further.
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

/** What became of the last plan about a task. */
export function outcomeOf({ watched, tick }: TaskRecord, outcome: Outcome['outcome']): Outcome {
  const { tick: since, recovered, ...about } = watched!;
  return { ...about, outcome, after: tick - since };
}
