import type { Moment } from './importer.ts';

/** What counts of tokens come to: the input without what was read from a cache, and the output. Nothing when no count is known. */
export function tokenCost(input: unknown, cached: unknown, ...output: unknown[]): Moment['cost'] {
  const counts = [input, ...output].filter((count) => typeof count === 'number');
  if (counts.length === 0) return undefined;
  const read = typeof cached === 'number' ? Math.min(cached, Number(input ?? 0)) : 0;
  return { tokens: counts.reduce((sum, count) => sum + count, -read) };
}
