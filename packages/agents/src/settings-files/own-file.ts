import { UnrutError } from '@unrut/engine/errors';
import type { Edit } from './order.ts';

/** Stands in the first lines of every file that is wholly ours. */
const MARK = /Written by `unrut install/;

const isMarked = (found: string): boolean => MARK.test(found.slice(0, 500));

/** A file that holds nothing but our part, known by its mark or by `isOurs`. One of somebody else's at its place is left alone. */
export function ownFile(
  path: string,
  text: string,
  { mode, isOurs = isMarked }: Pick<Edit, 'mode'> & { isOurs?: (found: string) => boolean } = {},
): Edit {
  return {
    path,
    mode,
    add(found) {
      if (found === undefined || isOurs(found)) return text;
      throw new UnrutError(
        'occupied',
        `${path} was not written by Unrut, so it was left alone. Move it, or call Unrut from it.`,
      );
    },
    remove: (found) => (isOurs(found) ? undefined : found),
  };
}
