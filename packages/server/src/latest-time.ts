const CLOCKS_DIFFER = 24 * 3_600_000;

/**
 * The time up to which things can have happened, by the server's clock: those of others may be
 * ahead. Epoch milliseconds.
 */
export const latestTime = (now: number): number => now + CLOCKS_DIFFER;
