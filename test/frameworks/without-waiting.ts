import { vi } from 'vitest';

/**
 * Runs a case whose time passes as fast as it is waited for: a guard that never answers is given up
 * at once.
 */
export const withoutWaiting = (run: () => void | Promise<void>) => async (): Promise<void> => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync');
  try {
    await run();
  } finally {
    vi.useRealTimers();
  }
};
