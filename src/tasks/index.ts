export type { AgentContext, AgentRun, RunAgent } from './agent.ts';
export { type Attempt, TASK_STATUSES, type TaskStatus } from './attempt.ts';
export { type AttemptDetails, createTaskGuard, type TaskGuard, type TaskHost } from './create-task-guard.ts';
export type { LoopResult, Recommendation } from './detect-task-loop.ts';
export { type Check, type Complexity, type Roadmap, type RoadmapTask, readRoadmap } from './roadmap.ts';
export { type RoadmapEvents, RoadmapLoop, type TickResult } from './roadmap-loop.ts';
export {
  ROADMAP_EXIT,
  type RoadmapEnding,
  type RoadmapLimit,
  type RoadmapLimits,
  type RoadmapResult,
  type RoadmapRunOptions,
  type RoadmapStatus,
  roadmapStatus,
  runRoadmap,
  type TaskSummary,
} from './run-roadmap.ts';
export { type Decision, type Scheduler, schedule } from './scheduler.ts';
export { TASK_PRESETS, type TaskEscalation, type TaskGuardOptions } from './task-options.ts';
