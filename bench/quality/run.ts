/** Steps are 0-based and inclusive. */
export interface Stretch {
  start: number;
  end: number;
  note: string;
}

/** A stretch that careful readers call a loop. */
export interface Loop extends Stretch {
  kind: string;
  /** The earliest step at which a careful person watching would step in. */
  stuckAt: number;
}

/** Loops marked step by step. A borderline stretch is one that careful readers do not agree on. */
export interface Spans {
  kind: 'spans';
  loops: readonly Loop[];
  borderline: readonly Stretch[];
}

/** A yes or no for the whole run. */
export interface Verdict {
  kind: 'verdict';
  looping: boolean;
}

/** The label of a run; unlabelled ones are real work, almost all without loops. */
export type Truth = Spans | Verdict | { kind: 'unlabelled' };

/** One recorded run of the corpus. */
export interface Run {
  /** The set's name and the run's own id. */
  id: string;
  source: string;
  /** The round in which it was drawn and labelled; null if unknown. */
  round: number | null;
  steps: number;
  truth: Truth;
  file: string;
}

/** `warn`: any signal. `act`: refused, escalated or stopped. */
export type Level = 'warn' | 'act';
export const LEVELS: readonly Level[] = ['warn', 'act'];

/** A system speaks at one step. */
export interface Firing {
  step: number;
  level: Level;
  /** The rule that fired, as `detector/variant`; empty if a system's rules have no names. */
  by: string;
  text: string;
  /** An edit or back-off note: advice about honest work, which is no alarm. */
  note: boolean;
}

/** The firings of one system over all runs, in the order of the runs. */
export type Firings = readonly (readonly Firing[])[];
