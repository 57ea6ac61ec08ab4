import { isClick } from '../action.ts';
import type { Gate } from './gate.ts';

/** A click on a field whose value the plan knows, or beside the focused one, or to send it off too early: the value is typed. */
export const forceFill: Gate = {
  name: 'force-fill',
  decide({ proposal, page, forms }) {
    if (!isClick(proposal.action)) return null;
    const { target, focused } = page;
    const clicked = target?.field ?? null;
    // A click on a link or a menu has a purpose of its own.
    const field = clicked ?? (!target?.interactive || target.submits ? focused : null);
    const entry = field && forms.match(field);
    if (!field || !entry) return null;
    if (field.value === entry.value) {
      forms.markConsumed(entry, field);
      return null;
    }
    const point = clicked && !isSame(clicked, focused) ? { x: proposal.action.x, y: proposal.action.y } : {};
    return {
      gate: 'force-fill',
      action: { type: 'type_text', text: entry.value, ...(field.type.startsWith('select') ? {} : { replace: true }), ...point },
      reason: 'force-fill',
      why: `The value for "${entry.label}" was typed into its field instead.`,
      performed: () => forms.markConsumed(entry, field),
    };
  },
};

const isSame = (one: { x: number; y: number }, other: { x: number; y: number } | null): boolean => one.x === other?.x && one.y === other.y;
