import { refusalDetector } from '../refusals.ts';

export const invalidArguments = refusalDetector({
  name: 'invalid-arguments',
  refusal: 'arguments',
  perTool: true,
  what: (count, tool) => `\`${tool}\` refused its arguments ${count} times for the same reason`,
  moves: [
    'read the message: it names the argument and what was expected',
    "build the call anew from the tool's own description",
    'use another tool for this step',
  ],
});
