import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as screens from '@unrut/computer-use';
import * as tasks from '@unrut/tasks';
import { describe, expect, test } from 'vitest';
import * as unrut from '../packages/cli/src/index.ts';
import { root } from '../scripts/build.ts';

const folder = join(root, 'docs/from');
const MODULES: Record<string, object> = {
  unrut,
  'unrut/tasks': tasks,
  'unrut/computer-use': screens,
};

describe.each(readdirSync(folder))('docs/from/%s', (name) => {
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');

  test('has the integration, the names, and what differs', () => {
    expect(text.match(/^## .*/gm)).toEqual([
      '## The fewest lines',
      '## Names',
      '## What differs, and why',
    ]);
  });

  test('imports only existing names', () => {
    for (const [, names = '', from = ''] of text.matchAll(/import \{ (.+?) \} from '(.+?)'/g))
      for (const each of names.split(', ')) expect(MODULES[from]).toHaveProperty(each);
  });

  test('links only to what is there, and each difference to its decision', () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g))
      expect(existsSync(resolve(dirname(file), link)), link).toBe(true);
    const [, differs = ''] = text.split('## What differs, and why');
    const rows = differs.split('\n').filter((line) => /^\| (?!here|-)/.test(line));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toContain('decisions/');
  });
});

test('the example of an outer loop in library.md detects the third equal output', () => {
  const signatures: string[] = [];
  const found = [1, 2, 3].map(() => {
    const output = 'Fixed auth.ts - added null check';
    const isLoop = unrut.detectOutputLoop(output, signatures);
    signatures.push(unrut.extractSignature(output));
    return isLoop;
  });
  expect(found).toEqual([false, false, true]);
});
