import { readTime } from '../../hosts/reading/moment.ts';

/** Epoch milliseconds of a time, of which text without a zone is in UTC. */
export function utcTime(given: unknown): number | undefined {
  const isBare = typeof given === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d[\d:.,]*$/.test(given);
  return readTime(isBare ? `${given.replace(' ', 'T')}Z` : given);
}
