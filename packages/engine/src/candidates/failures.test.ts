import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureAtEnd } from '@unrut/test/candidates/run-cases';
import { plain, sectionOf, sectionsOf, tableIn } from '@unrut/test/structure/markdown';
import { foldersIn, root } from '@unrut/test/structure/tree';
import { describe, expect, test } from 'vitest';
import { failures } from '../failures/index.ts';

const HEADINGS = ['## What it is', '## Is one', '## Is none', '## Candidates'];

const readmeOf = (name: string): string =>
  readFileSync(join(root, 'packages/engine/src/failures', name, 'README.md'), 'utf8');

/** The cases under a heading: each line of a block of cases, and each trace as a whole. */
function casesIn(readme: string, heading: string): string[][] {
  return (sectionOf(readme, heading)?.fences ?? []).flatMap(({ info, lines }) =>
    info === 'cases' ? lines.map((line) => [line]) : [lines],
  );
}

const label = (lines: string[]): string => lines.at(-1)!.slice(0, 100);

describe.each(failures.map((failure) => [failure.name, failure] as const))(
  'the failure %s',
  (name, failure) => {
    const readme = readmeOf(name);

    test.each(casesIn(readme, '## Is one').map((lines) => [label(lines), lines] as const))(
      'is one: %s',
      (_, lines) => {
        expect(failureAtEnd(lines)).toBe(name);
      },
    );

    test.each(casesIn(readme, '## Is none').map((lines) => [label(lines), lines] as const))(
      'is none: %s',
      (_, lines) => {
        expect(failureAtEnd(lines)).not.toBe(name);
      },
    );

    test('has its files, its headings, and cases of both kinds', () => {
      expect(readdirSync(join(root, 'packages/engine/src/failures', name)).sort()).toEqual([
        'README.md',
        'failure.ts',
      ]);
      expect(
        sectionsOf(readme)
          .map(({ heading }) => heading)
          .slice(1),
      ).toEqual([`# ${name}`, ...HEADINGS]);
      expect(casesIn(readme, '## Is one').length).toBeGreaterThan(0);
      expect(casesIn(readme, '## Is none').length).toBeGreaterThan(0);
    });

    test('documents its candidates', () => {
      const rows = tableIn(sectionOf(readme, '## Candidates')!.lines)
        .slice(1)
        .map((row) => row.map(plain));
      const moves = failure.moves.map(({ name: move, base, risk, by, does, gate }) => [
        move,
        String(base),
        risk,
        by?.join(', ') ?? '–',
        gate === undefined ? does : `${does} (never: ${gate})`,
      ]);
      expect(rows).toEqual(moves);
    });

    test('has moves of different names, the better first, in parts of sentences', () => {
      const bases = failure.moves.map(({ base }) => base);
      expect([...bases].sort((one, another) => another - one)).toEqual(bases);
      expect(new Set(failure.moves.map((move) => move.name)).size).toBe(failure.moves.length);
      for (const { does, reason } of failure.moves)
        for (const text of [does, ...(reason === '' ? [] : [reason])])
          expect(text).toMatch(/^[^A-Z\n|][^\n|]*[^.\s]$/);
    });
  },
);

test('every folder is in the registry, and other, which recognises every error, is the last', () => {
  expect(failures.map(({ name }) => name).sort()).toEqual(
    foldersIn('packages/engine/src/failures'),
  );
  expect(failures.at(-1)!.name).toBe('other');
});
