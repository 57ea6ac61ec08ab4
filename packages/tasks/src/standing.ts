import type { TaskStatus } from './attempt.ts';
import type { RoadmapTask } from './roadmap.ts';
import { reopened } from './task-policy.ts';
import { own, put, recordOf, type Standing, type TaskState } from './task-state.ts';

/** The status of a task: the one this run set, unless its author has changed the roadmap since. */
export function standingOf(state: TaskState, task: RoadmapTask): Standing {
  const known = own(state.standings, task.id);
  if (known && !isRewritten(known, task)) return known;
  return {
    status: task.status,
    from: task.status,
    deferred: [],
    ...(task.hasNoStatus ? { fromNoStatus: true } : {}),
  };
}

const isRewritten = (
  { from, fromNoStatus }: Standing,
  { status, hasNoStatus }: RoadmapTask,
): boolean => from !== status || (fromNoStatus === true && !hasNoStatus);

/** A status that reopens a task that was set aside, if somebody writes it into the roadmap. */
export const reopeningStatus = ({ status }: RoadmapTask): TaskStatus =>
  status === 'pending' ? 'in_progress' : 'pending';

/** Changes the status of a task. */
export function restand(state: TaskState, task: RoadmapTask, change: Partial<Standing>): void {
  put(state.standings, task.id, { ...standingOf(state, task), ...change });
}

/**
 * Reopens tasks whose status was changed in the roadmap. Earlier attempts stay as evidence but no
 * longer count, and authority is not granted twice over the same blockers.
 */
export function reopen(state: TaskState, tasks: readonly RoadmapTask[]): void {
  for (const task of tasks) {
    const { id } = task;
    if (!Object.hasOwn(state.standings, id) || !isRewritten(state.standings[id]!, task)) continue;
    delete state.standings[id];
    const record = recordOf(state, id);
    const earlier = record.earlier + record.total;
    Object.assign(record, {
      earlier,
      total: 0,
      since: state.next - 1,
      noted: 0,
      policy: reopened(record.policy),
    });
    for (const name of ['tryingWays', 'setAside', 'watched'] as const) delete record[name];
  }
}

/** Reopens tasks that had reached the attempt limit if the limit has been raised. */
export function allowMore(
  state: TaskState,
  tasks: readonly RoadmapTask[],
  maxIterations: number,
): void {
  for (const task of tasks) {
    const { setAside, ...standing } = standingOf(state, task);
    if (setAside !== 'limit' || recordOf(state, task.id).total >= maxIterations) continue;
    put(state.standings, task.id, { ...standing, status: 'in_progress' });
  }
}
