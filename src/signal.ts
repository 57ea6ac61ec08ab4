import type { Json, Rung } from './event.ts';

/** What a detector returns: the pattern it sees, in facts. Text is made of it by `explain`. */
export interface Evidence {
  variant: string;
  /** How often it has repeated by now. */
  count: number;
  /** The step at which the repetition began. */
  since: number;
  /** The fingerprints that repeat. They, not the detector, identify the streak. */
  keys: string[];
  /** Identity of the thing the repetition is about, where there is one. */
  target?: string;
  /** 0..1: how sure, given what is known of the results. */
  strength: number;
  /**
   * What repeats is known to be equal: one call with one result, one call that fails alike, one text. Without it nothing above a hint is
   * justified, and the ladder is climbed half as fast.
   */
  equal?: boolean;
  /** The highest rung that this evidence alone can justify. */
  cap?: Rung;
  /** Its note is due at every step, however often it was given. */
  insists?: boolean;
  /** What `explain` and the recoveries may quote. Already redacted. */
  facts: { [name: string]: Json };
}

/** A detector's evidence, worded and placed on the ladder. */
export interface Signal {
  detector: string;
  variant: string;
  /** The step at which it was raised. */
  step: number;
  since: number;
  count: number;
  strength: number;
  /** The rung of the plan that this step gets, else the streak's current one. */
  rung: Rung;
  /** Which run of repetition this belongs to. */
  streak: string;
  evidence: Evidence;
  text: string;
  /** The nested agent that it is about, when that is not the reader. */
  agent?: string;
}

/** Something inside the guard went wrong; the agent never notices. */
export interface Fault {
  /** Where: `event`, `guard`, `ledger`, or a detector's or recovery's name. */
  where: string;
  message: string;
}
