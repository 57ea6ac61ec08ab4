/** As many characters of a session's name are shown at least. */
const SHORTEST_NAME = 8;
/**
 * What a session is called where the others are not known, in a notice or a log line: of a random
 * UUID the first 48 bits, which no other session shares. Any other name is given whole: names of runs
 * and of proxies begin alike, and so do UUIDs that begin with the time.
 */
export const nameAlone = (session: string): string =>
  RANDOM_UUID.test(session) ? session.slice(0, RANDOM_BITS) : session;

const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const RANDOM_BITS = 'xxxxxxxx-xxxx'.length;

/** Letters of a name that people gave. */
const MAX_NAME_LENGTH = 40;

/**
 * What a session can be called: as much of its name as neither the one before it nor the one after
 * it begins with.
 */
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

/** Of an id its beginning is enough; what somebody called a session is read to its end. */
export const shownName = (session: string, short = session): string =>
  /^[0-9a-f]{8}/i.test(session) ? short : session.slice(0, Math.max(short.length, MAX_NAME_LENGTH));
