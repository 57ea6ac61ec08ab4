import { csvOf } from '../report/csv.ts';
import type { GroupFigures, InsightsReport } from './insights.ts';

const FIGURES: { [column: string]: (figures: GroupFigures) => number } = {
  sessions: ({ sessions }) => sessions,
  people: ({ people }) => people,
  looped: ({ looped }) => looped,
  share: ({ share }) => share.value,
  share_low: ({ share }) => share.low,
  share_high: ({ share }) => share.high,
  wasted_steps: ({ wasted }) => wasted.steps,
  wasted_tokens: ({ wasted }) => wasted.tokens,
  wasted_usd: ({ wasted }) => wasted.usd,
};

/**
 * One line for all sessions and one for each group. With a comparison, each line has both sides.
 */
export function insightsCsv({ by, all, groups, comparison }: InsightsReport): string {
  const lines = [{ value: 'all', ...all, comparison }, ...groups];
  const sides = comparison ? (['a', 'b'] as const) : [];
  return csvOf(
    [
      by,
      ...Object.keys(FIGURES),
      ...sides.flatMap((side) => Object.keys(FIGURES).map((name) => `${side}_${name}`)),
      ...(comparison ? ['difference', 'difference_low', 'difference_high', 'verdict'] : []),
    ],
    lines.map(({ value, comparison: compared, ...figures }) => [
      value,
      ...Object.values(FIGURES).map((of) => of(figures)),
      ...sides.flatMap((side) =>
        Object.values(FIGURES).map((of) => compared && of(compared[side])),
      ),
      ...(comparison
        ? [
            ...[compared?.difference?.value, compared?.difference?.low],
            ...[compared?.difference?.high, compared?.difference?.verdict],
          ]
        : []),
    ]),
  );
}
