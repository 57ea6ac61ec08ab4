import { refusalDetector } from '../refusals.ts';

export const unknownTool = refusalDetector({
  name: 'unknown-tool',
  refusal: 'tool',
  perTool: false,
  what: (count, tool) =>
    `${count} calls were refused because there is no such tool (the last: \`${tool}\`)`,
  moves: [
    'use only names from the list of tools you were given',
    'reach the goal with a tool that you have',
    'if none fits, report which tool is missing',
  ],
});
