import { counted, dollars, number, share, short } from '../figures.ts';
import { middleCut } from '../scan-names.ts';
import type { Trajectory } from '../scan-report.ts';
import { shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { loopSection } from './loop-section.ts';
import { isLooping, type RankedRun } from './ranking.ts';
import { timeline } from './timeline.ts';
import { duration, momentText } from './times.ts';

/** The name of a run in addresses. */
export const runId = (place: number): string => `run-${place}`;

/** A run's title: what its source calls it. */
export const titleOf = (run: Trajectory): string => middleCut(run.id || run.file || 'a run', 100);

/** One run: what it was, its timeline, and its loops. The first loop of the first runs is open. */
export function runSection(ranked: RankedRun, rank: number): Html {
  const { place, run, loops } = ranked;
  const id = runId(place);
  const left = run.loops.length - loops.length;
  return html`<article class="run" id="${id}" aria-labelledby="${id}-title"${sortKeys(ranked)}>
<header><h3 id="${id}-title"><a href="#${id}">${titleOf(run)}</a></h3>
<p class="verdict">${verdict(run)}</p>
<ul class="about">${about(ranked).map((fact) => html`<li>${fact}</li>`)}</ul></header>
${timeline(ranked)}
${loops.map((loop, i) => loopSection(place, loop, i === 0 && rank < 3, run))}
${left > 0 && html`<p class="note">${counted(left, 'more loop')} of this run not shown: the cheapest ones. <code>--json</code> has them all.</p>`}
</article>\n`;
}

/** What the page's script sorts by. */
export function sortKeys({ place, run }: RankedRun): Html {
  const part = run.steps > 0 ? run.wastedSteps / run.steps : 0;
  return html` data-place="${place}" data-share="${part.toFixed(4)}" data-loops="${run.loops.length}" data-steps="${run.steps}" data-from="${run.from ?? 0}"`;
}

function verdict(run: Trajectory): HtmlPiece {
  if (!isLooping(run)) return html`<span class="advice">advice only</span>`;
  const usd = run.wastedUsd !== undefined && run.usd !== undefined && `, ${dollars(run.wastedUsd)} of ${dollars(run.usd)}`;
  const tokens = run.wastedTokens !== undefined && `, ${short(run.wastedTokens)} tokens`;
  return html`<strong>${share(run.wastedSteps, run.steps)}</strong> wasted: ${counted(run.wastedSteps, 'step')}${tokens}${usd}`;
}

/** What a run was, in short facts. */
export function about({ place, run }: RankedRun): HtmlPiece[] {
  const { from, to, tokens, usd, skipped } = run;
  return [
    `run ${number(place)}`,
    run.file !== run.id && html`<span class="file">${middleCut(run.file, 120)}</span>`,
    shortName(run.format),
    run.model !== undefined && middleCut(run.model, 60),
    run.repository !== undefined && middleCut(run.repository, 60),
    counted(run.steps, 'step'),
    from !== undefined && to !== undefined && to > from && duration(to - from),
    tokens !== undefined && `${short(tokens)} tokens`,
    usd !== undefined && dollars(usd),
    from !== undefined && momentText(from) !== '' && html`<time datetime="${new Date(from).toISOString()}">${momentText(from)}</time>`,
    skipped > 0 && `${number(skipped)} unusable ${skipped === 1 ? 'line' : 'lines'}`,
  ].filter(Boolean) as HtmlPiece[];
}
