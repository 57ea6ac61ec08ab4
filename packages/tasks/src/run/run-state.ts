import type { Json } from '@unrut/engine/event';
import type { RoadmapEnding } from '../roadmap-run.ts';
import type { RunnerProcess } from '../runner.ts';
import { startWork, type WorkMemory } from '../work.ts';

/** What one iteration came to, for the next prompt and the report. */
export interface TriedIteration {
  iteration: number;
  /** In a few words; redacted. */
  what: string;
  /** The run was interrupted meanwhile, so it says nothing. */
  wasCutOff?: true;
  /** What it changed, and what is left; missing where nothing did, or nobody looked. */
  work?: string;
  /** That it failed is only guessed, from what it printed. */
  isGuess?: true;
  /** The work moved. */
  moved?: true;
  /** What a guard inside the agent saw: fingerprints of what repeats, and words for it. */
  inner?: { keys: string[]; text: string };
}

/** How a run ended. */
export type Ending = Exclude<RoadmapEnding, 'nothing-to-do'>;

/** Everything that a run keeps between processes. Plain JSON, bounded. */
export interface RunState {
  version: 1;
  kind: 'prompt' | 'roadmap';
  /** The folder that it was started in. */
  folder: string;
  /** The prompt or roadmap, as it was named in that folder. */
  file: string;
  /**
   * The arguments that it was started with; the file alone where the others hold a secret, which is
   * not kept.
   */
  args: string[];
  /** The detectors that watch it, with their options; unknown of runs of earlier versions. */
  detectors?: { [name: string]: { [option: string]: Json } };
  /** The agent's command; null where it holds a secret. */
  command: string[] | null;
  /** The process that works on it; null when none does. */
  runner: RunnerProcess | null;
  /** Iterations begun so far. */
  iteration: number;
  /** The last one has not ended. */
  isBegun: boolean;
  /** Milliseconds that iterations have taken. */
  spent: number;
  cost: { tokens: number; usd: number };
  /** Failed iterations in a row. */
  errors: number;
  /** Signals seen so far. */
  signals: number;
  /** Loops after which the run went on. */
  continued: number;
  /** Somebody decided after this iteration that it goes on: only later ones count. */
  since: number;
  /** The last iterations, the newest last. */
  tried: TriedIteration[];
  /** What the next prompt says of the loop that was found. */
  advice: string | null;
  /** What the last check that failed printed; `claimed` if the agent said that it was done. */
  failedCheck: { command: string; tail: string; claimed?: true } | null;
  /** What is remembered of the work. */
  work: WorkMemory;
  /** The conversation that the agent goes on in. */
  conversation: string | null;
  ending: Ending | null;
  reason: string;
}

/** Iterations that the next prompt and the report tell of. */
export const MAX_TRIED = 12;

export const startRunState = (
  kind: RunState['kind'],
  started: Pick<RunState, 'folder' | 'file' | 'args' | 'command'>,
): RunState => ({
  version: 1,
  kind,
  ...started,
  runner: null,
  iteration: 0,
  isBegun: false,
  spent: 0,
  errors: 0,
  signals: 0,
  continued: 0,
  since: 0,
  cost: { tokens: 0, usd: 0 },
  tried: [],
  advice: null,
  failedCheck: null,
  work: startWork(),
  conversation: null,
  ending: null,
  reason: '',
});
