import type { AgentEvent } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { briefText, OPENING } from './brief-text.ts';
import { type Budget, budgetLeft } from './budget.ts';
import type { BriefState } from './deeds.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';

/** The reason of a brief's plan. It has no outcome and teaches nothing. */
export const BRIEF = 'amnesia/brief';
const MOVES = / Try next: .*$/s;
const LAPS = 'amnesia/laps';

/**
 * The plan with the brief that is due, or the brief alone; at the moment at which the host can tell
 * the agent after a compaction, otherwise with the first look that is repeated.
 */
export function withBrief(
  state: BriefState,
  policy: { budget: Budget; next: number },
  event: AgentEvent,
  { relook }: Fingerprint,
  { can }: Pick<LadderConfig, 'can'>,
  given: Plan | null,
): Plan | null {
  const planned = given?.reason === LAPS ? forHuman(given, briefText(state)) : given;
  const isMoment = (event.type === 'context-compacted' && event.again === true) || relook;
  if (!state.due || !isMoment || !can.has('hint')) return planned;
  // Another message is due now; the brief comes with the next repeated look.
  if (planned && planned.reason !== LAPS) return planned;
  const brief = briefText(state);
  delete state.due;
  if (brief === '') return planned;
  // In place of the moves: what is known is a better start than advice.
  if (planned) return { ...planned, toModel: `${planned.toModel.replace(MOVES, '')} ${brief}` };
  return {
    id: `p${policy.next++}`,
    recovery: 'brief',
    rung: 'hint',
    reason: BRIEF,
    toModel: `${OPENING} ${brief}`,
    toHuman:
      'Unrut reminded the agent of what it had done before its context was compacted, because it had looked at the same again.',
    action: { brief },
    budgetLeft: budgetLeft(policy.budget),
    streak: '',
  };
}

/** A human who is asked gets the brief, too, for a new session. */
function forHuman(plan: Plan, brief: string): Plan {
  if (plan.rung !== 'escalate') return plan;
  return {
    ...plan,
    toHuman: `${plan.toHuman} Split the task, or start a new session with the brief in the report.`,
    action: {
      ...plan.action,
      report: `${String(plan.action?.report ?? '')}\n\n**Brief for a new session**: ${brief}`,
    },
  };
}
