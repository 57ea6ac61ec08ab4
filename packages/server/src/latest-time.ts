const CLOCKS_DIFFER = 24 * 3_600_000;

/**
 * The time up to which things can have happened, by the server's clock: those of others may be
 * ahead. Epoch milliseconds.
 */
export const latestTime = (now: number): number => now + CLOCKS_DIFFER;

/** Milliseconds of 1973-03-03: in seconds, it is more than 3,000 years away. */
const EARLIEST = 1e11;
/** Seconds of 2001-09-09. Smaller numbers are times of tests and demonstrations. */
const SECONDS_FROM = 1e9;

/** Whether a time is in seconds where milliseconds are expected. */
export const isInSeconds = (at: number): boolean => at >= SECONDS_FROM && at < EARLIEST;

/** What is expected of such a time, as part of a sentence. */
export const NOT_SECONDS = 'epoch milliseconds, not seconds (multiply by 1000)';

/** Whether the time of telemetry, in milliseconds, can be right: exporters know no other unit. */
export const isTelemetryTime = (at: number): boolean => at >= EARLIEST;
