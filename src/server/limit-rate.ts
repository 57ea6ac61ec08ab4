import type { Context, MiddlewareHandler } from 'hono';
import { problem } from './problem.ts';

/** How much an address may ask for. */
export interface RateLimit {
  /** What an address may spend in a second, and save up for two. A request that reports costs 1, any other 100. Default: 20,000. */
  rate?: number;
  /** Whether a request carries the token. Those that do not have a budget of their own: behind a proxy all have one address. Default: all do. */
  isKnown?: (context: Context) => boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** Looking costs more than reporting, and guessing a token most. */
const COST_OF_LOOKING = 100;
const COST_OF_GUESSING = 400;
/** Budgets that are remembered, the least recently used out first. */
const MAX_BUCKETS = 10_000;

/** Refuses requests of an address that asks for more than its share. */
export function limitRate({ rate = 20_000, isKnown = () => true, now = () => performance.now() }: RateLimit = {}): MiddlewareHandler {
  const most = 2 * rate;
  const buckets = new Map<string, { left: number; at: number }>();

  function bucketOf(owner: string): { left: number; at: number } {
    const at = now();
    const bucket = buckets.get(owner) ?? { left: most, at };
    bucket.left = Math.min(most, bucket.left + ((at - bucket.at) / 1000) * rate);
    bucket.at = at;
    buckets.delete(owner);
    buckets.set(owner, bucket);
    if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value!);
    return bucket;
  }

  return async (context, next) => {
    const { incoming } = (context.env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } };
    const bucket = bucketOf(`${isKnown(context) ? 'known' : 'stranger'} ${incoming?.socket?.remoteAddress ?? ''}`);
    const cost = context.req.method === 'POST' ? 1 : COST_OF_LOOKING;
    if (bucket.left < cost) {
      const seconds = Math.max(1, Math.ceil((cost - bucket.left) / rate));
      context.header('retry-after', String(seconds));
      return problem(
        context,
        429,
        'too-many',
        `Too many requests: at most ${rate} ingest requests per second, or ${Math.floor(rate / COST_OF_LOOKING)} others. Retry in ${seconds} s.`,
      );
    }
    bucket.left -= cost;
    await next();
    if (context.res.status === 401) bucket.left -= COST_OF_GUESSING;
    return undefined;
  };
}
