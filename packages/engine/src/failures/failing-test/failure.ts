import { defineFailure } from '../failure.ts';

/** The file and line that a failing check names, not of a library. */
const PLACE =
  /(?:^|[\s("'])(?:file:\/\/)?(?!\S{0,200}(?:node_modules|site-packages|node:))((?:[\w.@~-]{0,60}\/){0,12}[\w@-][\w.@-]{0,60}\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|swift|exs?|scala|cc?|cpp|sh):\d{1,6})\b/m;

export const failingTest = defineFailure({
  name: 'failing-test',
  means: 'the check fails in the same way',
  recognises: ({ error, verb, failures }) => error && verb === 'verify' && (failures ?? 0) > 0,
  names: PLACE,
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
