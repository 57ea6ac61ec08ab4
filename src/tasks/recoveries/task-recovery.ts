import type { TaskStatus } from '../attempt.ts';
import type { WayAround } from '../blockers/index.ts';
import type { LoopResult, Recommendation } from '../detect-task-loop.ts';
import type { TaskRecord } from '../task-state.ts';

/** The task that a recovery is about. */
export interface TaskSituation {
  result: LoopResult;
  isDone: boolean;
  record: Readonly<TaskRecord>;
  /** What to try first, for blockers of known kinds. */
  ways: readonly WayAround[];
  /** The user wants a forced task marked done, finished or not. */
  markDone: boolean;
}

/** What is done about a task that goes round. */
export interface TaskRecovery {
  name: Exclude<Recommendation, 'continue'>;
  /** Of the entry that the next prompt includes. */
  topic: 'loop_recovery_directive' | 'unblock_authority' | 'loop_escalation';
  /** What the next prompt includes. */
  content(situation: TaskSituation): string;
  /** The status that the task gets, with the reason; nothing leaves it as it is. */
  status(situation: TaskSituation): { status: TaskStatus; reason: string } | undefined;
  /** Remembers that it was used, so that it is not used on the same thing again. */
  remember(record: TaskRecord, result: LoopResult): void;
}
