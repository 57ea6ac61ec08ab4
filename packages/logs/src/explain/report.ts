import type { Rung } from '@unrut/engine/event';
import type { LoopPrice } from '@unrut/engine/signal';
import type { PlanAt, ScannedLoop } from '@unrut/ledger/report/scan-report';

/**
 * What is said of a whole run: what `--json` prints. All texts are redacted; steps are the source's
 * own, as in a scan.
 */
export interface RunExplained {
  version: 1;
  run: RunAbout;
  /** Messages and tool calls. */
  steps: number;
  loops: LoopExplained[];
  /**
   * What would have been called a loop with a threshold that is one less, the most repeats first.
   */
  nearly: Nearly[];
  /**
   * What to do when loops are found too often: the rows of the debugging table that apply to this
   * run.
   */
  tooOften: Advice[];
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
  /** Earlier calls and outputs that were near to it, and where they differ. */
  near: Near[];
  /** Where it differs from the last equal call. */
  differs: Difference | null;
  /**
   * Why what came before did not count: what lies between it and the last step that was equal, in a
   * sentence each.
   */
  between: string[];
  /** Which detectors would have spoken soon after, had this step not been made: what it cleared. */
  cleared: { detector: string; step: number }[];
  signals: {
    detector: string;
    variant: string;
    count: number;
    rung: Rung;
    text: string;
    /** The rule by which the step counts, if the detector has rules with names. */
    rule?: string;
    price?: LoopPrice;
  }[];
  /** What only bears witness was seen here, and nobody spoke whom it could confirm. */
  witnesses: { detector: string; variant: string; count: number }[];
  plans: PlanAt[];
  /** The outcome of other settings here. */
  settings: Setting[];
  limits: string[];
}

export interface RunAbout {
  id: string;
  file: string;
  format: string;
}

/** A stretch that goes in circles, as a scan reports it. */
export type ExplainedLoop = Pick<
  ScannedLoop,
  'detector' | 'variant' | 'also' | 'advice' | 'start' | 'firedAt' | 'end' | 'text'
>;

export interface LoopExplained extends ExplainedLoop {
  /** What was equal, and at which steps. */
  equal: Equal[];
  /** Of iterations: the signature that their outputs share, and how generic it is. */
  signature?: SignatureExplained;
  /**
   * Where they are only alike: the least and the greatest share of words that the last one has in
   * common with another, 0..1.
   */
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
  /** The outcome of other settings, each tried by playing the run again. */
  settings: Setting[];
}

/** How the outputs of iterations were recognised. */
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
  /** They have little in common apart from it. */
  isGeneric: boolean;
}

/** A stretch that a detector would have called a loop. */
export interface Nearly {
  detector: string;
  start: number;
  /** Where it would have spoken. */
  step: number;
  count: number;
  text: string;
  setting: Setting;
}

/** A step, and its result. */
export interface StepBrought {
  step: number;
  what: string;
  /** In a few words. */
  brought: string;
  /** Share of its result that was never seen, where it has one. */
  novelty?: number;
  /** What it achieved, and the rule that says why, or why not. */
  progress?: string;
  progressRule?: string;
  /** Why it neither counts nor clears, and the rule that decided it. */
  neutral?: string;
  neutralRule?: string;
  /** Whether the answer to the call can change by itself, and the rule that decided it. */
  world?: string;
  rule?: string;
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
  /** Share of the words that both have, 0..1. */
  alike: number;
  differs: ArgumentChange[];
}

/** How two steps differ. */
export interface Difference {
  steps: [number, number];
  arguments: ArgumentChange[];
  result: StepChange[];
  /** Further changes that are not shown. */
  more: number;
}

/** A place at which two results differ, and what it was taken for. */
export interface StepChange {
  before: string;
  after: string;
  as: string;
  /** It makes a difference; else it is noise, or not looked at. */
  counts: boolean;
}

export interface ArgumentChange extends StepChange {
  name: string;
}

/** What to give to `createGuard`, and its outcome when the run was played again. */
export interface Setting {
  /** The threshold of one detector, one more or one less. */
  options?: Record<string, Record<string, number>>;
  /** The value in force. */
  now?: Record<string, Record<string, number>>;
  /** Detectors that are left out of the preset. */
  without?: string[];
  /** Its outcome, in a few words. */
  effect: string;
  /** The detectors that fire in the stretch with it; empty if none do. */
  speaks: string[];
}

/** A row of the debugging tables. */
export interface Advice {
  symptom: string;
  cause: string;
  remedy: string;
}
