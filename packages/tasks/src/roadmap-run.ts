import type { Ledger } from '@unrut/ledger/ledger';
import type { RunAgent } from './agent.ts';
import type { TaskStatus } from './attempt.ts';
import type { Roadmap } from './roadmap.ts';
import type { Scheduler } from './scheduler.ts';
import type { TaskGuardOptions } from './task-options.ts';

/** What ends a run beside its tasks. */
export interface RoadmapLimits {
  /** Attempts at one task. Default: 10. */
  maxIterations?: number;
  /** Milliseconds, over all processes of the run. Default: none. */
  maxRuntime?: number;
  /** US dollars, as far as the agents report them. Default: none. */
  maxCost?: number;
  /** Failed runs of the agent in a row. Default: 3. */
  maxErrors?: number;
  /** Milliseconds for one attempt. Default: 15 minutes. */
  iterationTimeout?: number;
  /** No attempt begins after this time, in epoch milliseconds. Default: none. */
  until?: number;
}

export interface RoadmapRunOptions {
  roadmap: Roadmap;
  ledger: Ledger;
  /** Names the run. The same name with the same ledger goes on where it stopped. */
  run: string;
  /** The project's folder. */
  folder: string;
  runAgent: RunAgent;
  guard?: TaskGuardOptions;
  limits?: RoadmapLimits;
  /** Tasks at once, each in a git worktree of its own. Default: 1, in the folder itself. */
  parallel?: number;
  /**
   * What an agent prints at its end when it is done, where a task has no exit criteria. Default:
   * `TASK_COMPLETE`.
   */
  promise?: string;
  /**
   * What every prompt should include beside its task: asked before each attempt, so that it may
   * change meanwhile.
   */
  notes?: () => Promise<string[]> | string[];
  /**
   * Whether files of the folder are work, and what agents report is not. False for agents that work
   * elsewhere. Default: true.
   */
  looksAtFiles?: boolean;
  /** Chooses the next task. Default: `schedule`. */
  scheduler?: Scheduler;
  /**
   * Instead of ending when nothing is to be done, waits for the roadmap to change: gives it anew.
   */
  watch?: { file: string; read: () => Promise<Roadmap> | Roadmap };
  signal?: AbortSignal;
  /** Is told each line of the log. */
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

/** The limits, by the names that reasons give them. */
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
  /** Why it is not done, where somebody said. */
  reason?: string;
  attempts: number;
  /**
   * It is not tried again before somebody writes a status into the roadmap: it looped, a person was
   * asked, or it was tried often enough.
   */
  setAside?: 'loop' | 'escalated' | 'limit';
  /** Checks that could not be made. */
  deferred: string[];
}

/** What a run has come to so far. */
interface RoadmapFigures {
  tasks: TaskSummary[];
  tickCount: number;
  cost: { tokens: number; usd: number };
  /** That it has taken, over all of its processes. */
  milliseconds: number;
  /** Signals that were raised, also by guards inside the agents. */
  signals: number;
}

export interface RoadmapResult extends RoadmapFigures {
  ending: RoadmapEnding;
  /** The limit that ended it, where one did. */
  limit?: RoadmapLimit;
  /** One line for a person. */
  reason: string;
}

/** The status object of a run. */
export interface RoadmapStatus extends RoadmapFigures {
  run: string;
  running: boolean;
  /** Every task with an attempt. */
  loopDetection: Record<string, { attemptCount: number; lastAttempt: number }>;
}
