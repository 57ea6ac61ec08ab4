/** How many letters must change to make one word of the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (const [j, its] of [...other].entries()) next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === its ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** The word that was probably meant; nothing when none is near. */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, off: word.startsWith(given) && given.length > 1 ? 0.5 : distance(given, word) }))
    .sort((one, other) => one.off - other.off)[0];
  return near && near.off <= Math.max(1, Math.floor(given.length / 3)) ? near.word : undefined;
}

/** ` Did you mean scan?`, or nothing. */
export const didYouMean = (given: string, words: readonly string[], mark = ''): string => {
  const word = nearest(given, words);
  return word === undefined ? '' : ` Did you mean ${mark}${word}?`;
};
