import type { LoopResult } from './detect-task-loop.ts';
import type { WorkMemory } from './work.ts';

/** What is known of an attempt beside the seed's five arguments. */
export interface AttemptDetails {
  /** Declared by the task: widens or narrows its thresholds. */
  complexity?: number | string;
  cost?: { tokens?: number; usd?: number };
  /** It was cut off, and says nothing about the task. */
  interrupted?: boolean;
  /**
   * Words of the agent that are no proof of work, where you know the work itself. They stand in the
   * evidence.
   */
  said?: readonly string[];
  /** What the runner remembers of the task's files and checks. */
  work?: WorkMemory;
}

/** Notices tasks that go round. It never throws; what goes wrong inside is told to `onFault`. */
export interface TaskGuard {
  /** When the attempts of earlier processes are known. */
  readonly ready: Promise<void>;
  /** Counts at once; the promise resolves when the attempt is in the ledger. */
  recordAttempt(
    taskId: string,
    status: string,
    blockers: readonly string[] | null | undefined,
    completedWork: readonly string[] | null | undefined,
    sessionId: string,
    details?: AttemptDetails,
  ): Promise<void>;
  /** To be asked before a task is run. */
  detectLoop(taskId: string): LoopResult;
  /**
   * Does what is recommended, and leaves context entries for the next prompt. Gives what was really
   * done.
   */
  applyRecovery(result: LoopResult): Promise<LoopResult>;
  /**
   * It was left, or a person was asked, and nothing has changed since: do not run it. `clear` ends
   * that.
   */
  isSetAside(taskId: string): boolean;
  /**
   * What the next prompt of a task should include: its authority, what others were left for, what
   * was tried, and the note of `continue`.
   */
  promptFor(taskId: string): Promise<string[]>;
  /** Every task with an attempt. */
  getStatus(): Record<string, { attemptCount: number; lastAttempt: number }>;
  /** Forgets the attempts and recoveries of a task, or of all. The record in the ledger stays. */
  clear(taskId?: string): Promise<void>;
}
