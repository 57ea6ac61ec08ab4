import { objectOf, valueIn } from '@unrut/engine/json';
import type { ImportMoment } from './importer.ts';

type Cost = ImportMoment['cost'];

/**
 * What a response of a model cost: all tokens but those read from a cache, and the price. `input`
 * counts what was read from a cache too;
 * what is counted beside it belongs to `output`. Undefined when nothing is known.
 */
export function spent({
  input,
  cached,
  output,
  usd,
}: {
  input?: unknown;
  cached?: unknown;
  output?: unknown;
  usd?: unknown;
}): Cost {
  const asked = amount(input);
  const read = amount(cached) ?? 0;
  const counts = [asked, ...[output].flat().map(amount)].filter((count) => count !== undefined);
  const price = amount(usd);
  if (counts.length === 0 && price === undefined) return undefined;
  // Some do not count it into the input; then it may be the greater of the two.
  const tokens = counts.reduce((sum, count) => sum + count, read <= (asked ?? 0) ? -read : 0);
  return {
    ...(counts.length === 0 ? {} : { tokens }),
    ...(price === undefined ? {} : { usd: price }),
  };
}

/** The same by the names that a source gives to its counts; a dot leads into an object. */
export function spentIn(
  usage: unknown,
  {
    input = '',
    cached = '',
    output = [],
    usd = '',
  }: { input?: string; cached?: string; output?: string | readonly string[]; usd?: string },
): Cost {
  const count = (name: string): unknown => valueIn(usage, name);
  return spent({
    input: count(input),
    cached: count(cached),
    output: [output].flat().map(count),
    usd: count(usd),
  });
}

/** The counts of Google's models. */
export const GEMINI_COUNTS = {
  input: 'promptTokenCount',
  cached: 'cachedContentTokenCount',
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
};

/**
 * What a response cost by its `usage`, as the APIs of OpenAI and Anthropic and those who speak like
 * them write it.
 */
export function responseCost(usage: unknown): Cost {
  const {
    prompt_tokens: asked,
    input_tokens,
    cache_creation_input_tokens: written,
    ...rest
  } = objectOf(usage);
  const { cached_tokens: cached } = objectOf(
    rest.prompt_tokens_details ?? rest.input_tokens_details,
  );
  // Anthropic counts what it reads from and writes to the cache apart from the input; the others
  // count it in.
  const output = [
    rest.completion_tokens ?? rest.output_tokens,
    asked === undefined ? written : undefined,
  ];
  return spent({ input: asked ?? input_tokens, cached, output, usd: rest.cost });
}

/** A number, or one written as text. */
export function amount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

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
