import { defineFailure } from '../failure.ts';

export const noEffect = defineFailure({
  name: 'no-effect',
  means: 'the action went through, and nothing changed',
  // Never recognised by text: it is seen by what did not happen (candidates/memory.ts).
  recognises: () => false,
  moves: [
    {
      name: 'verify-hit-target',
      base: 0.95,
      risk: 'read_only',
      by: ['page-look'],
      does: 'look at the page; a dialog, an overlay, a disabled control or an invalid field may be blocking the action',
      reason: '',
    },
    {
      name: 'act-by-accessibility',
      base: 0.85,
      risk: 'side_effect_possible',
      by: ['page-click'],
      needsTool: true,
      unused: true,
      does: 'find the element in the snapshot by its role and name, and use its reference, not coordinates',
      reason: '',
    },
    {
      name: 'activate-by-key',
      base: 0.75,
      risk: 'side_effect_possible',
      by: ['page-key'],
      needsTool: true,
      does: 'focus the element and press Enter or Space',
      reason: '',
    },
    {
      name: 'take-another-way',
      base: 0.65,
      risk: 'side_effect_possible',
      does: 'reach the same through another control, a menu or an address',
      reason: '',
    },
  ],
});
