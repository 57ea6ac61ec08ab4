import type { Verdict } from '@unrut/engine/guard';
import { shellWord } from '@unrut/engine/text/shell-word';
import { SHORTEST_NAME } from './reports/session-name.ts';

/** Names of which the beginning is unique: random from their first letter on. */
const RANDOM = /^[\da-f]{8}-[\da-f]{4}-[1-5]?[\da-f]{3}-/i;
/** A version 7 id begins with the time. */
const BY_TIME = /^[\da-f]{8}-[\da-f]{4}-7/i;

/** The command that tells a person more. The name in it stays unique when sessions are added. */
export const moreAbout = (session: string): string =>
  `unrut show ${shellWord(RANDOM.test(session) && !BY_TIME.test(session) ? session.slice(0, SHORTEST_NAME) : session)}`;

/** Where a person is asked, or reads why a run has ended, with the command that tells more. */
export function withMoreAbout(verdict: Verdict, session: string): Verdict {
  const { plan } = verdict;
  if (plan?.rung !== 'escalate' && plan?.rung !== 'stop') return verdict;
  return { ...verdict, plan: { ...plan, toHuman: `${plan.toHuman} (${moreAbout(session)})` } };
}
