import type { Verdict } from '@unrut/engine/guard';
import type { Plan } from '@unrut/engine/policy/plan';
import { shellWord } from '@unrut/engine/text/shell-word';
import { nameAlone } from './reports/session-name.ts';

/** The command that shows a person more. */
export const moreAbout = (session: string): string => `unrut show ${shellWord(nameAlone(session))}`;

/** Adds the command for details to plans that ask the user or end a run. */
export function withMoreAbout(verdict: Verdict, session: string): Verdict {
  const { plan } = verdict;
  if (plan?.rung !== 'escalate' && plan?.rung !== 'stop') return verdict;
  return { ...verdict, plan: { ...plan, more: moreAbout(session) } };
}

/** The text of a plan for the operator of the agent, with the command for details. */
export const toOperator = ({ toHuman, more }: Pick<Plan, 'toHuman' | 'more'>): string =>
  more === undefined ? toHuman : `${toHuman} (${more})`;
