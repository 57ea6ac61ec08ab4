/** The year 10000. Later times are not epoch milliseconds but a smaller unit. */
const NO_YEAR = 253_402_300_800_000;

/** Whether a calendar has it. An entry of a ledger can carry any number as its time. */
export const isKnownTime = (at: number): boolean => Number.isFinite(at) && at >= 0 && at < NO_YEAR;
