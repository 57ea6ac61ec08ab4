import type { Json } from '../event.ts';
import { push } from '../recent.ts';
import type { Attempt, TaskStatus } from './attempt.ts';
import type { RunnerProcess } from './runner.ts';

/** What is remembered of a task: enough to see it loop, and what was done about it. */
export interface TaskRecord {
  /** The last ones, the newest last. */
  attempts: Attempt[];
  /** Attempts since it was begun or last taken up again: those that a limit counts. */
  total: number;
  /** Attempts before its author gave it another status. */
  earlier: number;
  /** The number of the last attempt before the last recovery, or before it was taken up again: only later ones count. */
  since: number;
  /** How often a loop was seen and the task was to go on, since the last recovery. */
  noted: number;
  /** Blockers that authority was granted over, each list as one text. */
  granted: string[];
  forced: boolean;
  escalated: boolean;
  complexity?: number | string;
  /** The ways around blockers that were suggested, until the next attempt shows what came of them. */
  tryingWays?: { keys: string[]; blockers: string[] };
  /** Attempts that brought work never seen before. */
  fruitful: number;
  /** The step at which the ledger has its last attempt. */
  step?: number;
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
  /** It is not picked again in this run: it looped, a person was asked, or it was tried often enough. */
  setAside?: 'loop' | 'escalated' | 'limit';
  /** All but its unavailable checks has passed: they alone are to be made. */
  onlyChecks?: boolean;
}

/** How a way around a kind of blocker went: how often the blocker was gone after it, of how many times. */
export type BlockerOutcomes = { [kindAndWay: string]: { gone: number; times: number } };

/** Everything that a run of tasks keeps between processes. Plain JSON. */
export interface TaskState {
  version: 1;
  /** The number of the next attempt. */
  next: number;
  tasks: { [id: string]: TaskRecord };
  /** Attempts that have begun and not ended, by task. */
  begun: { [task: string]: { session: string; at: number } };
  standings: { [task: string]: Standing };
  blockers: BlockerOutcomes;
  tickCount: number;
  cost: { tokens: number; usd: number };
  /** Milliseconds that attempts have taken. */
  spent: number;
  /** Signals that were raised, also by guards inside the agents. */
  signals: number;
  /** The process that works on it. */
  runner?: RunnerProcess;
  /** Failed runs of the agent in a row. */
  errors: number;
  /** Why the last of them failed, where that is known. */
  problem?: string;
}

const startTaskState = (): TaskState => ({
  version: 1,
  next: 1,
  tasks: {},
  begun: {},
  standings: {},
  blockers: {},
  tickCount: 0,
  cost: { tokens: 0, usd: 0 },
  spent: 0,
  signals: 0,
  errors: 0,
});

/** The state as it comes back from a ledger; what is missing or unknown starts afresh. */
export const restoreTaskState = (json: Json | null): TaskState => ({
  ...startTaskState(),
  ...((json as { version?: unknown } | null)?.version === 1 ? (structuredClone(json) as unknown as TaskState) : {}),
});

/** Kept of each task, or more where the thresholds ask for it. */
export const MAX_ATTEMPTS = 24;

export function recordOf(state: TaskState, task: string): TaskRecord {
  if (!Object.hasOwn(state.tasks, task))
    state.tasks[task] = {
      attempts: [],
      total: 0,
      earlier: 0,
      since: 0,
      noted: 0,
      granted: [],
      forced: false,
      escalated: false,
      fruitful: 0,
    };
  return state.tasks[task]!;
}

/** Adds an attempt, which gets the next number, and ends the one that was begun. */
export function addAttempt(state: TaskState, attempt: Omit<Attempt, 'number'>, complexity?: number | string, most = MAX_ATTEMPTS): void {
  const record = recordOf(state, attempt.task);
  const known = new Set(record.attempts.flatMap(({ work }) => work));
  if (attempt.work.some((item) => !known.has(item))) record.fruitful++;
  if (complexity !== undefined) record.complexity = complexity;
  record.total++;
  push(record.attempts, { ...attempt, number: state.next++ }, most);
  delete state.begun[attempt.task];
}
