import type { Firing, Verdict } from '../run.ts';
import { f1, share } from './tally.ts';

/** The contribution of one run with a yes-or-no label. */
export interface VerdictTally {
  runs: number;
  looping: number;
  called: number;
  calledRightly: number;
  agreed: number;
}

/** A run is called looping when anything fired. */
export function tallyVerdict({ looping }: Verdict, firings: readonly Firing[]): VerdictTally {
  const called = firings.length > 0;
  return {
    runs: 1,
    looping: Number(looping),
    called: Number(called),
    calledRightly: Number(called && looping),
    agreed: Number(called === looping),
  };
}

/** The scores of runs with a yes or no. */
export function scoreVerdicts(sum: VerdictTally) {
  const precision = share(sum.calledRightly, sum.called);
  const recall = share(sum.calledRightly, sum.looping);
  return { precision, recall, f1: f1(precision, recall), accuracy: share(sum.agreed, sum.runs) };
}
