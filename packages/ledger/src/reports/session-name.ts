/** Min number of characters of a session's name to show. */
const SHORTEST_NAME = 8;
/**
 * The displayed name of a session without knowing the others, for notices and logs: the first 48
 * bits of a random UUID, which are unique in practice. Other names are shown in full, since names
 * of runs and proxies, and time-based UUIDs, share prefixes.
 */
export const nameAlone = (session: string): string =>
  RANDOM_UUID.test(session) ? session.slice(0, RANDOM_BITS) : session;

const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const RANDOM_BITS = 'xxxxxxxx-xxxx'.length;

/** Letters of a name that people gave. */
const MAX_NAME_LENGTH = 40;

/** The shortest prefix of a session's name that neither its predecessor nor its successor has. */
export function shortName(
  session: string,
  before: string | null = null,
  after: string | null = null,
): string {
  const common = Math.max(commonStart(session, before ?? ''), commonStart(session, after ?? ''));
  return session.slice(0, Math.max(SHORTEST_NAME, common + 1));
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** Generated ids are shortened; names that people chose are shown in full. */
export const shownName = (session: string, short = session): string =>
  /^[0-9a-f]{8}/i.test(session) ? short : session.slice(0, Math.max(short.length, MAX_NAME_LENGTH));
