import { expect, it } from 'vitest';
import { projectSources } from './structure/tree.ts';

/**
 * Names that two files may export: `unrut/core` has a `createGuard` of its own, and each framework
 * has the same names for the same ideas.
 */
const ALLOWED = new Set(['createGuard', 'guardModel', 'guardProvider', 'unrutMiddleware']);
const DECLARATION = /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm;

/** Exported names that stand for several things, each with the files that declare it. */
function ambiguous(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, Set<string>>();
  for (const [path, text] of sources) {
    if (
      path.startsWith('packages/dashboard/') ||
      path.endsWith('.test.ts') ||
      path.includes('/fixtures/')
    )
      continue;
    for (const [, name] of text.matchAll(DECLARATION))
      files.set(name!, (files.get(name!) ?? new Set()).add(path));
  }
  return [...files]
    .filter(([name, paths]) => paths.size > 1 && !ALLOWED.has(name))
    .map(([name, paths]) => `${name}: ${[...paths].join(', ')}`);
}

it('an exported name means one thing in the whole tree', () => {
  const sources = projectSources();
  expect(sources.size).toBeGreaterThan(100);
  expect(ambiguous(sources)).toEqual([]);
});

it('a name that two files export is found, also where one of them exports a type', () => {
  const sources = new Map([
    ['packages/a.ts', 'export interface Plan {}\n'],
    ['packages/b.ts', 'export type Plan = 1;\nexport const other = 1;\n'],
    ['packages/b.test.ts', 'export const other = 2;\n'],
  ]);
  expect(ambiguous(sources)).toEqual(['Plan: packages/a.ts, packages/b.ts']);
});
