import { describe, expect, it } from 'vitest';
import { isEcho } from './echo.ts';

const DRAFT = [
  'The release notes of the spring version',
  'Fixes the order of pages in the printed index',
  'Adds a switch for the dark theme',
];

describe('an echo', () => {
  it.each([
    [
      'a program that prints its own text',
      DRAFT.join('\n'),
      `print("""${DRAFT.join('\n')}""")`,
      true,
    ],
    [
      'a tool that gives its arguments back',
      `Saved.\n${DRAFT.join('\n')}`,
      { name: 'notes', body: DRAFT.join('\n') },
      true,
    ],
    [
      'a program that computes something',
      '1921-04-02 the museum opened its doors\n1948-11-30 the catalogue was finished',
      'print(dates)',
      false,
    ],
    [
      'lines of which most are new',
      `${DRAFT[0]}\nwas found in archive/2021/notes.md\nand in archive/2022/notes.md too`,
      DRAFT[0],
      false,
    ],
    ['short lines only', 'ok\ndone\nok', 'ok done ok, and so on, and so on', false],
    ['no arguments', DRAFT.join('\n'), null, false],
    ['no result', '', DRAFT.join('\n'), false],
  ])('%s', (_, result, args, expected) => {
    expect(isEcho(result, args)).toBe(expected);
  });

  it('is sought in the beginning of long arguments only', () => {
    expect(isEcho(DRAFT[0]!, `${' '.repeat(20_000)}${DRAFT[0]}`)).toBe(false);
  });
});
