import { counted, dollars, number, share, short } from '../figures.ts';
import type { ScannedLoop, ScanReport, Trajectory } from '../scan-report.ts';
import { bar } from './bar-chart.ts';
import { type Html, html } from './html.ts';

/** The finding in one line. */
export function headline({ totals }: ScanReport): string {
  const { trajectories: runs, looping } = totals;
  if (runs === 0) return 'No runs found';
  if (looping === 0) return runs === 1 ? 'No loops in this run' : `No loops in ${number(runs)} runs`;
  if (looping === runs) return runs === 1 ? 'This run looped' : `All ${number(runs)} runs looped`;
  return `${number(looping)} of ${number(runs)} runs looped`;
}

const MEANING =
  'A loop is a series of steps that repeats without new information. Its first lap is not counted; every step after it is wasted. These runs were recorded: the report shows what Unrut would have done at that step of a live run.';

/** The finding in a few sentences: how much was wasted, and how much of that was still to come when Unrut would have stepped in. */
export function lead(report: ScanReport): Html {
  const { totals } = report;
  if (totals.trajectories === 0) return html`<p class="lead">None of the files contains an agent run.</p>`;
  if (totals.wastedSteps === 0)
    return html`<p class="lead">None of ${counted(totals.steps, 'step')} ${totals.steps === 1 ? 'was' : 'were'} wasted.</p>`;
  const ahead = Math.min(totals.wastedSteps, stepsStillToCome(report.trajectories));
  return html`<p class="lead"><strong>${number(totals.wastedSteps)} of ${counted(totals.steps, 'step')} (${share(totals.wastedSteps, totals.steps)})</strong> repeated earlier steps without new information.${cost(report)}${ahead > 0 && ` ${number(ahead)} of them came after Unrut would have intervened.`}</p>
<div class="whole">${bar(totals.wastedSteps / Math.max(1, totals.steps))}</div>
<p class="note meaning">${MEANING}</p>`;
}

function cost({ totals }: ScanReport): string {
  const { tokens, wastedTokens, usd, wastedUsd } = totals;
  const parts = [
    tokens && wastedTokens !== undefined && `${short(wastedTokens)} of ${short(tokens)} tokens (${share(wastedTokens, tokens)})`,
    usd && wastedUsd !== undefined && `${dollars(wastedUsd)} of ${dollars(usd)}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` They cost ${parts.join(' and ')}.` : '';
}

/** Steps of loops after the first plan, each counted once. */
function stepsStillToCome(runs: readonly Trajectory[]): number {
  let sum = 0;
  for (const run of runs) {
    let counted = -1;
    for (const loop of run.loops
      .filter(({ light, plans }) => !light && plans.length > 0)
      .sort((one, other) => firstPlan(one) - firstPlan(other))) {
      sum += Math.max(0, loop.end - Math.max(counted, firstPlan(loop)));
      counted = Math.max(counted, loop.end);
    }
  }
  return sum;
}

const firstPlan = (loop: ScannedLoop): number => Math.min(...loop.plans.map(({ step }) => step));
