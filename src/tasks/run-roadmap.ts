import type { Ledger } from '../ledger/ledger.ts';
import type { RoadmapTask } from './roadmap.ts';
import { RoadmapLoop } from './roadmap-loop.ts';
import type { RoadmapEnding, RoadmapResult, RoadmapRunOptions, RoadmapStatus } from './roadmap-run.ts';
import { roadmapStatusOf } from './run-status.ts';
import { isAlive } from './runner.ts';
import { startTaskState } from './task-state.ts';
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

/** Works through a roadmap until it is done or nothing more can be done. Rejects only when the ledger or the project cannot be used. */
export const runRoadmap = (options: RoadmapRunOptions): Promise<RoadmapResult> => new RoadmapLoop(options).run();

/** Where a run stands, as the ledger has it, whoever works on it. Nothing is known of a run without an attempt. */
export async function roadmapStatus(ledger: Ledger, run: string, tasks: readonly RoadmapTask[] = []): Promise<RoadmapStatus> {
  const state = (await loadTaskState(ledger, run)) ?? startTaskState();
  return roadmapStatusOf(state, run, tasks, state.runner !== undefined && isAlive(state.runner));
}
