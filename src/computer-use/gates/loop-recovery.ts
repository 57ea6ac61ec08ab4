import { affords, spend } from '../../policy/budget.ts';
import { isClick, type ScreenAction } from '../action.ts';
import { isIrreversible, isSubmitName, isSubmitReasoning } from '../submit-words.ts';
import type { Switch } from '../switches.ts';
import type { Gate, GateSituation } from './gate.ts';

/** Why an action was forced. The order is fixed; new ones are appended. */
export const REASON_CODES = ['type_pending_value', 'press_return_for_submit', 'tab_to_next_field'] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

interface Forced {
  reason: ReasonCode;
  action: ScreenAction;
  why: string;
  performed?: () => void;
}

const switchOf = (reason: ReasonCode): Switch => reason.replaceAll('_', '-') as Switch;

/** The rules, first match first. Narrow on purpose: forcing the wrong kind of action is worse than another nudge. */
const RULES: readonly ((situation: GateSituation) => Forced | null)[] = [typePendingValue, pressReturn, tabOn];

function typePendingValue({ page: { focused }, forms }: GateSituation): Forced | null {
  const entry = focused && forms.firstFor(focused);
  if (!focused || !entry) return null;
  return {
    reason: 'type_pending_value',
    action: { type: 'type_text', text: entry.value, ...(focused.type.startsWith('select') ? {} : { replace: true }) },
    why: `The clicks changed nothing while a field had the focus, so the value for "${entry.label}" was typed into it instead.`,
    performed: () => forms.markConsumed(entry, focused),
  };
}

function pressReturn(situation: GateSituation): Forced | null {
  const { page, forms, frozen, allow } = situation;
  if (!frozen || (page.focused && forms.pending.length > 0) || !isSubmitShaped(situation)) return null;
  if (isIrreversible(submitNameOf(situation)) && !allow.has('press_return_for_submit')) return null;
  return {
    reason: 'press_return_for_submit',
    action: { type: 'key_press', keys: 'Return' },
    why: 'The clicks to send the form off changed nothing at all, so Return was pressed instead.',
    performed() {
      forms.submitted = true;
    },
  };
}

function tabOn({ page: { focused } }: GateSituation): Forced | null {
  if (!focused) return null;
  return {
    reason: 'tab_to_next_field',
    action: { type: 'key_press', keys: 'Tab' },
    why: 'The field that was clicked already had the focus, so Tab was pressed to get to the next one.',
  };
}

/** The brain says that it wants to send something off, or aims at what does. The task's own words are not enough. */
function isSubmitShaped({ proposal, page: { target } }: GateSituation): boolean {
  if (isSubmitReasoning(proposal.reasoning ?? '')) return true;
  return target !== null && (target.submits || (target.role === 'button' && isSubmitName(target.name)));
}

function submitNameOf({ proposal, page: { target, submit } }: GateSituation): string {
  const names = target?.role === 'button' ? [target.name] : [target?.formSubmit || submit?.name || ''];
  return [...names, proposal.reasoning ?? ''].join(' ');
}

/** The last gate: another kind of action in place of a click that goes round. Once in a loop, within the budget. */
export const loopRecovery: Gate = {
  name: 'loop-recovery',
  decide(situation) {
    const { proposal, loop, samples, window, memory, page, off } = situation;
    if (loop === 'none' || memory.inStreak.has('loop-recovery') || !isClick(proposal.action)) return null;
    const last = samples.slice(-window);
    if (last.length < window || !last.every(({ action }) => isClick(action))) return null;
    const target = `${page.url} ${page.target?.role ?? ''} ${page.target?.name ?? ''}`;
    for (const rule of RULES) {
      const forced = rule(situation);
      if (!forced || off.has(switchOf(forced.reason))) continue;
      if (!affords(memory.budget, 'substitute', forced.reason, target)) return null;
      return {
        gate: 'loop-recovery',
        ...forced,
        performed() {
          memory.inStreak.add('loop-recovery');
          spend(memory.budget, 'substitute', forced.reason, target);
          forced.performed?.();
        },
      };
    }
    return null;
  },
};
