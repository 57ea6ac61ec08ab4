import { isObject, objectOf } from '@unrut/engine/json';
import type { ImportMoment } from '@unrut/reading/importer';

/** Computes the increase since the last report, since OpenHands reports totals. */
export type Meter = (metrics: unknown) => ImportMoment['cost'];

/** All tokens except those read from a cache. */
export function createMeter(): Meter {
  let tokens = 0;
  let usd = 0;
  return (metrics) => {
    if (!isObject(metrics)) return undefined;
    const usage = objectOf(metrics.accumulated_token_usage);
    const newTokens =
      numberOf(usage.prompt_tokens) -
      numberOf(usage.cache_read_tokens) +
      numberOf(usage.completion_tokens) -
      tokens;
    const newUsd = numberOf(metrics.accumulated_cost) - usd;
    tokens += Math.max(0, newTokens);
    usd += Math.max(0, newUsd);
    const cost = {
      ...(newTokens > 0 ? { tokens: newTokens } : {}),
      ...(newUsd > 0 ? { usd: newUsd } : {}),
    };
    return Object.keys(cost).length > 0 ? cost : undefined;
  };
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;
