import { counted, number, share } from '../figures.ts';
import { groupsOf, tellingGroups } from '../groups.ts';
import { middleCut, runTitle } from '../scan-names.ts';
import type { Group, Groups, ScanReport, Trajectory } from '../scan-report.ts';
import { MAX } from './bounds.ts';
import { kinds, loopKindOf } from './kinds.ts';
import { isLooping, type RankedRun, type RankingRow } from './ranking.ts';

/** A bar of a chart: its share of the full width, and its label. */
export interface Bar {
  label: string;
  /** More about it, in small letters. */
  note?: string;
  /** The run that it links to. */
  run?: number;
  /** The kind of step that it counts. */
  kind?: string;
  /** 0 to 1. */
  part: number;
  figure: string;
}

/** A bar chart. `heads` are the column headings of the equivalent table. */
export interface Chart {
  title: string;
  heads: [string, string];
  bars: Bar[];
  /** What is left out. */
  more?: string;
}

/** Charts of the runs with most waste, the kinds of loops, the steps, and the groups. */
export function scanCharts(
  { trajectories, totals, groups }: ScanReport,
  { inFull, further }: RankingRow,
): Chart[] {
  const looping = [...inFull, ...further].filter(({ run }) => isLooping(run));
  return [
    ...(looping.length > 0
      ? [worstRuns(looping), loopsByDetector((groups ?? groupsOf(trajectories)).kind)]
      : []),
    ...(trajectories.length > 0 ? [stepsByKind(trajectories, totals.steps)] : []),
    ...(groups ? groupCharts(groups) : []),
  ];
}

/** The first bars, and how many are missing. */
const bounded = <T>(
  rows: readonly T[],
  bar: (row: T) => Bar,
  more: (left: number) => string,
): Pick<Chart, 'bars' | 'more'> => ({
  bars: rows.slice(0, MAX.bars).map(bar),
  ...(rows.length > MAX.bars ? { more: `and ${more(rows.length - MAX.bars)}` } : {}),
});

/** Charts of the tools, models and repositories with most waste. */
function groupCharts(groups: Groups): Chart[] {
  return tellingGroups(groups)
    .filter(([by]) => by !== 'kind')
    .map(([by, wasteful]) => {
      const most = wasteful[0]?.wastedSteps || 1;
      const bar = ({
        name,
        wastedSteps,
        loops,
        looping,
        runs,
      }: (typeof wasteful)[number]): Bar => ({
        label: middleCut(name, 32),
        note: `${counted(loops, 'loop')}${by === 'tool' ? '' : `, ${number(looping)} of ${counted(runs, 'run')}`}`,
        part: wastedSteps / most,
        figure: number(wastedSteps),
      });
      return {
        title: `Wasted steps by ${by}`,
        heads: [by, 'Wasted steps'],
        ...bounded(wasteful, bar, (left) => `${number(left)} more`),
      };
    });
}

const wastedPart = ({ run }: RankedRun): number => run.wastedSteps / Math.max(1, run.steps);

function worstRuns(looping: RankedRun[]): Chart {
  const worst = looping.toSorted((one, other) => wastedPart(other) - wastedPart(one));
  const withoutPrefix = prefixCutter(worst.slice(0, MAX.bars).map(({ run }) => runTitle(run)));
  const bar = (ranked: RankedRun): Bar => ({
    label: middleCut(withoutPrefix(runTitle(ranked.run)), 44),
    run: ranked.place,
    part: wastedPart(ranked),
    figure: share(ranked.run.wastedSteps, ranked.run.steps),
  });
  return {
    title: 'Wasted share of steps, worst runs first',
    heads: ['Run', 'Wasted share of its steps'],
    ...bounded(worst, bar, (left) => `${counted(left, 'more run')} with loops`),
  };
}

/** Removes the common prefix of all names, up to its last word boundary. */
function prefixCutter(names: readonly string[]): (name: string) => string {
  const [first = '', ...others] = names;
  let length = 0;
  while (
    others.length > 0 &&
    length < first.length &&
    others.every((name) => name[length] === first[length])
  )
    length++;
  const cut =
    Math.max(...['-', '_', '/', '.', ' '].map((sign) => first.lastIndexOf(sign, length - 1))) + 1;
  return (name) => (cut > 8 && cut < name.length ? `…${name.slice(cut)}` : name);
}

function loopsByDetector(groups: readonly Group[]): Chart {
  const rows = groups.toSorted(
    (one, other) => other.loops - one.loops || (one.name < other.name ? -1 : 1),
  );
  const most = rows[0]?.loops ?? 1;
  return {
    title: 'Kinds of loops',
    heads: ['Detector', 'Loops'],
    ...bounded(
      rows,
      ({ name: label, loops }) => ({ label, part: loops / most, figure: number(loops) }),
      (left) => counted(left, 'more detector'),
    ),
  };
}

function stepsByKind(runs: readonly Trajectory[], steps: number): Chart {
  const tally = new Map<string, number>();
  for (const { timeline } of runs)
    for (const letter of timeline)
      tally.set(loopKindOf(letter).name, (tally.get(loopKindOf(letter).name) ?? 0) + 1);
  const bars = kinds
    .filter(({ name }) => tally.has(name))
    .map(({ name, meaning }): Bar => {
      const times = tally.get(name)!;
      return {
        label: meaning,
        kind: name,
        part: times / Math.max(1, steps),
        figure: `${number(times)} (${share(times, steps)})`,
      };
    });
  return { title: 'Kinds of steps', heads: ['Kind of step', 'Steps'], bars };
}
