import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDetector, tracesIn } from '@unrut/testing';
import { describe, expect, test } from 'vitest';
import { detectors } from '../packages/cli/src/index.ts';
import { foldersIn, root } from './structure/tree.ts';

const readmeOf = (name: string): string => {
  const path = join(root, 'packages/engine/src/detectors', name, 'README.md');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

describe.each(foldersIn('packages/engine/src/detectors'))('the README of %s', (name) => {
  const detector = detectors.find((each) => each.name === name);
  const readme = readmeOf(name);
  const traces = tracesIn(readme);

  test('belongs to a detector', () => expect(detector).toBeDefined());

  test('has a trace for every block, two that fire and three that stay quiet', () => {
    expect(traces).toHaveLength([...readme.matchAll(/^```trace /gm)].length);
    expect(traces.filter(({ fires }) => fires).length).toBeGreaterThanOrEqual(2);
    expect(traces.filter(({ fires }) => !fires).length).toBeGreaterThanOrEqual(3);
  });

  test('names in words every variant that its traces show', () => {
    const marks = traces.flatMap(({ lines }) =>
      lines.flatMap((line) => / ! ([\w-]+)\s*$/.exec(line)?.[1] ?? []),
    );
    const sees = /^## What it sees\n([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
    const variants = [...new Set(marks)];
    expect(variants).not.toEqual([]);
    if (variants.length > 1)
      expect(variants.filter((variant) => !sees.includes(`\`${variant}\``))).toEqual([]);
  });

  for (const { name: title, run } of detector ? testDetector(detector, readme) : [])
    test(title, run);
});
