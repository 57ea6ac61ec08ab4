import { UnrutError } from '@unrut/engine/errors';
import { nearestName } from '@unrut/engine/text/nearest-name';
import { printable } from '@unrut/engine/text/printable';

/** Exit codes, the same in every command. */
export const EXIT = { ok: 0, loops: 1, unreadable: 2, usage: 64 } as const;

/** Prints a problem in one line; the command continues. */
export const complain = (line: string): void => console.error(printable(`[unrut] ${line}`));

/** The command line itself was wrong. */
export const usageError = (message: string): UnrutError => new UnrutError('usage', message);

/** ` Did you mean scan?`, or nothing. */
export const didYouMean = (given: string, words: readonly string[], mark = ''): string => {
  const word = nearestName(given, words);
  return word === undefined ? '' : ` Did you mean ${mark}${word}?`;
};
