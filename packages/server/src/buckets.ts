import { keepIn } from '@unrut/engine/recent';

/** What somebody may still spend. */
interface Bucket {
  left: number;
  /** When that was. */
  at: number;
}

/** Seconds that can be saved up. */
export const SAVED = 2;
/** Budgets that are remembered, the least recently used out first. */
const MAX_BUCKETS = 10_000;

/** Budgets by owner, each with so much more every second, up to what is saved in two. */
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
