import { describe, expect, it } from 'vitest';
import { wordDiff } from './word-diff.ts';

/** `same`, `[new]` and `{gone}`. */
const told = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => ({ same: text, new: `[${text}]`, gone: `{${text}}` })[kind])
    .join('');

describe('what changed from one text to the next', () => {
  it.each([
    ['the same', 'the same', 'the same'],
    ['run 1 failed in a.ts', 'run 2 failed in a.ts', 'run {1 }[2 ]failed in a.ts'],
    ['npm test', 'npm test --run', 'npm test [--run]'],
    ['please try it again', 'please try again', 'please try {it }again'],
    ['a  b', 'a\nb', 'a\nb'],
    ['completely different words', 'nothing of it stays', '[nothing of it stays]'],
    ['some words', '', '{some words}'],
    ['', 'some words', '[some words]'],
    ['', '', ''],
    ['größer als 3', 'größer als 4', 'größer als {3}[4]'],
  ])('from %j to %j', (before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  it('keeps every word of the later text, and costs little for long ones', () => {
    const before = Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' ');
    const after = Array.from({ length: 5000 }, (_, i) => `w${i % 7 === 0 ? 'x' : i}`).join(' ');
    const kept = wordDiff(before, after).filter(({ kind }) => kind !== 'gone');
    expect(kept.map(({ text }) => text).join('')).toBe(after);
  });
});
