import type { Rung } from '../event.ts';
import type { Loop, PlanAt } from '../scan/report.ts';
import type { ToolDeclaration } from '../tools/profile.ts';

/** What is said of a whole run: what `--json` prints. All texts are redacted; steps are the source's own, as in a scan. */
export interface RunExplained {
  version: 1;
  run: RunAbout;
  /** Messages and tool calls. */
  steps: number;
  loops: LoopExplained[];
  /** Stretches with repetition that were not called a loop, the nearest to one first. */
  misses: MissExplained[];
  /** Further ones that are not told of. */
  missesLeftOut: number;
  /** What to do when loops are found too often, or not found: the rows that apply to this run. */
  tooOften: Advice[];
  notFound: Advice[];
  /** What was left out of the work, in a sentence each. */
  limits: string[];
}

/** What is said of one step. */
export interface StepExplained {
  version: 1;
  run: RunAbout;
  step: StepBrought & { input: string; output: string };
  /** Earlier steps that were equal to it. */
  equal: Equal[];
  /** Earlier calls that were near to it, and where they differ. */
  near: Near[];
  /** What in its result is masked as noise: examples, and how many in all. */
  noise: { examples: Masked[]; count: number };
  /** Where it differs from the last equal call. */
  differs: Difference | null;
  /** What would be counted on without this step: what it cleared. */
  cleared: Counting[];
  /** Which detectors were counting at it, and how far they were. */
  counting: Counting[];
  signals: { detector: string; variant: string; count: number; rung: Rung; text: string }[];
  plans: PlanAt[];
  /** Settings that would have changed the verdict here; null when none could be tried. */
  settings: Setting[] | null;
  limits: string[];
}

export interface RunAbout {
  id: string;
  file: string;
  format: string;
}

export interface LoopExplained extends Pick<Loop, 'detector' | 'variant' | 'also' | 'light' | 'start' | 'firedAt' | 'end' | 'text'> {
  /** What was equal, and at which steps. */
  equal: Equal[];
  /** Of iterations: the signature that their outputs share, and how generic it is. */
  signature?: SignatureExplained;
  /** Where they are only alike: the least and the greatest share of words that the last one has in common with another, 0..1. */
  alike: { least: number; most: number } | null;
  /** Two neighbouring repeats that differ, and what was made of it. */
  differs: Difference | null;
  /** The repeated steps, the first and the last ones of them; how many there are. */
  steps: StepBrought[];
  count: number;
  /** Other steps in the stretch, and those of them that went forward. */
  between: { steps: number; progress: StepBrought[] };
  /** The options of the detectors that spoke. */
  inForce: Record<string, object>;
  /** Settings that would have kept it quiet, each tried by a replay; null when none could be tried any more. */
  settings: Setting[] | null;
}

/** What the outputs of iterations were told by. */
export interface SignatureExplained {
  signature: string;
  /** What it looks at, and what would have made another one, in words. */
  madeOf: string;
  separates: string;
  /** How many of how many outputs in the run have it. */
  has: number;
  of: number;
  /** How alike neighbouring outputs that have it are as texts, at least, 0..1. */
  alike: number;
  /** They have little in common beside it. */
  isGeneric: boolean;
}

export interface MissExplained {
  /** What repeats: the same call, the same but for numbers, the same error, the same answer, outputs about the same, or what a detector all but saw. */
  kind: 'call' | 'numbers' | 'error' | 'answer' | 'output' | 'detector';
  what: string;
  start: number;
  end: number;
  /** Every step that repeats. */
  repeats: number[];
  steps: StepBrought[];
  /** Why it was not called a loop. */
  because: Reason[];
  differs: Difference | null;
  /** Settings that would have found it. */
  settings: Setting[];
}

/** Why something was not called a loop. */
export interface Reason {
  kind: 'waiting' | 'person' | 'moved' | 'results' | 'changed' | 'progress' | 'count' | 'arguments' | 'signatures' | 'unknown';
  text: string;
}

/** A step, and what it brought. */
export interface StepBrought {
  step: number;
  what: string;
  /** In a few words. */
  brought: string;
  /** Share of its result that was never seen, where it has one. */
  novelty?: number;
  progress?: string;
  neutral?: string;
}

/** Steps that are equal in something. */
export interface Equal {
  in: 'call' | 'target' | 'result' | 'error' | 'words' | 'signature' | 'attempt';
  what: string;
  steps: number[];
}

export interface Near {
  step: number;
  what: string;
  /** Share of the words in the arguments that both have, 0..1. */
  alike: number;
  differs: ArgumentChange[];
}

/** How two steps differ. */
export interface Difference {
  steps: [number, number];
  arguments: ArgumentChange[];
  result: Change[];
  /** Further changes that are not shown. */
  more: number;
}

export interface ArgumentChange {
  name: string;
  before: string;
  after: string;
  /** What was made of it, where it does not count. */
  as: string;
  /** It makes another call of it; else it is not looked at. */
  counts: boolean;
}

/** A place at which two results differ, and what it was taken for. */
export interface Change {
  before: string;
  after: string;
  as: string;
  /** It makes a difference; else it is noise. */
  counts: boolean;
}

export interface Masked {
  text: string;
  as: string;
}

/** How far a detector has counted. */
export interface Counting {
  detector: string;
  option: string;
  reached: number;
  needed: number;
  since: number;
}

/** What to give to `createGuard`, and what it replaces. */
export interface Setting {
  options?: Record<string, Record<string, number | boolean>>;
  tools?: Record<string, ToolDeclaration>;
  without?: string[];
  /** The values in force, for options. */
  now?: Record<string, Record<string, number | boolean>>;
  /** What it does, or when it is right, in a few words. */
  effect: string;
  /** Detectors that would speak all the same, where it is not enough. */
  still?: string[];
}

/** A row of the debugging tables. */
export interface Advice {
  symptom: string;
  cause: string;
  remedy: string;
}
