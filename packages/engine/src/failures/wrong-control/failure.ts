import { defineFailure } from '../failure.ts';

const WRONG =
  /element is not an? <(?:input|select|textarea)|not a select element|cannot (?:type|fill)[^\n]{0,30}(?:non-text|into)/i;

export const wrongControl = defineFailure({
  name: 'wrong-control',
  means: 'the element is of another kind than the tool needs',
  recognises: ({ error, world, said }) => error && world === 'page' && WRONG.test(said),
  moves: [
    {
      name: 'click-control',
      base: 0.95,
      risk: 'reversible',
      by: ['page-click'],
      onTarget: true,
      does: 'if it opens a list when it is clicked, click it, then the option',
      reason: 'it is not a field that this tool can fill',
      args: ({ reference }) => reference,
    },
    {
      name: 'look-afresh',
      base: 0.75,
      risk: 'read_only',
      by: ['page-look'],
      does: 'take a snapshot to see what kind of element it is',
      reason: '',
    },
  ],
});
