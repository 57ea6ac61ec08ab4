// What the room `tasks` needs to judge attempts in an orchestrator of somebody else's, where no
// guard sees the events.

export { OTHER_WAYS, taskLoop } from './detectors/task-loop/detector.ts';
export {
  alike,
  LAPS,
  type TaskLoopType,
  type TaskStep,
  taskCycle,
  taskPattern,
  withoutPause,
} from './detectors/task-pattern.ts';
export { decide } from './policy/decide.ts';
export { type PolicyConfig, type PolicyState, startPolicy } from './policy/policy-state.ts';
export { escalateTask } from './recoveries/escalate-task/recovery.ts';
export { forceNext } from './recoveries/force-next/recovery.ts';
export { unblockAuthority } from './recoveries/unblock-authority/recovery.ts';
export { isRisky, needsPerson } from './text/needs-person.ts';
