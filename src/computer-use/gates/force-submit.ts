import { isClick } from '../action.ts';
import { isIrreversible } from '../submit-words.ts';
import type { Gate } from './gate.ts';

/** Everything is filled in, and the brain clicks around in the form: it is sent off, once. */
export const forceSubmit: Gate = {
  name: 'force-submit',
  decide({ proposal, page, forms, loop, memory, allow }) {
    const { target, submit, focused } = page;
    if (forms.values.length === 0 || forms.pending.length > 0 || forms.submitted || memory.submitForced) return null;
    if (!isClick(proposal.action) || target?.submits) return null;
    const aroundHere = target?.field ? forms.isUsed(target.field) : !target?.interactive;
    if (!aroundHere && loop === 'none') return null;
    const ours = submit ? forms.isOurs(submit.form) : focused !== null && forms.isOurs(focused.form);
    if (!ours || (isIrreversible(submit?.name ?? '') && !allow.has('force-submit'))) return null;
    return {
      gate: 'force-submit',
      action: submit ? { type: 'click', x: submit.x, y: submit.y } : { type: 'key_press', keys: 'Return' },
      reason: 'force-submit',
      why: `All values are typed, so the form was sent off${submit ? ` with "${submit.name}"` : ''} instead.`,
      performed() {
        memory.submitForced = true;
        forms.submitted = true;
      },
    };
  },
};
