import type { TrialArm } from '@unrut/engine/trial';
import { widening } from '../insights/shares.ts';
import { Z } from '../report/rate.ts';
import {
  LEAST_SESSIONS,
  MEASURES,
  type Measure,
  type TrialMeasure,
  type TrialReport,
  type TrialRow,
} from './trial.ts';

/** A measure is a ratio of two sums over sessions. */
const PARTS: Record<Measure, (row: TrialRow) => readonly [part: number, of: number]> = {
  wasted: ({ wasted, steps }) => [100 * wasted, steps],
  failed: ({ failed }) => [failed, 1],
  long: ({ long }) => [100 * Number(long), 1],
  steps: ({ steps }) => [steps, 1],
  tokens: ({ tokens }) => [tokens, 1],
  usd: ({ usd }) => [usd, 1],
  messages: ({ messages, steps }) => [100 * messages, steps],
  ended: ({ ended }) => [100 * Number(ended), 1],
};

/** With at least this many places, intervals are computed over places instead of sessions. */
const MANY_PLACES = 20;

/**
 * A difference is claimed only if its 99 % interval excludes 0 (this factor widens a 95 %
 * interval). At 95 %, one of twenty trials without any effect would claim a difference.
 */
const CERTAIN = 2.576 / Z;

/** The smallest relative difference that a trial should detect. */
const WORTH_SEEING = 0.05;

type Compared = Pick<TrialReport, 'measures' | 'verdict' | 'missing'>;

/** Compares the arms of a trial; every session counts in its assigned arm. */
export function compareArms(rows: readonly TrialRow[]): Compared {
  const counts = { guarded: 0, recorded: 0 };
  for (const { arm } of rows) counts[arm]++;
  const fewest = Math.min(counts.guarded, counts.recorded);
  const isEnough = fewest >= LEAST_SESSIONS;
  const measures = (Object.keys(MEASURES) as Measure[]).map((name) =>
    measureOf(name, rows, isEnough),
  );
  if (!isEnough) return { measures, verdict: 'too-few', missing: LEAST_SESSIONS - fewest };
  const { recorded, difference } = measures[0]!;
  const { value, high } = difference!;
  const reach = high - value;
  const isCertain = Math.abs(value) > CERTAIN * reach;
  const verdict = isCertain ? (value < 0 ? 'less' : 'more') : 'unclear';
  // The interval narrows with the square root of the sample size.
  const needed = fewest * (reach / (WORTH_SEEING * recorded)) ** 2;
  const missing = Number.isFinite(needed) ? Math.max(0, Math.ceil(needed - fewest)) : 0;
  return { measures, verdict, missing };
}

function measureOf(name: Measure, rows: readonly TrialRow[], isEnough: boolean): TrialMeasure {
  const [guarded, recorded] = [ratioOf(name, 'guarded', rows), ratioOf(name, 'recorded', rows)];
  const value = guarded.value - recorded.value;
  const reach = isEnough ? reachOf(rows, (row) => pullOf(row, name, { guarded, recorded })) : 0;
  return {
    name,
    guarded: rounded(guarded.value),
    recorded: rounded(recorded.value),
    ...(isEnough
      ? {
          difference: {
            value: rounded(value),
            low: rounded(value - reach),
            high: rounded(value + reach),
          },
        }
      : {}),
  };
}

interface Ratio {
  value: number;
  of: number;
}

function ratioOf(name: Measure, arm: TrialArm, rows: readonly TrialRow[]): Ratio {
  let [sum, all] = [0, 0];
  for (const row of rows) {
    if (row.arm !== arm) continue;
    const [part, of] = PARTS[name](row);
    sum += part;
    all += of;
  }
  return { value: all === 0 ? 0 : sum / all, of: all };
}

/** A session's influence on the difference of the two ratios (their derivative). */
function pullOf(row: TrialRow, name: Measure, ratios: Record<TrialArm, Ratio>): number {
  const { value, of: all } = ratios[row.arm];
  const [part, of] = PARTS[name](row);
  const pull = all === 0 ? 0 : (part - value * of) / all;
  return row.arm === 'guarded' ? pull : -pull;
}

/**
 * Half of the 95 % interval. Sessions of one place are correlated, so places are the units if there
 * are many; otherwise sessions, which were assigned individually in every place.
 */
function reachOf(rows: readonly TrialRow[], pull: (row: TrialRow) => number): number {
  const places = new Map<string | null, number>();
  for (const row of rows) places.set(row.place, (places.get(row.place) ?? 0) + pull(row));
  const pulls = places.size >= MANY_PLACES ? [...places.values()] : rows.map(pull);
  const squares = pulls.reduce((sum, each) => sum + each ** 2, 0);
  return Z * Math.sqrt(squares) * widening(pulls.length);
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
