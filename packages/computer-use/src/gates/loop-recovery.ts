import { isClick, type ScreenAction } from '../action.ts';
import { isHarmless, isSubmitName, isSubmitReasoning } from '../says.ts';
import type { Switch } from '../switches.ts';
import type { Gate, GateSituation } from './gate.ts';

/** Reason codes of forced actions. The order is fixed; new ones are appended. */
export const REASON_CODES = [
  'type_pending_value',
  'press_return_for_submit',
  'tab_to_next_field',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

interface Forced {
  reason: ReasonCode;
  action: ScreenAction;
  why: string;
  performed?: () => void;
}

const switchOf = (reason: ReasonCode): Switch => reason.replaceAll('_', '-') as Switch;

/**
 * The rules; the first match counts. They are narrow on purpose: a wrong forced action is worse
 * than another nudge.
 */
const RULES: readonly ((situation: GateSituation) => Forced | null)[] = [
  typePendingValue,
  pressReturn,
  tabOn,
];

/** The field that the brain clicks although it already has the focus. */
const aimedField = ({ page: { focused, target } }: GateSituation) =>
  target?.focused && target.field ? focused : null;

function typePendingValue(situation: GateSituation): Forced | null {
  const field = aimedField(situation);
  const entry = field && situation.forms.guess(field);
  // Only an empty field, or one that holds a part of the value: other text is not overwritten.
  if (!field || !entry || !(field.empty || (field.value && entry.value.startsWith(field.value))))
    return null;
  return {
    reason: 'type_pending_value',
    why: `The clicks changed nothing while a field had the focus, so the value for "${entry.label}" was typed into it instead.`,
    ...situation.forms.fill(entry, field),
  };
}

/**
 * Presses Return only if it activates the very target of the click, and nothing speaks against it.
 */
function pressReturn(situation: GateSituation): Forced | null {
  const { page, forms, frozen, allow } = situation;
  const { returns } = page;
  if (!frozen || page.busy || !returns?.aimed || returns.blocked || !isSubmitShaped(situation))
    return null;
  if (forms.pending.length > 0 || (returns.inField && !allow.has('returnInFocusedField')))
    return null;
  if (
    !allow.has('press_return_for_submit') &&
    !isHarmless(returns.name || page.target?.name || '', returns)
  )
    return null;
  return {
    reason: 'press_return_for_submit',
    action: { type: 'key_press', keys: 'Return' },
    why: 'The clicks to send the form off changed nothing at all, so Return was pressed instead.',
    performed() {
      forms.submitted = true;
    },
  };
}

function tabOn(situation: GateSituation): Forced | null {
  const field = aimedField(situation);
  // An empty field with a pending value is left to the brain or the plan; Tab would leave it.
  if (!field || (field.empty && situation.forms.pending.length > 0)) return null;
  return {
    reason: 'tab_to_next_field',
    action: { type: 'key_press', keys: 'Tab' },
    why: 'The field that was clicked already had the focus, so Tab was pressed to get to the next one.',
  };
}

/**
 * The brain says that it wants to submit something, or aims at a submit button. The words of the
 * task alone do not count.
 */
function isSubmitShaped({ proposal, page: { target } }: GateSituation): boolean {
  if (isSubmitReasoning(proposal.reasoning ?? '')) return true;
  return (
    target !== null && (target.submits || (target.role === 'button' && isSubmitName(target.name)))
  );
}

/** The last gate: replaces a looping click by another kind of action. */
export const loopRecovery: Gate = {
  name: 'loop-recovery',
  needsLoop: true,
  decide(situation) {
    const { proposal, samples, window, off, allow } = situation;
    if (!allow.has('loop-recovery')) return null;
    const last = samples.slice(-window);
    if (
      !isClick(proposal.action) ||
      last.length < window ||
      !last.every(({ action }) => isClick(action))
    )
      return null;
    for (const rule of RULES) {
      const forced = rule(situation);
      if (forced && !off.has(switchOf(forced.reason))) return { gate: 'loop-recovery', ...forced };
    }
    return null;
  },
};
