import type { Waste } from '@unrut/engine/account/loop';
import {
  addUp,
  noPlans,
  type PeriodFigures,
  type PlanFigures,
  type PlanKey,
  plansBy,
} from '../figures/hour-figures.ts';
import type { OutcomeCounts } from '../figures/session-figures.ts';
import type { Reports } from './reports.ts';

/** Figures of many sessions. Lists are sorted by frequency. */
export interface StatsFigures {
  sessions: number;
  /** Sessions with a loop. */
  looping: number;
  steps: number;
  loops: number;
  plans: number;
  /** Plans that were only recorded. */
  shadow: number;
  /** Each plan counts by its final outcome. */
  outcomes: OutcomeCounts;
  faults: number;
  tokens: number;
  usd: number;
  wasted: Waste;
  detectors: DetectorFigures[];
  recoveries: RecoveryFigures[];
  tools: ToolFigures[];
}

export interface DetectorFigures {
  detector: string;
  signals: number;
  sessions: number;
}

export interface RecoveryFigures extends PlanFigures, Pick<PlanKey, 'recovery' | 'rung'> {}

export interface ToolFigures {
  /** For shell commands the program. */
  tool: string;
  /** Calls that ended. */
  calls: number;
  failed: number;
  /** The number of these that were part of a loop. */
  looping: number;
}

/** A ledger's figures since a time, rounded down to the full hour. */
export const statsOf = async (reports: Pick<Reports, 'stats'>, since = 0): Promise<StatsFigures> =>
  statsIn(await reports.stats({ since, by: 'day' }));

/** The figures of many sessions, sorted by frequency. */
export function statsIn(sums: PeriodFigures): StatsFigures {
  const { sessions, looping, steps, loops, faults, tokens, usd, wasted } = sums;
  const {
    plans,
    shadow,
    notPerformed: _,
    ...outcomes
  } = [...sums.plans.values()].reduce(addUp, noPlans());
  return {
    sessions,
    looping,
    steps,
    loops,
    plans,
    shadow,
    outcomes,
    faults,
    tokens,
    usd,
    wasted,
    detectors: [...sums.detectors]
      .map(([detector, { signals }]) => ({
        detector,
        signals,
        sessions: sums.detectorSessions.get(detector) ?? 0,
      }))
      .sort((one, other) => other.signals - one.signals),
    recoveries: plansBy(sums.plans, ['recovery', 'rung']) as RecoveryFigures[],
    tools: [...sums.tools]
      .map(([tool, row]) => ({ tool, ...row }))
      .sort((one, other) => other.calls - one.calls),
  };
}
