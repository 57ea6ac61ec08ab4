import { draw, type Estimate, estimate } from './bootstrap.ts';
import { type SpanTally, scoreSpans } from './metrics/spans.ts';
import { total } from './metrics/tally.ts';

/** The tallies of one system, run by run. */
export interface Candidate {
  name: string;
  tallies: readonly SpanTally[];
}

/** The scores with one source left out. */
export interface Left {
  source: string;
  /** F1 of ours on all other sources. */
  ours: number;
  /** The baseline that is best on all other sources, and its F1 there. */
  best: string;
  theirs: number;
}

/**
 * The only thing that this bench fits is which baseline is the best one. Chosen on the other
 * sources, it is measured on the one left out.
 */
export interface LeaveOneOut {
  left: Left[];
  /**
   * F1 of ours minus that of the baselines so chosen, each on the source that it was not chosen on.
   */
  ahead: Estimate;
}

const f1 = (tallies: readonly SpanTally[]): number =>
  tallies.length === 0 ? 0 : (scoreSpans(total(tallies)).f1 ?? 0);

/** Leaves out one source after the other; null with fewer than two sources or no baseline. */
export function leaveOneOut(
  ours: Candidate,
  baselines: readonly Candidate[],
  sources: readonly string[],
  resamples: number,
): LeaveOneOut | null {
  const names = [...new Set(sources)].sort();
  if (names.length < 2 || baselines.length === 0) return null;
  const left = names.map((source): Left & { theirTallies: readonly SpanTally[] } => {
    const rest = ({ tallies }: Candidate): number =>
      f1(tallies.filter((_, i) => sources[i] !== source));
    const best = baselines.reduce((a, b) => (rest(b) > rest(a) ? b : a));
    return {
      source,
      ours: rest(ours),
      best: best.name,
      theirs: rest(best),
      theirTallies: best.tallies,
    };
  });
  const chosen = new Map(left.map(({ source, theirTallies }) => [source, theirTallies]));
  const pairs = sources.map((source, i) => ({
    ours: ours.tallies[i]!,
    theirs: chosen.get(source)![i]!,
  }));
  return {
    left: left.map(({ theirTallies, ...each }) => each),
    ahead: estimate(
      pairs,
      draw(pairs.length, resamples),
      (some) => f1(some.map((pair) => pair.ours)) - f1(some.map((pair) => pair.theirs)),
    ),
  };
}
