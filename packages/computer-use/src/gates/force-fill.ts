import { isClick } from '../action.ts';
import type { Gate } from './gate.ts';

/** On a click into a field whose label equals the name of a value of the plan, types the value. */
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
    const why = `The value for "${entry.label}" was typed into its field instead.`;
    return { gate: 'force-fill', reason: 'force-fill', why, ...forms.fill(entry, field, point) };
  },
};
