import { describe, expect, test } from 'vitest';
import { quotedOpening, quotedUnit } from './passage.ts';

describe('a passage for a reader', () => {
  test.each([
    ['a short one whole', quotedOpening('Let me try\nthat again.', ''), '"Let me try that again."'],
    [
      'of a long one the first words',
      quotedOpening(`Let me ${'try '.repeat(40)}`, ''),
      `"Let me ${'try '.repeat(10).trim()}…"`,
    ],
    ['nothing of one that is too short to be recognised', quotedOpening('Hm.', ''), ''],
    [
      'nothing of one with a secret',
      quotedOpening('The key is sk-proj-Zx81kQm2Vb7TtR04nLw9aJhD, as it was.', ''),
      '',
    ],
    [
      'of a unit the sentence that begins in it',
      quotedUnit('the file. I look at '),
      '"I look at the file."',
    ],
    [
      'of a unit without one the first whole word',
      quotedUnit('gain and again a'),
      '"and again again"',
    ],
    [
      'nothing of what is a secret by what stands before it',
      quotedOpening('correct horse battery staple', 'Passphrase: '),
      '',
    ],
    [
      'nor where that is another paragraph',
      quotedOpening('hunter2Xq9Zx81 is what I type', 'Password:\n\n'),
      '',
    ],
    [
      'the same where nothing does',
      quotedOpening('correct horse battery staple', 'It reads: '),
      '"correct horse battery staple"',
    ],
    [
      'nothing of a unit whose sentence is a secret by the one before',
      quotedUnit('Set-Cookie: sid=Zx81kQm2Vb7TtR04nLw9; I will use '),
      '',
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown).toBe(expected);
  });
});
