import { present } from '@unrut/engine/json';
import type { Ledger } from '@unrut/ledger/ledger';
import type { RoadmapTask } from './roadmap.ts';
import type { RoadmapEnding, RoadmapStatus, TaskSummary } from './roadmap-run.ts';
import { isAlive } from './runner.ts';
import { standingOf } from './standing.ts';
import { own, startTaskState, type TaskRecord, type TaskState } from './task-state.ts';
import { loadTaskState } from './task-store.ts';

/** Exit codes of `unrut run`, by ending. */
export const ROADMAP_EXIT: Readonly<Record<RoadmapEnding, number>> = {
  done: 0,
  limit: 2,
  loop: 3,
  escalated: 4,
  'nothing-to-do': 4,
  interrupted: 130,
};

/**
 * The ending of a run in which no task can be worked on. The state that needs a person most
 * decides.
 */
export function endingOf(tasks: readonly RoadmapTask[], state: TaskState): RoadmapEnding {
  const standings = tasks.map((task) => standingOf(state, task));
  if (tasks.length > 0 && standings.every(({ status }) => status === 'done')) return 'done';
  const reasons = standings.map(({ setAside }) => setAside);
  return (
    (['escalated', 'loop', 'limit'] as const).find((reason) => reasons.includes(reason)) ??
    'nothing-to-do'
  );
}

/** The state of each task. */
const summarise = (tasks: readonly RoadmapTask[], state: TaskState): TaskSummary[] =>
  tasks.map((task) => {
    const { status, reason, deferred, setAside } = standingOf(state, task);
    const record = own(state.tasks, task.id);
    const attempts = record ? attemptsAt(record) : 0;
    return {
      id: task.id,
      title: task.title,
      status,
      attempts,
      deferred,
      ...(reason === undefined || status === 'done' ? {} : { reason }),
      ...present({ setAside }),
    };
  });

/** The answer of a guard's `getStatus`. */
export const attemptsIn = (state: TaskState): RoadmapStatus['loopDetection'] =>
  Object.fromEntries(
    Object.entries(state.tasks)
      .filter(([, { attempts }]) => attempts.length > 0)
      .map(([id, record]) => [
        id,
        { attemptCount: attemptsAt(record), lastAttempt: record.attempts.at(-1)!.at },
      ]),
  );

/** All attempts in the run, including those before the task was reopened. */
const attemptsAt = ({ earlier, total }: TaskRecord): number => earlier + total;

/** The figures of a run so far. */
export const figuresOf = (state: TaskState, tasks: readonly RoadmapTask[]) => ({
  tasks: summarise(tasks, state),
  tickCount: state.tickCount,
  cost: { ...state.cost },
  milliseconds: state.spent,
  signals: state.signals,
});

/** Builds the status object. */
export const roadmapStatusOf = (
  state: TaskState,
  run: string,
  tasks: readonly RoadmapTask[],
  running: boolean,
): RoadmapStatus => ({
  run,
  running,
  loopDetection: attemptsIn(state),
  ...figuresOf(state, tasks),
});

/**
 * The status of a run from the ledger, whichever process works on it. Undefined for a run without
 * an attempt.
 */
export async function roadmapStatus(
  ledger: Ledger,
  run: string,
  tasks: readonly RoadmapTask[] = [],
): Promise<RoadmapStatus> {
  const state = (await loadTaskState(ledger, run)) ?? startTaskState();
  return roadmapStatusOf(state, run, tasks, state.runner !== undefined && isAlive(state.runner));
}
