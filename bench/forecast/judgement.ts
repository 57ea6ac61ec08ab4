import { share } from '../quality/metrics/tally.ts';

/** A forecast and what was so. */
export interface Judged {
  likely: number;
  so: boolean;
}

/** How often what was so got a higher forecast than what was not: 0.5 is chance, 1 is perfect. */
export function rankedRightly(judged: readonly Judged[]): number | null {
  const sorted = judged.toSorted((a, b) => a.likely - b.likely);
  let [below, rightly, yes] = [0, 0, 0];
  for (let i = 0; i < sorted.length; ) {
    const equal = sorted.slice(i).findIndex(({ likely }) => likely !== sorted[i]!.likely);
    const those = sorted.slice(i, equal < 0 ? undefined : i + equal);
    const so = those.filter((each) => each.so).length;
    rightly += so * (below + (those.length - so) / 2);
    yes += so;
    below += those.length - so;
    i += those.length;
  }
  return share(rightly, yes * below);
}

/** Steps with about the same forecast, and how many of them were so: equal shares mean that the forecast can be believed. */
export interface Bin {
  from: number;
  steps: number;
  forecast: number;
  so: number;
}

/** Ten bins, those without a step left out. */
export function calibration(judged: readonly Judged[]): Bin[] {
  const binOf = ({ likely }: Judged): number => Math.min(9, Math.floor(likely * 10));
  return [...Map.groupBy(judged, binOf)]
    .sort(([a], [b]) => a - b)
    .map(([bin, those]) => ({
      from: bin / 10,
      steps: those.length,
      forecast: those.reduce((sum, { likely }) => sum + likely, 0) / those.length,
      so: those.filter(({ so }) => so).length / those.length,
    }));
}
