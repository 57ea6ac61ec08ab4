import { defineFailure } from '../failure.ts';

export const failingTest = defineFailure({
  name: 'failing-test',
  means: 'the check fails in the same way',
  recognises: ({ error, verb, failures }) => error && verb === 'verify' && (failures ?? 0) > 0,
  moves: [
    {
      name: 'read-failing-test',
      base: 0.95,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: 'read the lines that the failure names, and the check itself',
      reason: 'it may expect something else than assumed',
    },
    {
      name: 'print-actual-value',
      base: 0.85,
      risk: 'reversible',
      by: ['file-edit'],
      does: 'print the actual value right before the failing line, and run that test alone',
      reason: 'seeing the actual value ends the guessing',
    },
    {
      name: 'undo-last-edits',
      base: 0.75,
      risk: 'reversible',
      by: ['file-edit'],
      needsTool: true,
      does: 'revert your recent edits to the last better state',
      reason: '',
    },
  ],
});
