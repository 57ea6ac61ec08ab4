import { setTimeout as wait } from 'node:timers/promises';

/** Waits, unless it is called off. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, signal && { signal }).catch(() => {});
