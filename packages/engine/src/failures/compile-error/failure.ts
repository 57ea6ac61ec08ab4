import { defineFailure } from '../failure.ts';

/** `main.c:3:5: error:`, `a.ts(2,14): error TS2322:`, Rust's `error[E0308]:`. */
const DIAGNOSTIC =
  /\.\w{1,5}:\d+(?::\d+)?:[ \t]+(?:fatal )?error:|\(\d+,\d+\): error [A-Z]{1,4}\d|^error\[[A-Z]\d+\]:/m;

export const compileError = defineFailure({
  name: 'compile-error',
  means: 'the compiler reports the same error',
  recognises: ({ error, verb, said }) => error && verb === 'verify' && DIAGNOSTIC.test(said),
  names:
    /(?:^|[\s("'])((?:[\w.@~-]{0,60}\/){0,12}[\w@-][\w.@-]{0,60}\.\w{1,5}(?::\d{1,6}|\(\d{1,6},\d{1,6}\)))/m,
  moves: [
    {
      name: 'read-reported-line',
      base: 0.95,
      risk: 'read_only',
      by: ['file-read', 'shell'],
      does: 'read the line that the error names',
      reason: 'its cause may stand just before it',
    },
    {
      name: 'read-definition',
      base: 0.85,
      risk: 'read_only',
      by: ['file-find', 'shell'],
      does: 'look up the definition of the name or type that the error is about',
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
