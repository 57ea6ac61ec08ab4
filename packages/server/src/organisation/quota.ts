import type { Quota } from '@unrut/ledger/organisation';
import { createBuckets, SAVED } from '../buckets.ts';

/** Counts what comes against what may come. */
export interface Quotas {
  /**
   * Takes so many events from every bucket, or from none; tells of what there is not enough, and
   * the seconds after which to try again.
   */
  take(owners: readonly QuotaOwner[], events: number, bytes: number): OverQuota | undefined;
  /**
   * Counts events that turned out to be in a request: those who send too many at once wait longer
   * the next time.
   */
  charge(owners: readonly QuotaOwner[], events: number): void;
}

export interface OverQuota {
  of: 'events' | 'bytes';
  wait: number;
}

/** Whoever has a quota: an organisation, a project, a key. */
export interface QuotaOwner {
  name: string;
  quota: Quota | undefined;
}

const DAY = 86_400_000;
/** Beyond a day's quota, when to ask again: somebody may have raised it. */
const LATER = 300;

/**
 * Each server has its share of what may come in a second or a day: as much as the others that were
 * there within the last minute.
 */
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
        // A request larger than all that can be saved up is taken when nothing is missing.
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
