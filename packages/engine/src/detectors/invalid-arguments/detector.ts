import { refusalDetector } from '../refusals.ts';

export const invalidArguments = refusalDetector({
  name: 'invalid-arguments',
  refusal: 'arguments',
  perTool: true,
  what: (count, tool) => `\`${tool}\` refused its arguments ${count} times for the same reason`,
  moves: [
    'correct the argument that the error names',
    "build the call again from the tool's description",
    'use another tool for this step',
  ],
});
