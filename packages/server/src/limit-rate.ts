import type { Context, MiddlewareHandler } from 'hono';
import { createBuckets } from './buckets.ts';
import { problem } from './problem.ts';

/** How much an address may ask for. */
export interface RateLimit {
  /**
   * What an address may spend in a second, and save up for two. A request that reports costs 1, any
   * other 100. Default: 20,000.
   */
  rate?: number;
  /**
   * Whether a request carries the token. Those that do not have a budget of their own: behind a
   * proxy all have one address. Default: all do.
   */
  isKnown?: (context: Context) => boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** Looking costs more than reporting, and guessing a token most. */
const COST_OF_LOOKING = 100;
const COST_OF_GUESSING = 400;

/** Refuses requests of an address that asks for more than its share. */
export function limitRate({
  rate = 20_000,
  isKnown = () => true,
  now = () => performance.now(),
}: RateLimit = {}): MiddlewareHandler {
  const bucketOf = createBuckets(now, () => ({}));

  return async (context, next) => {
    const { incoming } = (context.env ?? {}) as {
      incoming?: { socket?: { remoteAddress?: string } };
    };
    const bucket = bucketOf(
      `${isKnown(context) ? 'known' : 'stranger'} ${incoming?.socket?.remoteAddress ?? ''}`,
      rate,
    );
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
