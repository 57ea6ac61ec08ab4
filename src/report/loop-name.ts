import { hash64 } from '../hash.ts';
import type { ScannedLoop } from './scan-report.ts';

/** What differs between machines and runs of the same thing: folders, ids, times and numbers. */
const stable = (text: string): string =>
  text
    .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![\da-z])[\da-f]{16,64}(?![\da-z])/gi, '*')
    .replace(/\d{4}-\d\d-\d\d(?:[T_ -]?\d\d[:-]?\d\d(?:[:-]?\d\d)?)?Z?/g, '*')
    .replace(/(?:[A-Za-z]:)?(?:[\\/][^\s"'`\\/]+)+[\\/]([^\s"'`\\/]+[\\/][^\s"'`\\/]+)/g, (_, end: string) => end.replaceAll('\\', '/'));

/** A name that nobody gave: small and capital letters and digits, mixed. */
const RANDOM = /(?<![\da-z])(?:[a-z]{1,8}_)?(?=[\da-z]*\d)(?=[A-Z\d]*[a-z])(?=[a-z\d]*[A-Z])[\dA-Za-z]{16,40}(?![\dA-Za-z])/g;

/** An id of a loop that is the same on every machine, and for the same task run again: by what repeats and where, not when. */
export function loopName(
  run: string,
  { detector, variant, repeats }: Pick<ScannedLoop, 'detector' | 'variant' | 'repeats'>,
  taken: Set<string>,
): string {
  const what = [...new Set(repeats.map((step) => stable(step.what).replace(/\d+/g, '#')))].sort();
  const key = JSON.stringify([stable(run.replace(RANDOM, '*')), detector, variant, what]);
  const base = hash64(key);
  let name = base;
  for (let nth = 2; taken.has(name); nth++) name = `${base}-${nth}`;
  taken.add(name);
  return name;
}
