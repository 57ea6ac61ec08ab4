import { expect, it } from 'vitest';
import { labelIteration } from './iterate.ts';

const turn = {
  exitCode: 0,
  signal: null,
  failed: false,
  wasStopped: false,
  neverStarted: false,
  cost: {},
};

it.each<[string, string]>([
  ['', 'it said nothing'],
  [' \n\n', 'it said nothing'],
  ['\n42\n', '42'],
  ['42\nFixed auth.ts\n', 'Fixed auth.ts'],
])('an iteration that printed %j is reported as %j', (output, label) => {
  expect(labelIteration({ ...turn, output }, undefined)).toBe(label);
});

it('one that printed nothing and failed its check is reported as both', () => {
  expect(labelIteration({ ...turn, output: '' }, { command: 'npm test' })).toBe(
    'it said nothing (the check `npm test` failed)',
  );
});
