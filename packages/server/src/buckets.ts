import { keepIn } from '@unrut/engine/recent';

/** The remaining budget of an owner. */
interface Bucket {
  left: number;
  /** When that was. */
  at: number;
}

/** Seconds that can be saved up. */
export const SAVED = 2;
/** Max number of remembered budgets; the least recently used are dropped first. */
const MAX_BUCKETS = 10_000;

/** Token buckets by owner: each refills every second, up to the amount of two seconds. */
export function createBuckets<More extends object>(
  now: () => number,
  more: () => More,
): (owner: string, rate: number) => Bucket & More {
  const buckets = new Map<string, Bucket & More>();
  return (owner, rate) => {
    const at = now();
    const bucket = buckets.get(owner) ?? { left: rate * SAVED, at, ...more() };
    bucket.left = Math.min(rate * SAVED, bucket.left + (Math.max(0, at - bucket.at) / 1000) * rate);
    bucket.at = at;
    return keepIn(buckets, owner, bucket, MAX_BUCKETS);
  };
}
