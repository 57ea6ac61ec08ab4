import { atLevel, isAlarm } from './alarms.ts';
import { type Draws, draw, type Estimate, estimate, estimates } from './bootstrap.ts';
import { type QuietTally, scoreQuiet, tallyQuiet } from './metrics/quiet.ts';
import { type SpanTally, scoreSpans, tallySpans } from './metrics/spans.ts';
import { total } from './metrics/tally.ts';
import { scoreVerdicts, tallyVerdict, type VerdictTally } from './metrics/verdicts.ts';
import type { Firings, Level, Run } from './run.ts';

/** The scores of one system at one level; null if the corpus has no such runs. */
export interface Measured {
  spans: Record<keyof ReturnType<typeof scoreSpans>, Estimate> | null;
  verdicts: Record<keyof ReturnType<typeof scoreVerdicts>, Estimate> | null;
  quiet: Record<keyof ReturnType<typeof scoreQuiet>, Estimate> | null;
}

/**
 * The tallies of runs by kind, in the order of the runs: equal indices are the same run in every
 * system.
 */
export interface Tallies {
  spans: SpanTally[];
  verdicts: VerdictTally[];
  quiet: QuietTally[];
}

/** The tallies of those runs that are `chosen`. */
export function tallies(
  runs: readonly Run[],
  firings: Firings,
  level: Level,
  chosen: (run: Run) => boolean = () => true,
): Tallies {
  const all: Tallies = { spans: [], verdicts: [], quiet: [] };
  for (const [i, run] of runs.entries()) {
    if (!chosen(run)) continue;
    const counted = atLevel(firings[i]!, level);
    const alarming = counted.filter(isAlarm);
    if (run.truth.kind === 'spans') all.spans.push(tallySpans(run, run.truth, alarming));
    else if (run.truth.kind === 'verdict') all.verdicts.push(tallyVerdict(run.truth, alarming));
    else all.quiet.push(tallyQuiet(run, counted));
  }
  return all;
}

/** Scores with intervals. */
export function measure({ spans, verdicts, quiet }: Tallies, resamples: number): Measured {
  return {
    spans:
      spans.length === 0
        ? null
        : estimates(spans, drawn(spans, resamples), (some) => scoreSpans(total(some))),
    verdicts:
      verdicts.length === 0
        ? null
        : estimates(verdicts, drawn(verdicts, resamples), (some) => scoreVerdicts(total(some))),
    quiet:
      quiet.length === 0
        ? null
        : estimates(quiet, drawn(quiet, resamples), (some) => scoreQuiet(total(some))),
  };
}

/**
 * How much better one system is than another on the same runs: differences of the headline scores.
 */
export interface Compared {
  spans: Estimate | null;
  verdicts: Estimate | null;
  quiet: Estimate | null;
}

/**
 * Compares pair by pair: each resample draws the same runs for both. F1, and alarms per 1,000 steps
 * of unlabelled runs.
 */
export function compare(ours: Tallies, theirs: Tallies, resamples: number): Compared {
  return {
    spans: difference(ours.spans, theirs.spans, resamples, (some) => scoreSpans(total(some)).f1),
    verdicts: difference(
      ours.verdicts,
      theirs.verdicts,
      resamples,
      (some) => scoreVerdicts(total(some)).f1,
    ),
    quiet: difference(
      ours.quiet,
      theirs.quiet,
      resamples,
      (some) => scoreQuiet(total(some)).alarmsPerThousand,
    ),
  };
}

function difference<T>(
  ours: readonly T[],
  theirs: readonly T[],
  resamples: number,
  score: (some: readonly T[]) => number | null,
): Estimate | null {
  if (ours.length === 0) return null;
  const pairs = ours.map((each, i) => ({ ours: each, theirs: theirs[i]! }));
  return estimate(pairs, drawn(pairs, resamples), (some) => {
    const [a, b] = [score(some.map((pair) => pair.ours)), score(some.map((pair) => pair.theirs))];
    return a === null || b === null ? null : a - b;
  });
}

const known = new Map<string, Draws>();

/** All systems are measured on the same draws, which depend on the numbers alone. */
function drawn({ length }: readonly unknown[], resamples: number): Draws {
  const name = `${length} ${resamples}`;
  const draws = known.get(name) ?? draw(length, resamples);
  known.set(name, draws);
  return draws;
}
