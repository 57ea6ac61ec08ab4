export type { AgentContext, AgentRun, RunAgent } from './agent.ts';
export { type Attempt, TASK_STATUSES, type TaskStatus } from './attempt.ts';
export { createTaskGuard } from './create-task-guard.ts';
export type { LoopResult, Recommendation } from './detect-task-loop.ts';
export type { TaskHost } from './known-tasks.ts';
export {
  type Check,
  type Complexity,
  type Roadmap,
  type RoadmapTask,
  readRoadmap,
} from './roadmap.ts';
export { type RoadmapEvents, RoadmapLoop, runRoadmap, type TickResult } from './roadmap-loop.ts';
export type {
  RoadmapEnding,
  RoadmapLimit,
  RoadmapLimits,
  RoadmapResult,
  RoadmapRunOptions,
  RoadmapStatus,
  TaskSummary,
} from './roadmap-run.ts';
export { ROADMAP_EXIT, roadmapStatus } from './run-status.ts';
export { type ScheduleDecision, type Scheduler, schedule } from './scheduler.ts';
export type { AttemptDetails, TaskGuard } from './task-guard.ts';
export { TASK_PRESETS, type TaskEscalation, type TaskGuardOptions } from './task-options.ts';
