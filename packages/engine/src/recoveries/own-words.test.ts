import { describe, expect, it } from 'vitest';
import { ownWordsIn } from './own-words.ts';
import { reportRequest } from './wording.ts';

const REFUSED = 'Unrut (loop guard) did not run `npm test` again: it failed 4 times.';

describe("Unrut's words in a text", () => {
  it.each([
    REFUSED,
    `PreToolUse:Bash hook error: ${REFUSED}`,
    `Command blocked by PreToolUse hook: ${REFUSED} Try next: 1. Look.`,
    reportRequest('`npm test` failed 4 times', true),
  ])('stand in place of a result: %s', (text) => {
    expect(ownWordsIn(text)).toEqual({ rung: 'block', rest: undefined });
  });

  it.each([
    ['1 failed\n\nUnrut (loop guard): `npm test` failed 3 times.', 'note', '1 failed'],
    ['1 failed\nUnrut (loop guard) again: it failed 4 times. Try next: x.', 'hint', '1 failed'],
    ['x\n\nUnrut (loop guard) has asked the user to look at this: y.', 'escalate', 'x'],
    ['x\n\nUnrut (loop guard) stopped the run: y.', 'stop', 'x'],
    ['Unrut (loop guard): `npm test` failed 3 times.', 'note', ''],
    ['PostToolBatch hook additional context: Unrut (loop guard): it failed.', 'note', ''],
  ])('stand at its end: %j', (text, rung, rest) => {
    expect(ownWordsIn(text)).toEqual({ rung, rest });
  });

  it.each([
    'docs say that Unrut (loop guard) did not run it',
    'a.md:3: Unrut (loop guard): a note\nb.md:7: something else',
    '# Unrut (loop guard) is a tool\n',
    `const text = '${REFUSED}';\nmore code`,
    '',
  ])('are not seen in a text about them: %j', (text) => {
    expect(ownWordsIn(text)).toBeNull();
  });
});
