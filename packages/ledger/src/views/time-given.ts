const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** The accepted forms of a time. */
export const TIMES = '30m, 24h, 7d, 2w or a date such as 2026-11-01';

/** Milliseconds of `30m`, `1h`, `7d`, `2w`; undefined for other texts. */
export function timeSpan(given: string): number | undefined {
  const span = /^(\d+)([mhdw])$/.exec(given);
  return span ? Number(span[1]) * UNITS[span[2]!]! : undefined;
}

/**
 * Epoch milliseconds of `7d`, `24h`, `30m`, `2w` ago, or of a date with or without a time;
 * undefined for other texts.
 */
export function timeGiven(given: string, now: number): number | undefined {
  const ago = timeSpan(given);
  if (ago !== undefined) return now - ago;
  const time = isDate(given) ? Date.parse(given.replace(' ', 'T')) : Number.NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** Whether the text is a valid date; JavaScript would read February 30 as a day in March. */
function isDate(given: string): boolean {
  const day = given.slice(0, 10);
  const time = DATE.test(given) ? Date.parse(day) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day);
}
