import { expect, it } from 'vitest';
import { widthOf } from './width.ts';

it.each<[string, { columns?: number }, Record<string, string>, number]>([
  ['a terminal', { columns: 80 }, { COLUMNS: '60' }, 80],
  ['a narrow terminal', { columns: 30 }, {}, 30],
  ['hardly a terminal', { columns: 3 }, {}, 20],
  ['a wide terminal', { columns: 300 }, {}, 120],
  ['a pipe', {}, {}, 100],
  ['a pipe with a width', {}, { COLUMNS: '60' }, 60],
  ['a pipe with a wrong width', {}, { COLUMNS: 'wide' }, 100],
])('a report for %s has its width', (_, stream, variables, width) => {
  expect(widthOf(stream, variables)).toBe(width);
});
