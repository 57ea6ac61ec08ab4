import { withBlock, withoutBlock } from '../settings-files/marked-block.ts';
import type { Edit } from '../settings-files/order.ts';

const MARKS = { first: '<!-- unrut: begin -->', last: '<!-- unrut: end -->' };

/** Rules about notes for an agent's instructions file. */
export const RULES: readonly string[] = [
  '## When a note says that you repeat yourself',
  '',
  'A note from `Unrut (loop guard)` counts what your calls return and suggests next steps. Do not make the same call or patch',
  'again: take one of these steps, re-read the file or the error, or tell the user what you tried, what happened, and what you need.',
];

/** The rules as a marked block of an instructions file. */
export const rulesEdit = (path: string): Edit => ({
  path,
  add: (text = '') => withBlock(text, MARKS, RULES),
  remove(text) {
    const left = withoutBlock(text, MARKS);
    return left !== text && left.trim() === '' ? undefined : left;
  },
});
