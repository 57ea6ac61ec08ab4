import { objectOf, present, valueIn } from '@unrut/engine/json';
import type { ImportMoment } from './importer.ts';
import { type ModelPrice, pricedAt } from './prices.ts';

type Cost = ImportMoment['cost'];

/** The figures that a source reports about one response. */
interface Reported {
  /** Includes tokens that were read from a cache. */
  input?: unknown;
  cached?: unknown;
  /** Read from a cache, and not counted in `input`. */
  cachedApart?: unknown;
  /** Written to a cache, and not counted in `input`. */
  written?: unknown;
  output?: unknown;
  usd?: unknown;
}

/**
 * The cost of a model's response: all tokens except those read from a cache, and the dollars that
 * the source reports or that the user's price table gives. Undefined if nothing is known.
 */
export function spent(
  { input, cached, cachedApart, written, output, usd }: Reported,
  price?: ModelPrice,
): Cost {
  const asked = amount(input);
  const read = amount(cached) ?? 0;
  const stored = amount(written);
  const answers = [output].flat().map(amount);
  const counts = [asked, stored, ...answers].filter((count) => count !== undefined);
  // Some do not count it into the input; then it may be the greater of the two.
  const within = read <= (asked ?? 0) ? read : 0;
  const dollars =
    amount(usd) ??
    (price && counts.length > 0
      ? pricedAt(price, {
          input: (asked ?? 0) - within,
          cached: read + (amount(cachedApart) ?? 0),
          written: stored ?? 0,
          output: answers.reduce<number>((sum, count) => sum + (count ?? 0), 0),
        })
      : undefined);
  if (counts.length === 0 && dollars === undefined) return undefined;
  const tokens = counts.reduce((sum, count) => sum + count, -within);
  return {
    ...(counts.length === 0 ? {} : { tokens }),
    ...present({ usd: dollars }),
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
  price?: ModelPrice,
): Cost {
  const count = (name: string): unknown => valueIn(usage, name);
  return spent(
    {
      input: count(input),
      cached: count(cached),
      output: [output].flat().map(count),
      usd: count(usd),
    },
    price,
  );
}

/** The counts of Google's models. */
export const GEMINI_COUNTS = {
  input: 'promptTokenCount',
  cached: 'cachedContentTokenCount',
  output: ['candidatesTokenCount', 'thoughtsTokenCount'],
};

/**
 * The cost of a response by its `usage`, as the APIs of OpenAI and Anthropic and compatible ones
 * write it.
 */
export function responseCost(usage: unknown, price?: ModelPrice): Cost {
  const {
    prompt_tokens: asked,
    input_tokens,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cachedApart,
    ...rest
  } = objectOf(usage);
  const { cached_tokens: cached } = objectOf(
    rest.prompt_tokens_details ?? rest.input_tokens_details,
  );
  // Anthropic counts cached tokens separately from the input; the others include them.
  return spent(
    {
      input: asked ?? input_tokens,
      cached,
      ...(asked === undefined ? { written, cachedApart } : {}),
      output: rest.completion_tokens ?? rest.output_tokens,
      usd: rest.cost,
    },
    price,
  );
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
