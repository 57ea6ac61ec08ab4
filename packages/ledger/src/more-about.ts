import type { Verdict } from '@unrut/engine/guard';
import { shellWord } from '@unrut/engine/text/shell-word';
import { nameAlone } from './reports/session-name.ts';

/** The command that tells a person more. */
export const moreAbout = (session: string): string => `unrut show ${shellWord(nameAlone(session))}`;

/** Where a person is asked, or reads why a run has ended, with the command that tells more. */
export function withMoreAbout(verdict: Verdict, session: string): Verdict {
  const { plan } = verdict;
  if (plan?.rung !== 'escalate' && plan?.rung !== 'stop') return verdict;
  return { ...verdict, plan: { ...plan, toHuman: `${plan.toHuman} (${moreAbout(session)})` } };
}
