import type { Verdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { shellWord } from '@unrut/engine/text/shell-word';
import { nameAlone } from './reports/session-name.ts';

/** The command that tells a person more. */
export const moreAbout = (session: string): string => `unrut show ${shellWord(nameAlone(session))}`;

/** Where a person is asked, or a run has ended, with the command that tells an operator more. */
export function withMoreAbout(verdict: Verdict, session: string): Verdict {
  const { plan } = verdict;
  if (plan?.rung !== 'escalate' && plan?.rung !== 'stop') return verdict;
  return { ...verdict, plan: { ...plan, more: moreAbout(session) } };
}

/** The words of a plan for the person who operates the agent, with the command that tells more. */
export const toOperator = ({ toHuman, more }: Pick<Plan, 'toHuman' | 'more'>): string =>
  more === undefined ? toHuman : `${toHuman} (${more})`;
