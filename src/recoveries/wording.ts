/** The first letter of a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Moves as prose: `a; b; or c`. */
export const choice = (moves: readonly string[]): string =>
  moves.length < 2 ? moves.join('') : `${moves.slice(0, -1).join('; ')}; or ${moves.at(-1)}`;
