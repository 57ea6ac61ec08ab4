import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../structure/tree.ts';

const rows = ['tasks', 'run']
  .flatMap((page) => readFileSync(join(root, `docs/${page}-design.md`), 'utf8').split('\n'))
  .filter((line) => /^\|.*`[\w./-]+\.test\.ts`/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, says, file, name]) => ({ says, file: file!.replaceAll('`', ''), name: name! }));

test('the list has both designs', () => expect(rows.length).toBeGreaterThan(60));

test.each(rows)('$says: its test exists', ({ file, name }) => {
  expect(readFileSync(join(root, 'test', file), 'utf8')).toContain(`'${name}'`);
});
