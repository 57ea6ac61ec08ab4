import { basename } from 'node:path';
import { counted } from '../report/figures.ts';
import type { RoadmapLimits, RoadmapResult, RoadmapTask } from '../tasks/index.ts';
import { reopeningStatus } from '../tasks/standing.ts';

const RESUME = 'unrut run --resume';

/** What it takes to say how a run of a roadmap goes on. */
export interface RoadmapRun {
  file: string;
  tasks: readonly RoadmapTask[];
  limits: RoadmapLimits;
}

/** How a run of a roadmap ended: a line for each task, why, and what to do now. */
export const roadmapSummary = (result: RoadmapResult, run: RoadmapRun): string[] => [
  ...result.tasks.map(
    ({ id, status, attempts, reason }) => `${id}: ${status}, ${counted(attempts, 'attempt')}${reason ? ` (${reason})` : ''}`,
  ),
  result.reason,
  ...howToGoOn(result, run),
];

function howToGoOn({ ending, limit, tasks }: RoadmapResult, run: RoadmapRun): string[] {
  if (ending === 'done') return [];
  if (ending === 'interrupted') return [`Go on with: ${RESUME}`];
  if (limit) return [withMore(limit, run.limits)];
  if (tasks.length === 0) return [`Write tasks into ${basename(run.file)}, then go on with: ${RESUME}`];
  const stuck = new Set(
    tasks.filter(({ setAside, status }) => setAside || status === 'needs_review' || status === 'blocked').map(({ id }) => id),
  );
  const byStatus = Map.groupBy(
    run.tasks.filter(({ id }) => stuck.has(id)),
    reopeningStatus,
  );
  const edits = [...byStatus].map(([status, each]) => `\`status: ${status}\` at ${each.map(({ id }) => id).join(', ')}`);
  return [`To try again, write ${edits.join(' and ')} in ${basename(run.file)}, then go on with: ${RESUME}`];
}

function withMore(limit: NonNullable<RoadmapResult['limit']>, { maxIterations = 0, maxRuntime = 0, maxCost = 0 }: RoadmapLimits): string {
  switch (limit) {
    case 'max_iterations':
      return `Go on with: ${RESUME} --max-iterations ${maxIterations * 2}`;
    case 'max_runtime':
      return `Go on with: ${RESUME} --max-runtime ${Math.ceil((maxRuntime * 2) / 60_000)}m`;
    case 'max_cost':
      return `Go on with: ${RESUME} --max-cost ${maxCost * 2}`;
    case 'consecutive_errors':
      return `Once that is mended, go on with: ${RESUME}`;
  }
}
