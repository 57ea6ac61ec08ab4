import type { RoadmapTask } from './roadmap.ts';
import { standingOf } from './standing.ts';
import { own, type TaskState } from './task-state.ts';

/** The decision of a tick. */
export type ScheduleDecision =
  | { type: 'run_task'; task: RoadmapTask }
  | { type: 'idle'; reason: string };

/** Chooses what to do next. You can replace `schedule` with your own. */
export type Scheduler = (
  tasks: readonly RoadmapTask[],
  state: TaskState,
  running: ReadonlySet<string>,
) => ScheduleDecision;

/**
 * Chooses the first task of the roadmap that can be worked on. Blocked tasks come last, the longest
 * untried first.
 */
export const schedule: Scheduler = (tasks, state, running) => {
  const done = new Set(
    tasks.filter((task) => standingOf(state, task).status === 'done').map(({ id }) => id),
  );
  const free = tasks.filter((task) => !running.has(task.id) && isActionable(task, done, state));
  const isBlocked = (task: RoadmapTask): boolean => standingOf(state, task).status === 'blocked';
  const lastTry = ({ id }: RoadmapTask): number =>
    own(state.tasks, id)?.attempts.at(-1)?.number ?? 0;
  const task =
    free.find((each) => !isBlocked(each)) ?? free.toSorted((a, b) => lastTry(a) - lastTry(b))[0];
  return task ? { type: 'run_task', task } : { type: 'idle', reason: whyNothing(tasks, state) };
};

/** Whether an agent could work on the task now. */
function isActionable(task: RoadmapTask, done: ReadonlySet<string>, state: TaskState): boolean {
  const { status, setAside } = standingOf(state, task);
  if (setAside || status === 'done' || status === 'needs_review') return false;
  // Its author marked it as waiting for something outside.
  if (status === 'blocked' && task.status === 'blocked') return false;
  return task.dependsOn.every((id) => done.has(id));
}

/** One line that says why no task can be worked on. */
export function whyNothing(tasks: readonly RoadmapTask[], state: TaskState): string {
  if (tasks.length === 0) return 'The roadmap has no tasks.';
  const open = tasks.filter((task) => standingOf(state, task).status !== 'done');
  const openIds = new Set(open.map(({ id }) => id));
  if (open.length === 0)
    return tasks.length === 1 ? 'The task is done.' : `All ${tasks.length} tasks are done.`;
  const reasons = open.map((task) => {
    const missing = task.dependsOn.filter((id) => openIds.has(id));
    const { status } = standingOf(state, task);
    return `${task.id} ${missing.length > 0 ? `waits for ${missing.join(', ')}` : `is ${status}`}`;
  });
  return `No task can be worked on: ${reasons.slice(0, 5).join('; ')}${reasons.length > 5 ? `; and ${reasons.length - 5} more` : ''}.`;
}
