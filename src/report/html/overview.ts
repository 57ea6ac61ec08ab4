import { counted, dollars, number, share, short } from '../figures.ts';
import type { ScannedLoop, ScanReport, Trajectory } from '../scan-report.ts';
import { bar } from './bar-chart.ts';
import { type Html, html } from './html.ts';

/** The finding in one line. */
export function headline({ totals }: ScanReport): string {
  const { trajectories: runs, looping } = totals;
  if (runs === 0) return 'No run was found';
  if (looping === 0) return runs === 1 ? 'This run did not go in circles' : `None of ${number(runs)} runs went in circles`;
  if (looping === runs) return runs === 1 ? 'This run went in circles' : `All ${number(runs)} runs went in circles`;
  return `${number(looping)} of ${number(runs)} runs went in circles`;
}

const MEANING =
  'A loop is a stretch of steps that repeats and brings nothing new. Its first lap is not held against it; what follows is counted as wasted. Unrut looked at these runs afterwards: what it would have done is what it would have said or done at that step of a live run.';

/** The finding in a few sentences: how much was wasted, and how much of that was still to come when Unrut would have stepped in. */
export function lead(report: ScanReport): Html {
  const { totals } = report;
  if (totals.trajectories === 0) return html`<p class="lead">Nothing that was read is a run of an agent.</p>`;
  if (totals.wastedSteps === 0)
    return html`<p class="lead">Of ${counted(totals.steps, 'step')}, none was wasted on repeating what had been done already.</p>`;
  const ahead = Math.min(totals.wastedSteps, stepsStillToCome(report.trajectories));
  return html`<p class="lead"><strong>${number(totals.wastedSteps)} of ${counted(totals.steps, 'step')} (${share(totals.wastedSteps, totals.steps)})</strong> repeated what had been done already and brought nothing new.${cost(report)}${ahead > 0 && ` When Unrut would have stepped in, ${number(ahead)} of them ${ahead === 1 ? 'was' : 'were'} still to come.`}</p>
<div class="whole">${bar(totals.wastedSteps / Math.max(1, totals.steps))}</div>
<p class="note meaning">${MEANING}</p>`;
}

function cost({ totals }: ScanReport): string {
  const { tokens, wastedTokens, usd, wastedUsd } = totals;
  const parts = [
    tokens && wastedTokens !== undefined && `${short(wastedTokens)} of ${short(tokens)} tokens (${share(wastedTokens, tokens)})`,
    usd && wastedUsd !== undefined && `${dollars(wastedUsd)} of ${dollars(usd)}`,
  ].filter(Boolean);
  return parts.length > 0 ? ` They took ${parts.join(' and ')}.` : '';
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
