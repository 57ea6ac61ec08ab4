import { setTimeout as wait } from 'node:timers/promises';

/** Waits, unless the signal aborts. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, signal && { signal }).catch(() => {});
