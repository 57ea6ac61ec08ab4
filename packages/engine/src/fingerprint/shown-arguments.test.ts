import { expect, test } from 'vitest';
import { startFolders } from './folder.ts';
import { readProposed } from './read-call.ts';

const labelOf = (tool: string, args: unknown): string =>
  readProposed({
    call: { id: '1', tool, args },
    annotations: undefined,
    declared: undefined,
    folders: startFolders(),
    seed: 1,
  }).label;

test.each<[unknown, string]>([
  [{ q: 'refund policy' }, 'lookup_page refund policy'],
  [{ page: 2, search_term: 'refund\n policy' }, 'lookup_page refund policy'],
  [{ text: 'Grandmother Maria', message: 'Hello' }, 'lookup_page'],
  [{ q: { nested: 1 } }, 'lookup_page'],
  ['refund policy', 'lookup_page'],
  [{}, 'lookup_page'],
  [null, 'lookup_page'],
])('a tool without a known target shows what it was asked in %j', (args, label) => {
  expect(labelOf('lookup_page', args)).toBe(label);
});

test('long arguments are shortened', () => {
  const label = labelOf('lookup_page', { q: 'refund '.repeat(100), page: 2 });
  expect([label.length, label.at(-1)]).toEqual([72, '…']);
});

test.each([
  { q: 'password: correct-horse-battery' },
  { query: `postgres://ada:${'correct-horse'.repeat(6)}@db.example/x` },
  { q: `sk-ant-api03-${'aB3dE6gH9j'.repeat(9)}` },
])('secrets are masked: %j', (args) => {
  expect(labelOf('lookup_page', args)).not.toMatch(/correct-horse|aB3dE6gH9j/);
});

test('a tool with a known target shows that alone', () => {
  expect(labelOf('Read', { file_path: '/src/a.ts', limit: 10 })).not.toContain('limit');
});
