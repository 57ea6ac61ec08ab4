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
      reason: 'it may expect something other than you assume',
    },
    {
      name: 'print-actual-value',
      base: 0.85,
      risk: 'reversible',
      by: ['file-edit'],
      does: 'add a line that prints the actual value just before the failing line, then run that test alone',
      reason: '',
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
