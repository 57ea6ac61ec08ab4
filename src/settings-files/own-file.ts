import { UnrutError } from '../errors.ts';
import type { Edit } from './order.ts';

/** Stands in the first lines of every file that is wholly ours. */
const MARK = /Written by `unrut install/;

/** A file that holds nothing but our part. One of somebody else's at its place is left alone. */
export function ownFile(path: string, text: string, mode?: number): Edit {
  const isOurs = (found: string): boolean => MARK.test(found.slice(0, 500));
  return {
    path,
    ...(mode === undefined ? {} : { mode }),
    add(found) {
      if (found === undefined || isOurs(found)) return text;
      throw new UnrutError('occupied', `${path} was not written by Unrut, so it was left alone. Move it, or call Unrut from it.`);
    },
    remove: (found) => (isOurs(found) ? undefined : found),
  };
}
