import type { RoadmapTask } from './roadmap.ts';
import { recordOf, type Standing, type TaskState } from './task-state.ts';

/** Where a task stands: as this run left it, unless its author has changed the roadmap since. */
export function standingOf(state: TaskState, task: RoadmapTask): Standing {
  const known = Object.hasOwn(state.standings, task.id) ? state.standings[task.id] : undefined;
  return known && known.from === task.status ? known : { status: task.status, from: task.status, deferred: [] };
}

/** Changes where a task stands. */
export function restand(state: TaskState, task: RoadmapTask, change: Partial<Standing>): void {
  state.standings[task.id] = { ...standingOf(state, task), ...change };
}

/** Where somebody gave a task another status in the roadmap, what was counted and done about it before is over. */
export function reopen(state: TaskState, tasks: readonly RoadmapTask[]): void {
  for (const { id, status } of tasks) {
    if (!Object.hasOwn(state.standings, id) || state.standings[id]!.from === status) continue;
    delete state.standings[id];
    if (!Object.hasOwn(state.tasks, id)) continue;
    const { earlier, total } = state.tasks[id]!;
    delete state.tasks[id];
    // No two attempts of a run have the same name.
    recordOf(state, id).earlier = earlier + total;
  }
}
