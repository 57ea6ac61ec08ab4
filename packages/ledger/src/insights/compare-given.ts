import { TIMES, timeGiven } from '../views/time-given.ts';
import type { Between, Compared, InsightsQuery } from './insights.ts';

/** The two sides of a comparison, as the user entered them. */
export interface CompareGiven {
  by: Compared | 'period';
  a?: string | undefined;
  b?: string | undefined;
}

/** The accepted forms of a period. */
export const PERIOD_FORM = `FROM..TO with ${TIMES}; TO may be left out`;

/**
 * The comparison, or the reason why it is invalid. Two periods default to the requested time and
 * the equally long time before it.
 */
export function compareGiven(
  { by, a, b }: CompareGiven,
  { since, until }: Between,
  now: number,
): InsightsQuery['compare'] | string {
  if (by !== 'period') {
    if (a === undefined || b === undefined) return `two values of ${by} to compare, as a and b`;
    return { by, a, b };
  }
  const length = (until ?? now) - since;
  const sides = [
    a === undefined ? { since: since - length, until: since } : periodGiven(a, now),
    b === undefined ? { since, until } : periodGiven(b, now),
  ];
  const [one, other] = sides;
  return one && other ? { by, a: one, b: other } : PERIOD_FORM;
}

/** A period such as `2026-11-01..2026-11-08` or `14d..7d`. */
export function periodGiven(given: string, now: number): Between | undefined {
  const [from = '', to = '', ...more] = given.split('..');
  const since = timeGiven(from, now);
  const until = to === '' ? undefined : timeGiven(to, now);
  if (since === undefined || more.length > 0 || !given.includes('..')) return undefined;
  if (to !== '' && (until === undefined || until <= since)) return undefined;
  return { since, until };
}
