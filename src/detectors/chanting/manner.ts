/** How a unit reads: like sentences, bare of them but with letters, or as mere signs. */
export type Manner = 'words' | 'bare' | 'signs';

/** Prose has about 0.8, code 0.6 to 0.7, rows of data and mark-up (`<td></td>`) under 0.5. */
const SHARE_OF_WORDS = 0.5;
/** Rulers, dotted leaders, digits and borders have next to none. */
const SHARE_OF_SIGNS = 0.25;

/** Judges a unit by its gram codes, whose lowest bit is set for a letter. */
export function mannerOf(unit: string): Manner {
  const letters = new Set<number>();
  let count = 0;
  let words = 0;
  let inside = (unit.charCodeAt(unit.length - 1) & 1) === 1;
  for (let i = 0; i < unit.length; i++) {
    const code = unit.charCodeAt(i);
    const letter = (code & 1) === 1;
    if (letter) {
      count++;
      letters.add(code);
      if (!inside) words++;
    }
    inside = letter;
  }
  const share = count / unit.length;
  if (letters.size < 2 || share < SHARE_OF_SIGNS) return 'signs';
  return words >= 2 && share >= SHARE_OF_WORDS ? 'words' : 'bare';
}
