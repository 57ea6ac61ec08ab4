import type { Ledger } from '@unrut/ledger/ledger';
import type { RunAgent } from './agent.ts';
import type { TaskStatus } from './attempt.ts';
import type { Roadmap } from './roadmap.ts';
import type { Scheduler } from './scheduler.ts';
import type { TaskGuardOptions } from './task-options.ts';

/** The limits of a run. */
export interface RoadmapLimits {
  /** Attempts at one task. Default: 10. */
  maxIterations?: number;
  /** Milliseconds, over all processes of the run. Default: no limit. */
  maxRuntime?: number;
  /** US dollars, as far as the agents report cost. Default: no limit. */
  maxCost?: number;
  /** Failed runs of the agent in a row. Default: 3. */
  maxErrors?: number;
  /** Milliseconds for one attempt. Default: 15 minutes. */
  iterationTimeout?: number;
  /** No attempt begins after this time, in epoch milliseconds. Default: no limit. */
  until?: number;
}

export interface RoadmapRunOptions {
  roadmap: Roadmap;
  ledger: Ledger;
  /** Names the run. The same name with the same ledger resumes it. */
  run: string;
  /** The project's folder. */
  folder: string;
  runAgent: RunAgent;
  guard?: TaskGuardOptions;
  limits?: RoadmapLimits;
  /**
   * Number of tasks at the same time, each in its own git worktree. Default: 1, in the folder
   * itself.
   */
  parallel?: number;
  /**
   * The text an agent prints at the end if it is done, for tasks without exit criteria. Default:
   * `TASK_COMPLETE`.
   */
  promise?: string;
  /**
   * Additional notes for every prompt. Called before each attempt, so that they can change during
   * the run.
   */
  notes?: () => Promise<string[]> | string[];
  /**
   * Whether changed files count as work and the agent's report does not. Set it to false for agents
   * that work elsewhere. Default: true.
   */
  looksAtFiles?: boolean;
  /** Chooses the next task. Default: `schedule`. */
  scheduler?: Scheduler;
  /**
   * If there is nothing to do, waits for the roadmap file to change and reads it again instead of
   * ending the run.
   */
  watch?: { file: string; read: () => Promise<Roadmap> | Roadmap };
  signal?: AbortSignal;
  /** Receives each line of the log. */
  log?: (line: string) => void;
}

/** How a run of a roadmap ended. */
export type RoadmapEnding =
  | 'done'
  | 'limit'
  | 'loop'
  | 'escalated'
  | 'interrupted'
  | 'nothing-to-do';

/** The limits, by the names used in reasons. */
export type RoadmapLimit =
  | 'max_iterations'
  | 'max_runtime'
  | 'until'
  | 'max_cost'
  | 'budget'
  | 'consecutive_errors'
  | 'provider_limit';

export interface TaskSummary {
  id: string;
  title: string;
  status: TaskStatus;
  /** Why it is not done, if known. */
  reason?: string;
  attempts: number;
  /**
   * Not tried again until somebody writes a status into the roadmap: it looped, a person was asked,
   * or it reached the attempt limit.
   */
  setAside?: 'loop' | 'escalated' | 'limit';
  /** Checks that could not be run. */
  deferred: string[];
}

/** The figures of a run so far. */
interface RoadmapFigures {
  tasks: TaskSummary[];
  tickCount: number;
  cost: { tokens: number; usd: number };
  /** Total duration over all processes of the run. */
  milliseconds: number;
  /** Loop signals, including those of guards inside the agents. */
  signals: number;
}

export interface RoadmapResult extends RoadmapFigures {
  ending: RoadmapEnding;
  /** The limit that ended it, if one did. */
  limit?: RoadmapLimit;
  /** One line for the user. */
  reason: string;
}

/** The status object of a run. */
export interface RoadmapStatus extends RoadmapFigures {
  run: string;
  running: boolean;
  /** Every task with an attempt. */
  loopDetection: Record<string, { attemptCount: number; lastAttempt: number }>;
}
