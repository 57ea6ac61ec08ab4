import { lettersBetween } from '../text/letters-between.ts';

/** The word that was probably meant; nothing when none is near. */
function nearest(given: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, off: word.startsWith(given) && given.length > 1 ? 0.5 : lettersBetween(given, word) }))
    .sort((one, other) => one.off - other.off)[0];
  return near && near.off <= Math.max(1, Math.floor(given.length / 3)) ? near.word : undefined;
}

/** ` Did you mean scan?`, or nothing. */
export const didYouMean = (given: string, words: readonly string[], mark = ''): string => {
  const word = nearest(given, words);
  return word === undefined ? '' : ` Did you mean ${mark}${word}?`;
};
