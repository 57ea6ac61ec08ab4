import type { RoadmapTask } from './roadmap.ts';

/** What one run of an agent is told beside its prompt. */
export interface AgentContext {
  /** The folder to work in: the project's, or a worktree of it. */
  cwd: string;
  /** The agent and all that it started are to end when this is aborted. */
  signal: AbortSignal;
  /** Milliseconds that it may take; a second later it is aborted. */
  timeout: number;
  task: RoadmapTask;
  /** Which attempt at this task it is, from 1 on. */
  attempt: number;
  /** Names this attempt in the whole run: `T1#3`. */
  attemptSession: string;
}

/** What came of one run of an agent. */
export interface AgentRun {
  /** What it printed, or the end of it. */
  output: string;
  /** Null when a signal ended it. */
  exitCode: number | null;
  signal?: string | null;
  /** It hung, could not be started, or reported a failure by other means than its exit code. */
  failed?: boolean;
  /** Why it failed, in a few words such as `it died by SIGKILL`. */
  problem?: string;
  cost?: { tokens?: number; usd?: number };
  /** Milliseconds of it spent waiting for the provider, which count as nothing. */
  waited?: number;
  /**
   * Why the run has to end here: a limit of the provider that is not waited out. The attempt counts
   * as nothing.
   */
  limit?: string;
}

/** Runs an agent on a prompt. A rejection counts as a failed attempt. */
export type RunAgent = (prompt: string, context: AgentContext) => Promise<AgentRun>;
