import { counted, number, share, wastedShare } from '../figures.ts';
import type { ScannedLoop, Totals, Trajectory } from '../scan-report.ts';

/** The finding in one line. */
export function headline({ trajectories: runs, looping }: Totals): string {
  if (runs === 0) return 'No runs found';
  if (looping === 0)
    return runs === 1 ? 'No loops in this run' : `No loops in ${number(runs)} runs`;
  if (looping === runs) return runs === 1 ? 'This run looped' : `All ${number(runs)} runs looped`;
  return `${number(looping)} of ${number(runs)} runs looped`;
}

/**
 * The finding in a few sentences: the waste, and the part of it that Unrut could have prevented.
 */
export function leadText(totals: Totals, runs: readonly Trajectory[]): string {
  const { trajectories, steps, wastedSteps } = totals;
  if (trajectories === 0) return 'None of the files contains an agent run.';
  if (wastedSteps === 0)
    return `None of ${counted(steps, 'step')} ${steps === 1 ? 'was' : 'were'} wasted.`;
  const costs = wastedShare(totals);
  const cost = costs.length > 0 ? ` They cost ${costs.join(' and ')}.` : '';
  const ahead = Math.min(wastedSteps, stepsStillToCome(runs));
  const later =
    ahead > 0 ? ` ${number(ahead)} of them came after Unrut would have intervened.` : '';
  return `${number(wastedSteps)} of ${counted(steps, 'step')} (${share(wastedSteps, steps)}) repeated earlier steps without new information.${cost}${later}`;
}

/** Loop steps after the first plan, counted once, in runs that Unrut did not guard. */
function stepsStillToCome(runs: readonly Trajectory[]): number {
  let sum = 0;
  for (const run of runs.filter(({ did }) => did === undefined)) {
    let counted = -1;
    for (const loop of run.loops
      .filter(({ advice, plans }) => !advice && plans.length > 0)
      .sort((one, other) => firstPlan(one) - firstPlan(other))) {
      sum += Math.max(0, loop.end - Math.max(counted, firstPlan(loop)));
      counted = Math.max(counted, loop.end);
    }
  }
  return sum;
}

const firstPlan = (loop: ScannedLoop): number => Math.min(...loop.plans.map(({ step }) => step));
