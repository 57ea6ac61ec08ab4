import { counted, number, share } from '../figures.ts';
import type { ScanReport, Trajectory } from '../scan-report.ts';
import { type Bar, barChart } from './bar-chart.ts';
import { clip, MAX, shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { kinds, loopKindOf } from './kinds.ts';
import { swatch } from './legend.ts';
import { isLooping, type RankedRun, type RankingRow } from './ranking.ts';
import { runId, titleOf } from './run-section.ts';

/** Which runs wasted most, which kinds of loops there were, and what the steps were. */
export function charts({ trajectories, totals }: ScanReport, { inFull, further }: RankingRow): HtmlPiece {
  if (trajectories.length === 0) return null;
  const looping = [...inFull, ...further].filter(({ run }) => isLooping(run));
  return html`<section class="charts" aria-labelledby="overview"><h2 class="unseen" id="overview">Overview</h2>
${looping.length > 0 && worstRuns(looping)}${looping.length > 0 && loopsByDetector(trajectories)}${stepsByKind(trajectories, totals.steps)}</section>\n`;
}

const wastedPart = ({ run }: RankedRun): number => run.wastedSteps / Math.max(1, run.steps);

function worstRuns(looping: RankedRun[]): Html {
  const left = looping.length - MAX.bars;
  const worst = looping.toSorted((one, other) => wastedPart(other) - wastedPart(one)).slice(0, MAX.bars);
  const bars = worst.map(
    (ranked): Bar => ({
      label: html`<a href="#${runId(ranked.place)}">${clip(titleOf(ranked.run), 60)}</a>`,
      part: wastedPart(ranked),
      figure: share(ranked.run.wastedSteps, ranked.run.steps),
    }),
  );
  const note = left > 0 && `and ${counted(left, 'more run')} with loops`;
  return barChart({ title: 'Wasted share of steps, worst runs first', heads: ['Run', 'Wasted share of its steps'], bars, note });
}

function loopsByDetector(runs: readonly Trajectory[]): Html {
  const tally = new Map<string, number>();
  for (const { loops } of runs) for (const { light, detector } of loops) if (!light) tally.set(detector, (tally.get(detector) ?? 0) + 1);
  const rows = [...tally].sort((one, other) => other[1] - one[1] || (one[0] < other[0] ? -1 : 1));
  const left = rows.length - MAX.bars;
  const most = rows[0]?.[1] ?? 1;
  const bars = rows.slice(0, MAX.bars).map(([name, times]): Bar => ({ label: shortName(name), part: times / most, figure: number(times) }));
  return barChart({
    title: 'Kinds of loops',
    heads: ['Detector', 'Loops'],
    bars,
    note: left > 0 && `and ${counted(left, 'more detector')}`,
  });
}

function stepsByKind(runs: readonly Trajectory[], steps: number): Html {
  const tally = new Map<string, number>();
  for (const { timeline } of runs)
    for (const letter of timeline) tally.set(loopKindOf(letter).name, (tally.get(loopKindOf(letter).name) ?? 0) + 1);
  const bars = kinds
    .filter(({ name }) => tally.has(name))
    .map(({ name, meaning }): Bar => {
      const times = tally.get(name) ?? 0;
      return {
        label: html`<span class="labelled">${swatch(name)}<span>${meaning}</span></span>`,
        part: times / Math.max(1, steps),
        figure: `${number(times)} (${share(times, steps)})`,
      };
    });
  return barChart({ title: 'Kinds of steps', heads: ['Kind of step', 'Steps'], bars, look: 'steps' });
}
