const CLOCKS_DIFFER = 24 * 3_600_000;

/**
 * The latest plausible event time by the server's clock, since other clocks may be ahead. Epoch
 * milliseconds.
 */
export const latestTime = (now: number): number => now + CLOCKS_DIFFER;

/** 1973-03-03 in milliseconds. Read as seconds, it would be more than 3,000 years away. */
const EARLIEST = 1e11;
/** 2001-09-09 in seconds. Smaller numbers are times of tests and demos. */
const SECONDS_FROM = 1e9;

/** Whether a time that should be in milliseconds is in seconds. */
export const isInSeconds = (at: number): boolean => at >= SECONDS_FROM && at < EARLIEST;

/** The expected unit, as part of an error message. */
export const NOT_SECONDS = 'epoch milliseconds, not seconds (multiply by 1000)';

/**
 * Whether a telemetry time in milliseconds is plausible; smaller ones come from exporters with a
 * wrong unit.
 */
export const isTelemetryTime = (at: number): boolean => at >= EARLIEST;
