import { withBlock, withoutBlock } from '../settings-files/marked-block.ts';
import type { Edit } from '../settings-files/order.ts';

const MARKS = { first: '<!-- unrut: begin -->', last: '<!-- unrut: end -->' };

/** What an agent should know about notes, for its instructions file. */
export const RULES: readonly string[] = [
  '## When a note says that you repeat yourself',
  '',
  'A tool result may end with a `Note:` about repetition. It comes from Unrut, which counts what your calls bring.',
  'Then do not make the same call or patch again. Read the file or the error anew, check the assumption behind the attempt with a',
  'smaller step, or tell the person what you tried, what came of it, and what you need.',
];

/** The rules as a marked block in an instructions file. */
export const rulesEdit = (path: string): Edit => ({
  path,
  add: (text = '') => withBlock(text, MARKS, RULES),
  remove(text) {
    const left = withoutBlock(text, MARKS);
    return left !== text && left.trim() === '' ? undefined : left;
  },
});
