import type { Rung } from '@unrut/engine/event';
import type { LoopPrice } from '@unrut/engine/signal';
import type { PlanAt, ScannedLoop } from '@unrut/ledger/report/scan-report';

/**
 * The explanation of a run: the output of `--json`. All texts are redacted; steps have the source's
 * numbers, as in a scan.
 */
export interface RunExplained {
  version: 1;
  run: RunAbout;
  /** Messages and tool calls. */
  steps: number;
  loops: LoopExplained[];
  /** Stretches that would be loops with a threshold lower by one, the most repeats first. */
  nearly: Nearly[];
  /** Advice if too many loops are found: the rows of the debugging table that apply to this run. */
  tooOften: Advice[];
  /** What was left out, one sentence each. */
  limits: string[];
}

/** The explanation of one step. */
export interface StepExplained {
  version: 1;
  run: RunAbout;
  step: StepBrought & { input: string; output: string };
  /** Earlier steps that were equal to it. */
  equal: Equal[];
  /** Similar earlier calls and outputs, and the differences. */
  near: Near[];
  /** The difference from the last equal call. */
  differs: Difference | null;
  /**
   * Why earlier steps did not count: what lies between this step and the last equal one, one
   * sentence each.
   */
  between: string[];
  /** The detectors that would soon have fired without this step. */
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
  /** Signals of witness variants that had no detector to confirm. */
  witnesses: { detector: string; variant: string; count: number }[];
  plans: PlanAt[];
  /** The effect of other settings at this step. */
  settings: Setting[];
  limits: string[];
}

export interface RunAbout {
  id: string;
  file: string;
  format: string;
}

/** A repetitive stretch, as a scan reports it. */
export type ExplainedLoop = Pick<
  ScannedLoop,
  'detector' | 'variant' | 'also' | 'advice' | 'start' | 'firedAt' | 'end' | 'text'
>;

export interface LoopExplained extends ExplainedLoop {
  /** The equal aspects, and their steps. */
  equal: Equal[];
  /** For iterations: the signature that their outputs share, and how specific it is. */
  signature?: SignatureExplained;
  /**
   * If the repeats are only alike: the smallest and largest share of words that the last one has in
   * common with another, 0..1.
   */
  alike: { least: number; most: number } | null;
  /** Two neighbouring repeats that differ, and how the difference was treated. */
  differs: Difference | null;
  /** The first and last repeated steps, and their total number. */
  steps: StepBrought[];
  count: number;
  /** Other steps in the stretch, and those with progress. */
  between: { steps: number; progress: StepBrought[] };
  /** The options of the detectors that spoke. */
  inForce: Record<string, object>;
  /** The effect of other settings, each tested in a replay. */
  settings: Setting[];
}

/** How the outputs of iterations were recognised. */
export interface SignatureExplained {
  signature: string;
  /** A description of the signature's content, and of what would change it. */
  madeOf: string;
  separates: string;
  /** How many of the run's outputs have it. */
  has: number;
  of: number;
  /** The lowest similarity of neighbouring outputs that have it, 0..1. */
  alike: number;
  /** They have little in common apart from it. */
  isGeneric: boolean;
}

/** A stretch that a detector would have called a loop. */
export interface Nearly {
  detector: string;
  start: number;
  /** The step at which it would have fired. */
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
  /** The share of its result that was new, if it has a result. */
  novelty?: number;
  /** Its progress, and the rule that decided. */
  progress?: string;
  progressRule?: string;
  /** Why it neither counts nor ends a loop, and the rule that decided. */
  neutral?: string;
  neutralRule?: string;
  /** Whether the answer can change without the agent's action, and the rule that decided. */
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

/** A place at which two results differ, and its classification. */
export interface StepChange {
  before: string;
  after: string;
  as: string;
  /** True if it counts as a difference; otherwise it is noise or was not compared. */
  counts: boolean;
}

export interface ArgumentChange extends StepChange {
  name: string;
}

/** Options for `createGuard`, and their effect in a replay. */
export interface Setting {
  /** The threshold of one detector, one higher or lower. */
  options?: Record<string, Record<string, number>>;
  /** The value in force. */
  now?: Record<string, Record<string, number>>;
  /** Detectors that are left out of the preset. */
  without?: string[];
  /** Its outcome, in a few words. */
  effect: string;
  /** The detectors that then fire in the stretch; may be empty. */
  speaks: string[];
}

/** A row of the debugging tables. */
export interface Advice {
  symptom: string;
  cause: string;
  remedy: string;
}
