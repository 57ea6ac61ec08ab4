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

/** What a ledger tells about many sessions. Lists have the most frequent first. */
export interface StatsFigures {
  sessions: number;
  /** Sessions with a loop. */
  looping: number;
  steps: number;
  loops: number;
  plans: number;
  /** Plans that were only recorded. */
  shadow: number;
  /** Each plan counts by what became of it in the end. */
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
  /** Those of them that were part of a loop. */
  looping: number;
}

/** What a ledger tells of all that happened since a time, from the start of its hour. */
export const statsOf = async (reports: Pick<Reports, 'stats'>, since = 0): Promise<StatsFigures> =>
  statsIn(await reports.stats({ since, by: 'day' }));

/** The figures of many sessions, the most frequent first. */
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
