import type { LoopResult } from './detect-task-loop.ts';
import type { WorkMemory } from './work.ts';

/** Details of an attempt besides the five arguments of `recordAttempt`. */
export interface AttemptDetails {
  /** The declared complexity of the task. It raises or lowers the thresholds. */
  complexity?: number | string;
  cost?: { tokens?: number; usd?: number };
  /** It was interrupted and says nothing about the task. */
  interrupted?: boolean;
  /**
   * The agent's words that do not prove work, if you know the work itself. They appear in the
   * evidence.
   */
  said?: readonly string[];
  /** The runner's memory of the task's files and checks. */
  work?: WorkMemory;
}

/** Detects looping tasks. Never throws; internal errors go to `onFault`. */
export interface TaskGuard {
  /** Resolves when the attempts of earlier processes are loaded. */
  readonly ready: Promise<void>;
  /** Counts the attempt immediately. Resolves when it is in the ledger. */
  recordAttempt(
    taskId: string,
    status: string,
    blockers: readonly string[] | null | undefined,
    completedWork: readonly string[] | null | undefined,
    sessionId: string,
    details?: AttemptDetails,
  ): Promise<void>;
  /** Call this before running a task. */
  detectLoop(taskId: string): LoopResult;
  /**
   * Carries out the recommendation and stores context for the next prompt. Returns what was
   * actually done.
   */
  applyRecovery(result: LoopResult): Promise<LoopResult>;
  /**
   * The task was skipped or escalated, and nothing has changed since: do not run it. `clear` resets
   * this.
   */
  isSetAside(taskId: string): boolean;
  /**
   * Paragraphs for the next prompt of a task: its authority, why other tasks were skipped, what was
   * tried, and the note of `continue`.
   */
  promptFor(taskId: string): Promise<string[]>;
  /** Every task with an attempt. */
  getStatus(): Record<string, { attemptCount: number; lastAttempt: number }>;
  /** Forgets the attempts and recoveries of one task, or of all. The ledger keeps its record. */
  clear(taskId?: string): Promise<void>;
}
