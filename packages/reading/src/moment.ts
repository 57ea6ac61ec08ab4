/**
 * Epoch milliseconds of what sources write as a time: ISO text, or epoch seconds to nanoseconds as
 * number or digits.
 */
export function readTime(given: unknown): number | undefined {
  if (given instanceof Date) return readTime(given.getTime());
  // Nearly all are ISO texts, which have a hyphen there.
  if (typeof given === 'string' && (given[4] === '-' || !/^\d+(?:\.\d+)?$/.test(given))) {
    const time = Date.parse(given);
    return Number.isFinite(time) ? time : undefined;
  }
  let time = typeof given === 'string' ? Number(given) : given;
  if (typeof time !== 'number' || !Number.isFinite(time) || time <= 0) return undefined;
  // Milliseconds from 2001 to 5138 have 13 digits at most; a thousand times that is a finer unit.
  while (time >= 1e14) time /= 1000;
  return Math.floor(time < 1e11 ? time * 1000 : time);
}

/** Epoch milliseconds of a time; text without a zone is in UTC. */
export function utcTime(given: unknown): number | undefined {
  const isBare = typeof given === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.,]*$/.test(given);
  return readTime(isBare ? `${given.replace(' ', 'T')}Z` : given);
}
