import type { Candidate } from '../candidates/candidate.ts';
import type { Trouble } from '../candidates/candidates-for.ts';
import type { Detector } from '../detectors/detector.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Action, Recovery, Situation } from '../recoveries/recovery.ts';
import type { Evidence, Fault, Signal } from '../signal.ts';
import type { Due } from './ladder-table.ts';
import type { Plan } from './plan.ts';
import type { PolicyConfig, PolicyState } from './policy-state.ts';
import type { Occasion, Streak } from './streak.ts';

/** What a detector saw at this event. */
export interface Sighting {
  detector: Detector;
  evidence: Evidence;
}

export interface Decision {
  signals: Signal[];
  plan: Plan | null;
  faults: Fault[];
}

/** Everything that one event's decision needs. */
export interface PolicyMoment {
  state: PolicyState;
  seen: Fingerprint;
  config: PolicyConfig;
  rank: Ranker;
  faults: Fault[];
  /** Streaks whose next rung is to refuseCall a call that has not been proposed yet. */
  waiting: Set<Streak>;
}

/** Returns ranked next actions for the trouble that a plan is about. */
export type Ranker = (trouble: Trouble) => Candidate[];

/** A signal and the streak that it belongs to. */
export interface Placed {
  signal: Signal;
  streak: Streak;
  detector: Detector;
}

/** The call or action that is proposed now; null if none is. */
export type Proposed = Situation['proposed'];

/** A plan that could be made now. */
export interface PlanChoice extends Placed {
  recovery: Recovery;
  action: Action;
  toModel: string;
  toHuman: string;
  candidates: Candidate[];
  height: number;
  /**
   * It is free and does not raise the streak's rung: it repeats an earlier plan, or prepares for
   * the stop.
   */
  isAside?: true;
  /** It asks for the agent's report, because the run is about to be stopped. */
  isEnding?: boolean;
  /** What the price calls for, if that is the reason. */
  due?: Due;
  /** The moves that it may offer. */
  moves: readonly string[];
}

export const occasionOf = ({ tick, batch, call }: Fingerprint): Occasion => ({
  tick,
  batch,
  key: call?.key ?? '',
});
