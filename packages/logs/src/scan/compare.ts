import { rateOf, roundRate, toRate, Z } from '@unrut/ledger/report/rate';
import type {
  ComparedLoop,
  Comparison,
  Rate,
  ScanReport,
  Trajectory,
} from '@unrut/ledger/report/scan-report';

/** The common and different loops of two sets of runs, before and after a change. */
export function compareScans(before: ScanReport, after: ScanReport): Comparison {
  const looping = [before, after].map(loopingRate) as [Rate, Rate];
  const wasted = [before, after].map(wastedRate) as [Rate, Rate];
  const [known, now] = [before, after].map(loopsOf) as [
    Map<string, ComparedLoop>,
    Map<string, ComparedLoop>,
  ];
  return {
    version: 1,
    before: before.totals,
    after: after.totals,
    looping: { before: looping[0], after: looping[1], difference: differenceOf(looping) },
    wasted: { before: wasted[0], after: wasted[1], difference: differenceOf(wasted) },
    appeared: [...now].filter(([id]) => !known.has(id)).map(([, loop]) => loop),
    gone: [...known].filter(([id]) => !now.has(id)).map(([, loop]) => loop),
    stayed: [...now.keys()].filter((id) => known.has(id)).length,
    problems: [...before.problems, ...after.problems],
  };
}

const loopsOf = ({ trajectories }: ScanReport): Map<string, ComparedLoop> =>
  new Map(
    trajectories.flatMap(({ id, file, loops }) =>
      loops
        .filter(({ advice }) => !advice)
        .map((loop) => [loop.id, { run: id, file, ...loop }] as const),
    ),
  );

/** The share of runs that loop. */
const loopingRate = ({ totals: { trajectories, looping } }: ScanReport): Rate =>
  rateOf(looping, trajectories);

/**
 * The share of wasted steps. Steps of one run are correlated, so the interval is that of a ratio
 * over runs.
 */
function wastedRate({ trajectories, totals }: ScanReport): Rate {
  const n = trajectories.length;
  if (n === 0 || totals.steps === 0) return { value: 0, low: 0, high: 1 };
  const ratio = totals.wastedSteps / totals.steps;
  const off = ({ wastedSteps, steps }: Trajectory): number => (wastedSteps - ratio * steps) ** 2;
  const reach =
    n < 2
      ? 1
      : (Z * Math.sqrt((trajectories.reduce((sum, run) => sum + off(run), 0) * n) / (n - 1))) /
        totals.steps;
  return toRate(ratio, ratio - reach, ratio + reach);
}

/** Newcombe's: the intervals of both, joined. */
function differenceOf([one, other]: readonly [Rate, Rate]): Rate {
  const difference = other.value - one.value;
  const down = Math.hypot(other.value - other.low, one.high - one.value);
  const up = Math.hypot(other.high - other.value, one.value - one.low);
  return {
    value: roundRate(difference),
    low: roundRate(Math.max(-1, difference - down)),
    high: roundRate(Math.min(1, difference + up)),
  };
}
