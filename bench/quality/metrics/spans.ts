import { alarmsOf, belongsTo, judge } from '../alarms.ts';
import type { Firing, Loop, Run, Spans } from '../run.ts';
import { f1, perThousand, quantile, share } from './tally.ts';

/** The contribution of one run with marked loops. */
export interface SpanTally {
  runs: number;
  loops: number;
  /** First firing minus `stuckAt`, of each loop that was caught. */
  delays: number[];
  /** Sum over the loops of the share of their steps that were still to come at the first firing. */
  saved: number;
  right: number;
  false: number;
  runsWithFalse: number;
  /**
   * False alarms and steps of runs without a loop, and steps of runs without even a borderline
   * stretch.
   */
  looplessFalse: number;
  looplessSteps: number;
  cleanSteps: number;
  /** Steps outside loops and borderline stretches, and how many of them lie within an alarm. */
  outside: number;
  outsideAlarmed: number;
}

/**
 * The first firing that catches a loop: from one step before a person would step in to one step
 * after its end.
 */
export function firstCatch({ stuckAt, end }: Loop, firings: readonly Firing[]): number | undefined {
  const steps = firings
    .map(({ step }) => step)
    .filter((step) => step >= stuckAt - 1 && step <= end + 1);
  return steps.length === 0 ? undefined : Math.min(...steps);
}

/** Counts what these firings are worth on a run with marked loops. */
export function tallySpans(
  { steps }: Pick<Run, 'steps'>,
  truth: Spans,
  firings: readonly Firing[],
): SpanTally {
  const { loops, borderline } = truth;
  const alarms = alarmsOf(firings);
  const judgements = alarms.map((alarm) => judge(alarm, truth));
  const falses = judgements.filter((each) => each === 'false').length;
  const loopless = loops.length === 0;
  const tally: SpanTally = {
    runs: 1,
    loops: loops.length,
    delays: [],
    saved: 0,
    right: judgements.filter((each) => each === 'right').length,
    false: falses,
    runsWithFalse: falses > 0 ? 1 : 0,
    looplessFalse: loopless ? falses : 0,
    looplessSteps: loopless ? steps : 0,
    cleanSteps: loopless && borderline.length === 0 ? steps : 0,
    outside: 0,
    outsideAlarmed: 0,
  };
  for (const loop of loops) {
    const caught = firstCatch(loop, firings);
    if (caught === undefined) continue;
    tally.delays.push(caught - loop.stuckAt);
    const left = loop.end - Math.max(caught, loop.start);
    tally.saved += Math.max(0, left) / (loop.end - loop.start + 1);
  }
  for (let step = 0; step < steps; step++) {
    if (belongsTo(loops, step) || belongsTo(borderline, step)) continue;
    tally.outside++;
    if (alarms.some(({ from, to }) => step >= from && step <= to)) tally.outsideAlarmed++;
  }
  return tally;
}

/** The scores of runs with marked loops. */
export function scoreSpans(sum: SpanTally) {
  const recall = share(sum.delays.length, sum.loops);
  const precision = share(sum.right, sum.right + sum.false);
  return {
    recall,
    precision,
    f1: f1(precision, recall),
    /**
     * False alarms of runs without a loop, per 1,000 steps of runs with neither loop nor borderline
     * stretch.
     */
    falsePerThousand: perThousand(sum.looplessFalse, sum.cleanSteps),
    /** The same alarms, per 1,000 steps of the runs that they are from. */
    falseInLoopless: perThousand(sum.looplessFalse, sum.looplessSteps),
    /** All false alarms, per 1,000 steps outside loops and borderline stretches. */
    falseOutside: perThousand(sum.false, sum.outside),
    runsWithFalse: share(sum.runsWithFalse, sum.runs),
    outsideAlarmed: share(sum.outsideAlarmed, sum.outside),
    delayMedian: quantile(sum.delays, 0.5),
    delayNinetieth: quantile(sum.delays, 0.9),
    saved: share(sum.saved, sum.loops),
  };
}
