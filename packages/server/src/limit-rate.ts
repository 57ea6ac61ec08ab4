import type { Context, MiddlewareHandler } from 'hono';
import { createBuckets } from './buckets.ts';
import { problem } from './problem.ts';

/** How much an address may ask for. */
export interface RateLimit {
  /**
   * The budget of an address per second; up to two seconds can be saved. A reporting request costs
   * 1, any other 100. Default: 20,000.
   */
  rate?: number;
  /**
   * Whether a request carries the token. Other requests have a separate budget, since all requests
   * behind a proxy share one address. Default: all do.
   */
  isKnown?: (context: Context) => boolean;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** Reading costs more than reporting, and a wrong token costs most. */
const COST_OF_LOOKING = 100;
const COST_OF_GUESSING = 400;

/** Rejects requests of an address that has used up its budget. */
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
