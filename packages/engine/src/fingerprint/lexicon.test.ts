import { describe, expect, test } from 'vitest';
import { canonical } from './canonical.ts';
import { movedOn } from './counts.ts';
import { maskNoise, maskNumbers } from './gist.ts';
import { CALL_IDS, DONE_WORDS, LEFT_WORDS, TIME_UNITS, WRONG_WORDS } from './lexicon.ts';
import { piecesOf } from './noise-pieces.ts';

const countsAs = (line: string): string[] =>
  piecesOf(line).flatMap(({ counts }) => (counts === 'literal' ? [] : [counts]));

describe('a quantity with a direction is one to every reader', () => {
  test.each([...DONE_WORDS, ...LEFT_WORDS, ...WRONG_WORDS])('3 %s', (word) => {
    expect(countsAs(`3 ${word}`)).toEqual(['quantity']);
    expect(maskNumbers(`3 ${word}`)).not.toBe(maskNumbers(`5 ${word}`));
    expect(movedOn(`3 ${word}`, `5 ${word}`)).toBe(DONE_WORDS.includes(word));
    expect(movedOn(`5 ${word}`, `3 ${word}`)).toBe(!DONE_WORDS.includes(word));
  });

  test('but a number next to another word is not a quantity', () => {
    expect(countsAs('3 lamp')).toEqual(['value']);
    expect(maskNumbers('3 lamp')).toBe(maskNumbers('5 lamp'));
  });
});

describe('an id of the call is noise in results and in arguments', () => {
  test.each(CALL_IDS)('%s', (name) => {
    expect(countsAs(`"${name}": 417`)).toEqual(['masked']);
    expect(canonical({ [name]: 417, lamp: 1 })).toBe(canonical({ [name]: 418, lamp: 1 }));
  });

  test('but a number of another name is not', () => {
    expect(countsAs('"lamp_no": 417')).toEqual(['value']);
    expect(canonical({ lampNo: 417 })).not.toBe(canonical({ lampNo: 418 }));
  });
});

describe('a duration is noise in results and in outputs', () => {
  test.each(TIME_UNITS.filter((unit) => unit !== 'µs'))('12 %s', (unit) => {
    expect(countsAs(`took about 12 ${unit}`)).toEqual(['masked']);
    expect(maskNoise(`ended in 12 ${unit}`)).toBe(maskNoise(`ended in 93 ${unit}`));
  });

  test('but a number of other things is not', () => {
    expect(maskNoise('ended in 12 lamps')).not.toBe(maskNoise('ended in 93 lamps'));
  });
});
