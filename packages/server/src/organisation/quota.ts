import type { Quota } from '@unrut/ledger/organisation';
import { createBuckets, SAVED } from '../buckets.ts';

/** Enforces ingestion limits. */
export interface Quotas {
  /**
   * Takes this many events from all buckets, or from none. Returns the exhausted quota, and the
   * seconds after which to retry.
   */
  take(owners: readonly QuotaOwner[], events: number, bytes: number): OverQuota | undefined;
  /**
   * Charges events counted after parsing a request: senders of too many wait longer the next time.
   */
  charge(owners: readonly QuotaOwner[], events: number): void;
}

export interface OverQuota {
  of: 'events' | 'bytes';
  wait: number;
}

/** The owner of a quota: an organisation, a project, or a key. */
export interface QuotaOwner {
  name: string;
  quota: Quota | undefined;
}

const DAY = 86_400_000;
/** Seconds to retry after a daily quota is used up; it may have been raised. */
const LATER = 300;

/** Divides each quota equally among the servers seen within the last minute. */
export function createQuotas(servers: () => number, now: () => number = Date.now): Quotas {
  const today = (): number => Math.floor(now() / DAY);
  const budgetOf = createBuckets(now, () => ({ day: today(), bytes: 0 }));

  function bucketOf(name: string, rate: number): ReturnType<typeof budgetOf> {
    const bucket = budgetOf(name, rate);
    if (bucket.day !== today()) Object.assign(bucket, { day: today(), bytes: 0 });
    return bucket;
  }

  return {
    charge(owners, events) {
      for (const { name, quota } of owners)
        if (quota)
          bucketOf(
            name,
            (quota.events ?? Number.POSITIVE_INFINITY) / Math.max(1, servers()),
          ).left -= events;
    },
    take(owners, events, bytes) {
      const share = Math.max(1, servers());
      const limited = owners.flatMap(({ name, quota }) => {
        if (!quota) return [];
        const rate = (quota.events ?? Number.POSITIVE_INFINITY) / share;
        return [{ quota, rate, bucket: bucketOf(name, rate) }];
      });
      let over: OverQuota | undefined;
      for (const { quota, rate, bucket } of limited) {
        // A request larger than the maximum budget is accepted if the bucket is full.
        const needed = Math.min(events, rate * SAVED);
        const wait = Math.ceil((needed - bucket.left) / rate);
        if (bucket.left < needed) over = { of: 'events', wait: Math.max(over?.wait ?? 1, wait) };
        if (bucket.bytes + bytes > (quota.bytes ?? Number.POSITIVE_INFINITY) / share)
          return { of: 'bytes', wait: LATER };
      }
      if (over) return over;
      for (const { bucket } of limited) {
        bucket.left -= events;
        bucket.bytes += bytes;
      }
      return undefined;
    },
  };
}
