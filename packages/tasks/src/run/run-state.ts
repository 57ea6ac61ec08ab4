import type { Json } from '@unrut/engine/event';
import type { RoadmapEnding } from '../roadmap-run.ts';
import type { RunnerProcess } from '../runner.ts';
import { startWork, type WorkMemory } from '../work.ts';

/** A summary of one iteration, for the next prompt and the report. */
export interface TriedIteration {
  iteration: number;
  /** In a few words; redacted. */
  what: string;
  /** The iteration was interrupted and says nothing about the task. */
  wasCutOff?: true;
  /** What it changed and what is left; undefined if nothing changed or files are not examined. */
  work?: string;
  /** The failure is a guess, based on the output. */
  isGuess?: true;
  /** The iteration made progress. */
  moved?: true;
  /** Loops inside the agent's session: fingerprints and a description. */
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
  /** The prompt or roadmap file, relative to that folder. */
  file: string;
  /** The arguments it was started with. If others hold a secret, only the file is stored. */
  args: string[];
  /** The detectors that watch it, with their options. Missing in runs of earlier versions. */
  detectors?: { [name: string]: { [option: string]: Json } };
  /** The agent's command; null if it holds a secret. */
  command: string[] | null;
  /** The process that works on it; null if there is none. */
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
  /** Loop signals so far. */
  signals: number;
  /** Number of loops after which the run continued. */
  continued: number;
  /** The user let the run continue after this iteration; only later ones count. */
  since: number;
  /** The last iterations, the newest last. */
  tried: TriedIteration[];
  /** The advice about the last loop, for the next prompt. */
  advice: string | null;
  /** Output of the last failed check; `claimed` if the agent said that it was done. */
  failedCheck: { command: string; tail: string; claimed?: true } | null;
  /** Memory of earlier work. */
  work: WorkMemory;
  /** The conversation that the agent resumes. */
  conversation: string | null;
  ending: Ending | null;
  reason: string;
}

/** Number of iterations listed in the next prompt and in the report. */
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
