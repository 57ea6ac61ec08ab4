import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { sentence, WE } from '../recoveries/wording.ts';
import type { Signal } from '../signal.ts';
import { type Budget, budgetLeft } from './budget.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';

/** Starts that are held back before a person is asked. */
const ASK_AT = 3;

/**
 * Holds back a proposed call because of what its detector sees at it (`holds`), such as one more
 * agent in a storm of them. The call need not have been made before, so no claim about its result is
 * needed. A person is asked once.
 */
export function holdStart(
  state: { budget: Budget; next: number },
  placed: readonly { signal: Signal; streak: { id: string } }[],
  { call, spawns }: Fingerprint,
  { can, skip, attended }: LadderConfig & { attended: boolean },
): Plan | null {
  const held = placed.find(({ signal }) => signal.evidence.holds && signal.evidence.cap !== 'note');
  if (!held || !call) return null;
  const may = (rung: Rung): boolean => can.has(rung) && !skip.has(rung);
  const isAsked = (spawns?.held ?? 0) === ASK_AT && may('escalate');
  if (!isAsked && !may('block')) return null;
  const { signal, streak } = held;
  const what = signal.text;
  const words: Pick<Plan, 'recovery' | 'rung' | 'toModel' | 'toHuman' | 'action'> = isAsked
    ? {
        recovery: 'hold-back',
        rung: 'escalate',
        toModel: `${WE}: ${what}. ${attended ? 'The user was asked to look at it. ' : ''}Start no more agents: wait for those that run, or end your turn and say what they found.`,
        toHuman: `Unrut: ${what}, and ${ASK_AT} more starts were held back. Please look at what starts them, or tell the agent to go on.`,
        action: { ask: attended, report: sentence(`${what}.`) },
      }
    : {
        recovery: 'hold-back',
        rung: 'block',
        toModel: `${WE} did not start this agent: ${what}. Start no more for now: wait for those that run, use what they found, or do the work yourself. Other calls are not held back.`,
        toHuman: `Unrut held back \`${call.label}\`: ${what}.`,
      };
  return {
    id: `p${state.next++}`,
    reason: `${signal.detector}/${signal.variant}`,
    ...words,
    budgetLeft: budgetLeft(state.budget),
    streak: streak.id,
  };
}
