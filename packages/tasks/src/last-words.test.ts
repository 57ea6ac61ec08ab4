import { describe, expect, it } from 'vitest';
import { errorTextIn, isPromised, questionIn } from './last-words.ts';

const prompt =
  'Get the test to pass.\nThen say TASK_COMPLETE\n\nWrite TASK_COMPLETE as the last line of your answer when it is done.\n';

describe('the promise counts', () => {
  it.each([
    ['alone on the last line', 'All done.\nTASK_COMPLETE'],
    ['before empty lines', 'TASK_COMPLETE\n\n  \n'],
    ['at the end of a sentence', 'Everything passes: TASK_COMPLETE'],
    ['in bold, in colours', '\u001b[32m**TASK_COMPLETE**\u001b[0m\r\n'],
  ])('%s', (_, output) => {
    expect(isPromised(output, 'TASK_COMPLETE', prompt)).toBe(true);
  });
});

describe('the promise does not count', () => {
  it.each([
    ['in the middle of the last line', 'I will say TASK_COMPLETE when it is done.'],
    ['on an earlier line', 'TASK_COMPLETE\nNo, one test still fails.'],
    ['as part of another word', 'NOT_TASK_COMPLETE'],
    ['in an echo of the prompt', prompt],
    ['in an echo of a line of the prompt', 'You said:\nThen say TASK_COMPLETE'],
    ['in nothing', ''],
  ])('%s', (_, output) => {
    expect(isPromised(output, 'TASK_COMPLETE', prompt)).toBe(false);
  });
});

it.each([
  'API Error: 529 overloaded',
  'Error: connect ECONNREFUSED',
  'fatal: not a git repository',
  'Credit balance is too low',
  'You have a usage limit that was reached',
])('%j is only an error', (output) => {
  expect(errorTextIn(output)).toBe(output);
});

it.each([
  'Fixed the error: it passes now.',
  `Error: x\n${'The rest was done all the same. '.repeat(30)}`,
  'No errors found',
  '',
])('%j is more than an error', (output) => {
  expect(errorTextIn(output)).toBeUndefined();
});

it.each([
  'Overwrite cart.ts? [y/N] ',
  'Proceed (yes/no):',
  'Press Enter to continue?',
  'Password:',
  'Do you want to continue?',
])('%j asks for input', (output) => {
  expect(questionIn(`Some work.\n${output}`)).toBe(output.trim());
});

it.each(['What would a reader say? I do not know.', 'The flag [y/N] was removed.', 'Done.'])(
  '%j asks for nothing',
  (output) => {
    expect(questionIn(output)).toBeUndefined();
  },
);
