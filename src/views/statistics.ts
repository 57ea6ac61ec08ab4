import type { Waste } from '../account/loop.ts';
import type { Rung } from '../event.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { addUp, noPlans, type TallySums } from '../ledger/reports/hour-figures.ts';
import { asRecorded } from '../ledger/reports/recorded-entry.ts';
import type { OutcomeCounts } from '../ledger/reports/session-summary.ts';
import { SessionTally } from './session-tally.ts';
import { plansBy, sumTallies } from './tally-sums.ts';

/** What a ledger tells about many sessions. Lists have the most frequent first. */
export interface LedgerStatistics {
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

export interface RecoveryFigures extends OutcomeCounts {
  recovery: string;
  rung: Rung;
  plans: number;
  shadow: number;
  /** Plans with which the host could do nothing, or only less. */
  notPerformed: number;
}

export interface ToolFigures {
  /** For shell commands the program. */
  tool: string;
  /** Calls that ended. */
  calls: number;
  failed: number;
  /** Those of them that were part of a loop. */
  looping: number;
}

/** Counts all that was recorded since a time. Reads one session after another, so that a large ledger takes little memory. */
export async function statisticsOf(ledger: Ledger, since = 0): Promise<LedgerStatistics> {
  const tallies: SessionTally[] = [];
  for (const { session, last } of [...(await ledger.sessions()), { session: '', last: since }]) {
    if (last < since) continue;
    const tally = new SessionTally(session);
    for (const entry of await ledger.entries({ session, since })) tally.add(asRecorded(entry));
    tally.rest();
    tallies.push(tally);
  }
  return statisticsIn(sumTallies(tallies, { since: 0, by: 'day' }));
}

/** The figures of many sessions, the most frequent first. */
export function statisticsIn(sums: TallySums): LedgerStatistics {
  const { sessions, looping, steps, loops, faults, tokens, usd, wasted } = sums;
  const { plans, shadow, notPerformed: _, ...outcomes } = [...sums.plans.values()].reduce(addUp, noPlans());
  return {
    ...{ sessions, looping, steps, loops, plans, shadow, outcomes, faults, tokens, usd, wasted },
    detectors: [...sums.detectors]
      .map(([detector, { signals }]) => ({ detector, signals, sessions: sums.detectorSessions.get(detector) ?? 0 }))
      .sort((one, other) => other.signals - one.signals),
    recoveries: plansBy(sums.plans, ['recovery', 'rung']) as RecoveryFigures[],
    tools: [...sums.tools].map(([tool, row]) => ({ tool, ...row })).sort((one, other) => other.calls - one.calls),
  };
}
