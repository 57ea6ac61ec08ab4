/** The first letter of a sentence. */
export const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** The last word before a stop that nobody is asked about. */
export const reportRequest = (text: string): string =>
  `Unrut is about to stop this run: ${text}. Call no more tools. Answer now with your report: what you tried, what you know, and what is needed to go on.`;

/** Moves as prose: `a; b; or c`. */
export const choice = (moves: readonly string[]): string =>
  moves.length < 2 ? moves.join('') : `${moves.slice(0, -1).join('; ')}; or ${moves.at(-1)}`;
