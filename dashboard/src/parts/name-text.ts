import { cut, printable } from '../../../src/text/printable.ts';

/** A name that an agent or its program gave, as it is shown: whatever is in it, it takes little room. */
export const nameText = (name: string): string => cut(printable(name), 60);
