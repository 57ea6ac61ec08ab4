import type { Sample } from './sample.ts';

/** How often the reader was right about failures. */
export interface Score {
  results: number;
  failures: number;
  /** Failures that the reader found, and results that it took for failures. */
  found: number;
  claimed: number;
  /** Null if there is nothing to divide by. */
  precision: number | null;
  recall: number | null;
  /** The same over distinct shapes, so that one noisy project does not carry the figure. */
  shapePrecision: number | null;
  shapeRecall: number | null;
  /** The share of results whose outcome the reader leaves open. */
  unknown: number;
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const shapes = (samples: readonly Sample[]): number =>
  new Set(samples.map(({ shape }) => shape)).size;

export function scoreOf(samples: readonly Sample[]): Score {
  const failures = samples.filter(({ truth }) => truth);
  const claimed = samples.filter(({ outcome }) => outcome.failed === 'yes');
  const found = claimed.filter(({ truth }) => truth);
  return {
    results: samples.length,
    failures: failures.length,
    found: found.length,
    claimed: claimed.length,
    precision: share(found.length, claimed.length),
    recall: share(found.length, failures.length),
    shapePrecision: share(shapes(found), shapes(claimed)),
    shapeRecall: share(shapes(found), shapes(failures)),
    unknown:
      share(samples.filter(({ outcome }) => outcome.failed === 'unknown').length, samples.length) ??
      0,
  };
}
