import { isObject } from '../../json.ts';
import type { ImportMoment } from './importer.ts';

/** What a response cost by its `usage`, whichever API wrote it: all tokens but those read from a cache. */
export function responseCost(usage: unknown): ImportMoment['cost'] {
  if (!isObject(usage)) return undefined;
  const asked = count(usage.prompt_tokens);
  const input = asked ?? count(usage.input_tokens);
  const output = count(usage.completion_tokens) ?? count(usage.output_tokens);
  const usd = count(usage.cost);
  if (input === undefined && output === undefined && usd === undefined) return undefined;
  const details = usage.prompt_tokens_details ?? usage.input_tokens_details;
  const cached = isObject(details) ? count(details.cached_tokens) : undefined;
  // Anthropic counts what it reads from and writes to the cache apart from the input; the others count it in.
  const written = asked === undefined ? count(usage.cache_creation_input_tokens) : undefined;
  const tokens = Math.max(0, (input ?? 0) - (cached ?? 0)) + (written ?? 0) + (output ?? 0);
  return { ...(input === undefined && output === undefined ? {} : { tokens }), ...(usd === undefined ? {} : { usd }) };
}

const count = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;

/** The moments of one response's events: only the first of them carries what the response cost. */
export function costOnFirst(moment: ImportMoment): () => ImportMoment {
  const { cost, ...rest } = moment;
  let next = cost === undefined ? rest : moment;
  return () => {
    const now = next;
    next = rest;
    return now;
  };
}

/** What counts of tokens come to: the input without what was read from a cache, and the output. Nothing when no count is known. */
export function tokenCost(input: unknown, cached: unknown, ...output: unknown[]): ImportMoment['cost'] {
  const counts = [input, ...output].filter((count) => typeof count === 'number');
  if (counts.length === 0) return undefined;
  const read = typeof cached === 'number' ? Math.min(cached, Number(input ?? 0)) : 0;
  return { tokens: counts.reduce((sum, count) => sum + count, -read) };
}
