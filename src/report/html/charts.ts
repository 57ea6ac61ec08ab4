import { counted, number, share } from '../figures.ts';
import { isTelling } from '../outputs.ts';
import { middleCut } from '../scan-names.ts';
import type { Groups, ScanReport, Trajectory } from '../scan-report.ts';
import { type Bar, barChart } from './bar-chart.ts';
import { MAX, shortName } from './bounds.ts';
import { type Html, type HtmlPiece, html } from './html.ts';
import { kinds, loopKindOf } from './kinds.ts';
import { swatch } from './legend.ts';
import { isLooping, type RankedRun, type RankingRow } from './ranking.ts';
import { runId, titleOf } from './run-section.ts';

/** Which runs wasted most, which kinds of loops there were, and what the steps were. */
export function charts({ trajectories, totals, groups }: ScanReport, { inFull, further }: RankingRow): HtmlPiece {
  if (trajectories.length === 0) return null;
  const looping = [...inFull, ...further].filter(({ run }) => isLooping(run));
  return html`<section class="charts" aria-labelledby="overview"><h2 class="unseen" id="overview">Overview</h2>
${looping.length > 0 && worstRuns(looping)}${looping.length > 0 && loopsByDetector(trajectories)}${stepsByKind(trajectories, totals.steps)}${groups && groupCharts(groups)}</section>\n`;
}

/** What a team asks first: which tools, models and repositories waste most. */
function groupCharts(groups: Groups): HtmlPiece {
  return (['tool', 'model', 'repository'] as const)
    .filter((by) => isTelling(groups[by]))
    .map((by) => {
      const wasteful = groups[by].filter(({ loops }) => loops > 0);
      const most = wasteful[0]?.wastedSteps || 1;
      const bars = wasteful.slice(0, MAX.bars).map(
        ({ name, wastedSteps, loops, looping, runs }): Bar => ({
          label: [
            middleCut(name, 32),
            html` <span class="note">${counted(loops, 'loop')}${by !== 'tool' && `, ${number(looping)} of ${counted(runs, 'run')}`}</span>`,
          ],
          part: wastedSteps / most,
          figure: number(wastedSteps),
        }),
      );
      const left = wasteful.length - MAX.bars;
      return barChart({ title: `Wasted steps by ${by}`, heads: [by, 'Wasted steps'], bars, note: left > 0 && `and ${number(left)} more` });
    });
}

const wastedPart = ({ run }: RankedRun): number => run.wastedSteps / Math.max(1, run.steps);

function worstRuns(looping: RankedRun[]): Html {
  const left = looping.length - MAX.bars;
  const worst = looping.toSorted((one, other) => wastedPart(other) - wastedPart(one)).slice(0, MAX.bars);
  const withoutPrefix = prefixCutter(worst.map(({ run }) => titleOf(run)));
  const bars = worst.map(
    (ranked): Bar => ({
      label: html`<a href="#${runId(ranked.place)}">${middleCut(withoutPrefix(titleOf(ranked.run)), 44)}</a>`,
      part: wastedPart(ranked),
      figure: share(ranked.run.wastedSteps, ranked.run.steps),
    }),
  );
  const note = left > 0 && `and ${counted(left, 'more run')} with loops`;
  return barChart({ title: 'Wasted share of steps, worst runs first', heads: ['Run', 'Wasted share of its steps'], bars, note });
}

/** Names without what all of them begin with, up to the last sign that parts words. */
function prefixCutter(names: readonly string[]): (name: string) => string {
  const [first = '', ...others] = names;
  let length = 0;
  while (others.length > 0 && length < first.length && others.every((name) => name[length] === first[length])) length++;
  const cut = Math.max(...['-', '_', '/', '.', ' '].map((sign) => first.lastIndexOf(sign, length - 1))) + 1;
  return (name) => (cut > 8 && cut < name.length ? `…${name.slice(cut)}` : name);
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
