import { cut, printable } from '@unrut/engine/text/printable';
import { number } from '@unrut/ledger/report/figures';

/** A path, an address or something quoted, which stays as it is. */
const NAME_FIRST = /^\S*[./_`:]\S/;

/** With a capital letter first, as at the beginning of a sentence. */
export const capital = (text: string): string =>
  NAME_FIRST.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** `once`, `twice`, `3 times`. */
export const times = (count: number): string =>
  count === 1 ? 'once' : count === 2 ? 'twice' : `${number(count)} times`;

/**
 * A name that an agent or its program gave, as it is shown: whatever is in it, it takes little
 * room.
 */
export const nameText = (name: string): string => cut(printable(name), 60);
