import { UnrutError } from '@unrut/engine/errors';
import type { Edit } from './order.ts';

/** A marker in the first lines of files that are completely ours. */
const MARK = /Written by `unrut install/;

const isMarked = (found: string): boolean => MARK.test(found.slice(0, 500));

/**
 * A file that contains only our part, recognised by its marker or by `isOurs`. Other files with its
 * path are left unchanged.
 */
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
