import { UnrutError } from '@unrut/engine/errors';
import { safeName } from '@unrut/engine/redact/safe-name';
import type { Reports } from '../reports/reports.ts';
import { shortName } from '../reports/session-name.ts';

const MAX_NAMED = 5;

/**
 * The session with that name, or the only one with that prefix. Throws an error that lists the
 * choices.
 */
export function findSession(sessions: readonly string[], given: string): string {
  for (const name of [given, safeName(given)]) if (sessions.includes(name)) return name;
  const found = given === '' ? [] : sessions.filter((session) => session.startsWith(given));
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    throw new UnrutError(
      'unknown-session',
      `There is no session ${given || 'without a name'} in the ledger. unrut show --list lists them.`,
    );
  const named = found.slice(0, MAX_NAMED).join(', ');
  throw new UnrutError(
    'unknown-session',
    `${found.length} sessions begin with ${given}: ${named}${found.length > MAX_NAMED ? ', …' : ''}. Give more of the name.`,
  );
}

/** The same, of all sessions of a ledger. */
export async function sessionNamed(reports: Pick<Reports, 'find'>, given: string): Promise<string> {
  const found =
    given === '' ? [] : [...(await reports.find(given)), ...(await reports.find(safeName(given)))];
  return findSession([...new Set(found)], given);
}

/** The displayed names of sessions, each unique among the others. */
export function shortNames(sessions: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...sessions].sort();
  return new Map(
    sorted.map((session, i) => [session, shortName(session, sorted[i - 1], sorted[i + 1])]),
  );
}
