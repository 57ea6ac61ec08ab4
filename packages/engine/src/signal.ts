import type { Json, Rung } from './event.ts';
import type { CallWorld } from './prints.ts';

/** What a detector returns: the pattern it sees, as facts. `explain` turns it into text. */
export interface Evidence {
  /** Which of the detector's patterns it is. */
  variant: string;
  /** How many repeats there are so far. */
  count: number;
  /** The step at which the repetition began. */
  since: number;
  /** The fingerprints that repeat. They identify the streak; the detector's name does not. */
  keys: string[];
  /** Identifies the thing that the repetition is about, if there is one. */
  target?: string;
  /** 0..1: how certain the detector is, given what it knows about the results. */
  strength: number;
  /**
   * What repeats is known to be equal: one call with one result, one call that fails in the same
   * way, one text. Without it, nothing above a hint is justified, and the streak climbs the ladder
   * half as fast.
   */
  equal?: boolean;
  /**
   * The world of the calls that repeat; set by the policy. Only in the closed world may a call be
   * blocked, or the run stopped, because results are equal.
   */
  world?: CallWorld;
  /** The rung to begin with, if it is not the detector's first. */
  from?: Rung;
  /** The highest rung that this evidence alone justifies. */
  cap?: Rung;
  /** The rule by which the last repeat counts, if the detector has rules with names. */
  rule?: string;
  /** The guard relies on it although its detector is on trial elsewhere: it is part of a loop. */
  trusted?: true;
  /** The proposed call at which this is seen should not run, whatever its arguments. */
  holds?: true;
  /** The note is due at every step, even if it was given before. */
  insists?: boolean;
  /** What `explain` and the recoveries may quote. Already redacted. */
  facts: { [name: string]: Json };
}

/** What a session has spent since it last learned or improved anything. */
export interface LoopPrice {
  /** Steps with a known result that brought nothing. */
  steps: number;
  /** Minutes between these steps, without what the model and the tools are known to have taken. */
  minutes: number;
  /** Only if the host reports them. */
  usd?: number;
  tokens?: number;
}

/** A detector's evidence with its text and its place on the ladder. */
export interface Signal {
  detector: string;
  variant: string;
  /** The step at which it was raised. */
  step: number;
  since: number;
  count: number;
  strength: number;
  /** The rung of this step's plan; without a plan, the streak's current rung. */
  rung: Rung;
  /** The streak that it belongs to. */
  streak: string;
  evidence: Evidence;
  text: string;
  /** What the session has spent since it last got anywhere, once an advised loop is open. */
  price?: LoopPrice;
  /** The nested agent that it is about, if that is not the reader. */
  agent?: string;
}

/** Something inside the guard went wrong. The agent never notices. */
export interface Fault {
  /** `event`, `guard`, `ledger`, or the name of a detector or recovery. */
  where: string;
  message: string;
}
