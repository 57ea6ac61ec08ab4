import type { CallSeen } from './call-memory.ts';

const wordsOf = (command: string): string[] => command.split(' ').filter((word) => word !== '');

/** Only commands with at most this many words are narrowed. */
const MAX_WORDS = 4;
/** Placeholder for a word that differs between runs. */
const NAME = 'NAME';
/** A word that can be shown unchanged. */
const PLAIN = /^[\w@%+=,./:-]{1,60}$/;

/** A narrower form of the command that succeeded later: the same words, then more. */
export function alternativeTo(command: string, later: readonly CallSeen[]): string | undefined {
  const words = wordsOf(command);
  if (words.length > MAX_WORDS) return undefined;
  return later.find(
    ({ isShell, label, error, digest }) =>
      isShell &&
      error === null &&
      digest !== '' &&
      label !== command &&
      words.every((word, i) => wordsOf(label)[i] === word) &&
      wordsOf(label).every((word) => PLAIN.test(word)),
  )?.label;
}

/** The common part of alternatives from at least two runs; differing words become NAME. */
export function sharedAlternative(
  command: string,
  alternatives: readonly string[],
): string | undefined {
  const [first, ...others] = alternatives.map(wordsOf);
  const alike = others.filter(({ length }) => length === first?.length);
  if (!first || alike.length === 0) return undefined;
  const shared = first.map((word, i) => (alike.every((each) => each[i] === word) ? word : NAME));
  const more = shared.slice(wordsOf(command).length);
  // A single differing word is not informative, unless it is a file.
  return more.length > 1 && more.some((word) => word === NAME || !word.startsWith('-'))
    ? shared.join(' ')
    : undefined;
}
