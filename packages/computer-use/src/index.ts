export { type AblationPair, ablate, ablationTable } from './ablate.ts';
export type { ActionType, Proposal, ScreenAction } from './action.ts';
export type { Brain, View } from './brain.ts';
export { type AnthropicOptions, createAnthropicBrain } from './brains/anthropic.ts';
export { createGeminiBrain, type GeminiOptions } from './brains/gemini.ts';
export { createOpenAiBrain, type OpenAiOptions } from './brains/openai.ts';
export { createScriptedBrain } from './brains/scripted.ts';
export { type Patience, TIMEOUT_MS } from './eyes.ts';
export { DONE_REASONS, type DoneReason } from './gates/done-gate.ts';
export type { Director, DirectorView, ScreenLoop } from './gates/gate.ts';
export { REASON_CODES, type ReasonCode } from './gates/loop-recovery.ts';
export { type GuardedPage, guardPage } from './guard-page.ts';
export type { PlanValue } from './match-field.ts';
export type { PlanStep, ScreenPlan, Sign } from './plan.ts';
export { replayPage } from './replay-page.ts';
export { type RunTaskOptions, runTask } from './run-task.ts';
export { createRunner, type RunnerOptions, type ScreenRunner } from './runner.ts';
export { openTrajectoryFolder, type TrajectoryFolder } from './save-trajectory.ts';
export { screenGuardOptions, type Watcher } from './screen-guard.ts';
export {
  type ScreenDecision,
  StepGuard,
  type StepGuardOptions,
  type StepResult,
} from './step-guard.ts';
export { type Permission, SWITCHES, type Switch } from './switches.ts';
export { type BrainChoice, readTask, type Task } from './task.ts';
export {
  type ScreenRunResult,
  TERMINATION_REASONS,
  type TerminationReason,
  type TrajectoryStep,
} from './trajectory.ts';
