/** Dollars per million tokens. */
export interface ModelPrice {
  input?: number;
  output?: number;
  /** Input read from a cache. Default: `input`. */
  cached?: number;
  /** Input written to a cache. Default: `input`. */
  written?: number;
}

/** Prices by the names of models, or by their beginnings. The user names them; none is built in. */
export type Prices = Readonly<Record<string, ModelPrice>>;

/** Tokens of one response, each counted once. */
export interface TokenCounts {
  /** Without cached tokens. */
  input: number;
  cached: number;
  written: number;
  output: number;
}

/** The price of the model with the longest matching name; undefined if the user named none. */
export function modelPrice(
  prices: Prices | undefined,
  model: string | undefined,
): ModelPrice | undefined {
  if (!prices || !model) return undefined;
  const name = Object.keys(prices)
    .filter((each) => model === each || model.startsWith(each))
    .sort((one, other) => other.length - one.length)[0];
  return name === undefined ? undefined : prices[name];
}

const MILLION = 1_000_000;

/** Dollars; undefined if the price lacks a counted kind of token. */
export function pricedAt(
  { input, output, cached = input, written = input }: ModelPrice,
  counts: TokenCounts,
): number | undefined {
  const parts: [number, number | undefined][] = [
    [counts.input, input],
    [counts.cached, cached],
    [counts.written, written],
    [counts.output, output],
  ];
  let usd = 0;
  for (const [tokens, price] of parts) {
    if (tokens === 0) continue;
    if (price === undefined) return undefined;
    usd += (tokens * price) / MILLION;
  }
  return usd;
}
