import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../structure/tree.ts';

const files = globSync(['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root });
const docs = readFileSync(join(root, 'docs/computer-use-figures.md'), 'utf8');
const rows = docs
  .slice(docs.indexOf('## What was promised'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise'))
  .map((line) => line.split(' | '));

/** `a/{b,c}/d` are two files. */
const spread = (name: string): string[] => {
  const [all, names] = /\{([^}]+)\}/.exec(name) ?? [];
  return all === undefined ? [name] : names!.split(',').map((each) => name.replace(all, each));
};

/**
 * A file by its path, or by the end of it where only one test file ends so; with the scenarios that
 * it runs.
 */
function textOf(name: string): string {
  const found = files.filter(
    (file) => file === name || file.endsWith(`/${name}`) || basename(file) === name,
  );
  const path = existsSync(join(root, name)) ? name : found.length === 1 ? found[0]! : '';
  if (path === '') throw new Error(`${name} is not one file`);
  const text = readFileSync(join(root, path), 'utf8');
  return text.includes("'./scenarios.ts'")
    ? text + readFileSync(join(root, 'test/computer-use/scenarios.ts'), 'utf8')
    : text;
}

it('there is a promise on each line', () => expect(rows.length).toBeGreaterThan(15));

it.each(rows)('%s', (_, tests = '') => {
  const named = tests.replace(/ \|$/, '').split('; ');
  for (const each of named) {
    const [, name, cases] = /^`([^`]+)`(?:: (.+))?$/.exec(each) ?? [];
    expect(name, each).toBeDefined();
    for (const file of spread(name!)) {
      const text = textOf(file);
      for (const words of cases?.split(', ') ?? [])
        expect(text, `${file} has no test of "${words}"`).toContain(words.replace(/ …$/, ''));
    }
  }
});
