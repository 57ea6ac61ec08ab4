import { isClick } from '../action.ts';
import type { Gate } from './gate.ts';

/** A click on a field whose label is exactly the name of a value of the plan: the value is typed. */
export const forceFill: Gate = {
  name: 'force-fill',
  decide({ proposal, page, forms }) {
    if (!isClick(proposal.action)) return null;
    const { target } = page;
    const field = target?.field;
    const entry = field && forms.match(field);
    if (!field || !entry) return null;
    if (field.value === entry.value) {
      forms.markConsumed(entry, field);
      return null;
    }
    const point = target.focused ? {} : { x: proposal.action.x, y: proposal.action.y };
    return {
      gate: 'force-fill',
      action: { type: 'type_text', text: entry.value, ...(field.type.startsWith('select') ? {} : { replace: true }), ...point },
      reason: 'force-fill',
      why: `The value for "${entry.label}" was typed into its field instead.`,
      performed: () => forms.markConsumed(entry, field),
    };
  },
};
