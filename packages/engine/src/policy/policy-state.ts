import type { Detector } from '../detectors/detector.ts';
import type { Situation } from '../recoveries/recovery.ts';
import { type Budget, startBudget } from './budget.ts';
import type { Claims } from './claims.ts';
import type { TurnEnding } from './endings.ts';
import type { Forward } from './forward.ts';
import { forgetHolds, type Hammering } from './hammering.ts';
import type { LadderConfig } from './ladder.ts';
import { type PriceState, startPrice } from './price.ts';
import type { Spoken } from './spoken.ts';
import { endAll, type Streak } from './streak.ts';

/** What the policy remembers of a session. */
export interface PolicyState {
  streaks: Streak[];
  budget: Budget;
  /** Results that are known. */
  claims: Claims;
  told: Spoken;
  forward: Forward;
  /**
   * The streak for which the run is about to be stopped after the agent's report. `refused` counts
   * other calls refused since.
   */
  ending: { streak: string; tick: number; batch: string; refused: number } | null;
  /** What was spent since the last progress. */
  price: PriceState;
  /** Calls that servers turned away. */
  hammering: Hammering;
  /** How the last turns ended, if nothing was achieved since. */
  endings: TurnEnding | null;
  /** The number of the next streak or plan. */
  next: number;
}

export const startPolicy = (): PolicyState => ({
  streaks: [],
  budget: startBudget(),
  claims: [],
  told: [],
  forward: [],
  ending: null,
  price: startPrice(),
  hammering: [],
  endings: null,
  next: 1,
});

export interface PolicyConfig extends LadderConfig {
  attended: boolean;
  /** The guard sees only some of the agent's calls. */
  partial: boolean;
  learned: Situation['learned'];
  detectors: ReadonlyMap<string, Detector>;
}

/**
 * A real person spoke: streaks end, notes may be repeated, budgets stay, and streaks that were
 * escalated or stopped fall back.
 */
export function userSpoke(state: PolicyState): void {
  endAll(state.streaks);
  forgetHolds(state.hammering);
  Object.assign(state, { told: [], ending: null, endings: null, price: startPrice() });
}
