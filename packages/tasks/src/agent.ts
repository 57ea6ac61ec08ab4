import { redact } from '@unrut/engine/redact/redact';
import { cut, printable } from '@unrut/engine/text/printable';
import type { RoadmapTask } from './roadmap.ts';

/** The context of one run of an agent, besides its prompt. */
export interface AgentContext {
  /** The folder to work in: the project folder, or a worktree of it. */
  cwd: string;
  /** Ends the agent and every process it started when aborted. */
  signal: AbortSignal;
  /** Time limit in milliseconds. The run is aborted one second later. */
  timeout: number;
  task: RoadmapTask;
  /** Number of this attempt at the task, starting at 1. */
  attempt: number;
  /** Identifies this attempt in the run: `T1#3`. */
  attemptSession: string;
}

/** The result of one run of an agent. */
export interface AgentRun {
  /** The output, or the end of it. */
  output: string;
  /** Null if a signal ended it. */
  exitCode: number | null;
  signal?: string | null;
  /** It hung, could not be started, or reported a failure by other means than its exit code. */
  failed?: boolean;
  /** Why it failed, in a few words such as `it died by SIGKILL`. */
  problem?: string;
  cost?: { tokens?: number; usd?: number };
  /** Milliseconds of it spent waiting for the provider. They do not count. */
  waited?: number;
  /**
   * Why the run has to end: a limit of the provider that is not waited out. The attempt does not
   * count.
   */
  limit?: string;
}

/** Runs an agent on a prompt. A rejected promise counts as a failed attempt. */
export type RunAgent = (prompt: string, context: AgentContext) => Promise<AgentRun>;

const MAX_PROBLEM_LENGTH = 200;

/** Why an agent failed, as it is printed and stored: in one short line, without secrets. */
export const problemText = (text: string): string =>
  cut(printable(redact(text)).trim(), MAX_PROBLEM_LENGTH);
