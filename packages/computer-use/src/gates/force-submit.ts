import { isClick } from '../action.ts';
import { isHarmless } from '../says.ts';
import type { Gate } from './gate.ts';

/**
 * Presses the form's button once, if everything is filled in, the brain has already aimed at the
 * button without success, and now clicks around without effect.
 */
export const forceSubmit: Gate = {
  name: 'force-submit',
  needsLoop: true,
  decide({ proposal, page, forms, samples, frozen, memory, allow }) {
    const { target, submit } = page;
    if (!allow.has('force-submit') || !frozen || page.busy || memory.submitForced || forms.sent)
      return null;
    if (
      forms.values.length === 0 ||
      forms.pending.length > 0 ||
      !isClick(proposal.action) ||
      !submit
    )
      return null;
    if (
      target?.submits ||
      target?.opaque ||
      !forms.isOurs(submit.form) ||
      submit.blocked ||
      !isHarmless(submit.name, submit)
    )
      return null;
    if (
      !samples.some(
        (sample) =>
          isClick(sample.action) && sample.target?.submits && sample.target.name === submit.name,
      )
    )
      return null;
    return {
      gate: 'force-submit',
      action: { type: 'click', x: submit.x, y: submit.y },
      reason: 'force-submit',
      why: `All values are typed, so the form was sent off with "${submit.name}" instead.`,
      performed() {
        memory.submitForced = true;
        forms.submitted = true;
        forms.sent = true;
      },
    };
  },
};
