import { basename } from 'node:path';
import { counted } from '@unrut/ledger/report/figures';
import type {
  RoadmapEvents,
  RoadmapLimits,
  RoadmapResult,
  RoadmapStatus,
  RoadmapTask,
  TaskSummary,
} from '@unrut/tasks';
import { resumeCommand } from '@unrut/tasks/run/run-settings';
import { reopeningStatus } from '@unrut/tasks/standing';
import { ENDED, lookAt } from './run-screen.ts';
import { runTotals } from './run-totals.ts';

const RESUME = 'unrut run --resume';

/** The facts needed to describe the progress of a roadmap. */
export interface RoadmapRun {
  run: string;
  file: string;
  tasks: readonly RoadmapTask[];
  limits: RoadmapLimits;
}

/** Printed when an agent starts a task: the task, the run's progress, and its cost so far. */
export function attemptLine(
  task: RoadmapTask,
  attempt: number,
  status: RoadmapStatus,
  limits: RoadmapLimits,
): string {
  const done = status.tasks.filter((each) => each.status === 'done').length;
  const name = task.title === task.id ? task.id : `${task.id} (${task.title})`;
  return [
    `task ${name}`,
    `attempt ${attempt}`,
    `${done} of ${counted(status.tasks.length, 'task')} done`,
    ...runTotals(status, limits),
  ].join(' · ');
}

/** Said of an attempt when it has ended. */
export function attemptedLine({
  task: { id },
  judgement: { status, blockers },
}: RoadmapEvents['attempted'][0]): string {
  if (status === 'done') return `task ${id}: done`;
  return blockers.length > 0
    ? `task ${id}: blocked by ${blockers.join('; ')}`
    : `task ${id}: not done yet`;
}

/** The status of a task, and its reason. */
export function taskLine({ id, status, attempts, reason, deferred }: TaskSummary): string {
  const unchecked =
    deferred.length > 0
      ? `, without ${deferred.length === 1 ? 'the check' : 'the checks'} ${deferred.join(', ')}, deferred while unavailable`
      : '';
  return `${id}: ${status}, ${counted(attempts, 'attempt')}${unchecked}${reason ? ` (${reason})` : ''}`;
}

const MAX_LINES = 20;

/** Unfinished tasks first; if there are many, the rest is only counted. */
function tasksInShort(tasks: readonly TaskSummary[]): string[] {
  if (tasks.length <= MAX_LINES) return tasks.map(taskLine);
  const open = tasks.filter(({ status }) => status !== 'done');
  const shown = open.slice(0, MAX_LINES);
  const left = [...Map.groupBy(tasks, ({ status }) => status)].map(
    ([status, each]) => `${each.length} ${status}`,
  );
  return [
    ...shown.map(taskLine),
    `${shown.length < open.length ? 'Of' : 'Of all'} ${counted(tasks.length, 'task')}: ${left.join(', ')}. All of them: unrut run status`,
  ];
}

/** The summary of a roadmap's run: a line for each task, the reason, the cost, and advice. */
export function roadmapSummary(result: RoadmapResult, run: RoadmapRun): string[] {
  const { ending, reason, tasks } = result;
  const attempts = tasks.reduce((sum, each) => sum + each.attempts, 0);
  const how = ending === 'nothing-to-do' ? 'Nothing to do' : ENDED[ending];
  return [
    ...tasksInShort(tasks),
    `${how} after ${[counted(attempts, 'attempt'), ...runTotals(result)].join(', ')}. ${reason}`,
    ...lookAt(run.run, ending, result.signals),
    'Show its status: unrut run status',
    ...howToGoOn(result, run),
  ];
}

function howToGoOn({ ending, limit, tasks }: RoadmapResult, run: RoadmapRun): string[] {
  if (ending === 'done') {
    const open = [...new Set(tasks.flatMap(({ deferred }) => deferred))];
    return open.length > 0
      ? [`Still to be made once available: ${open.join(', ')}. Nothing has checked that they pass.`]
      : [];
  }
  if (ending === 'interrupted') return [`Resume: ${RESUME}`];
  if (limit === 'consecutive_errors') return [`Once this is fixed, resume: ${RESUME}`];
  const { maxIterations = 0, maxRuntime = 0, maxCost = 0 } = run.limits;
  const next = { iterations: maxIterations * 2, milliseconds: maxRuntime * 2, usd: maxCost * 2 };
  if (limit) return [`Resume: ${resumeCommand(limit, next)}`];
  if (tasks.length === 0) return [`Add tasks to ${basename(run.file)}, then resume: ${RESUME}`];
  const stuck = new Set(
    tasks
      .filter(
        ({ setAside, status }) => setAside || status === 'needs_review' || status === 'blocked',
      )
      .map(({ id }) => id),
  );
  const byStatus = Map.groupBy(
    run.tasks.filter(({ id }) => stuck.has(id)),
    reopeningStatus,
  );
  const edits = [...byStatus].map(
    ([status, each]) => `\`status: ${status}\` for ${named(each.map(({ id }) => id))}`,
  );
  return [`To retry, set ${edits.join(' and ')} in ${basename(run.file)}, then resume: ${RESUME}`];
}

const named = (ids: readonly string[]): string =>
  ids.length <= MAX_LINES
    ? ids.join(', ')
    : `${ids.slice(0, MAX_LINES).join(', ')} and ${ids.length - MAX_LINES} more`;
