import type { Sources } from './boundaries.ts';
import { lineOf, readSourceCode } from './source-code.ts';

/**
 * In the trees we learn from the median file has 28 to 126 lines, and 93 to 98 % have under 400.
 */
const MEDIAN_LINES = 150;
const MAX_LINES = 400;

const linesOf = (source: string): number => source.replace(/\n$/, '').split('\n').length;

/** Which sources are too long, one by one and on the whole. */
export function lengthComplaints(sources: Sources): string[] {
  const lengths = [...sources]
    .map(([path, source]) => ({ path, lines: linesOf(source) }))
    .sort((one, other) => one.lines - other.lines);
  const complaints = lengths
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines, at most ${MAX_LINES}`);
  const median = lengths[Math.floor(lengths.length / 2)]?.lines ?? 0;
  if (median >= MEDIAN_LINES)
    complaints.push(`the median source file has ${median} lines, expected under ${MEDIAN_LINES}`);
  return complaints;
}

/** A developer's machine, or the host that a package came from. */
const LEAK =
  /(?<![\w.$~-])\/(?:work\/|root\/|tmp\/bash)|https?:\/\/registry\.|\bregistry\.(?:npmjs|yarnpkg)\./g;

/** Where a file names a path of the machine it was written on, or a registry. */
export function leakComplaints(path: string, text: string): string[] {
  return [...text.matchAll(LEAK)].map(
    (match) => `${path}:${lineOf(text, match.index)}: ${match[0]}`,
  );
}

/** Where a test is left out, put off, or the only one to run. */
export function narrowedTests(path: string, source: string): string[] {
  const { code } = readSourceCode(source);
  const narrowed = /(?<![\w$.])(?:it|test|describe)(?:\s*\.\s*\w+)*?\s*\.\s*(?:skip|only|todo)\b/g;
  return [...code.matchAll(narrowed)].map(
    (match) => `${path}:${lineOf(source, match.index)}: ${match[0].replace(/\s/g, '')}`,
  );
}
