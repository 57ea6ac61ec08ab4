import { valueIn } from '@unrut/engine/json';
import type { TriedVersion } from './importer.ts';

/** Major and minor of the version in a text: `ATIF-v1.7`, `0.118.2-alpha`. */
const numbersIn = (text: string): number[] | undefined =>
  /\d+(?:\.\d+)?/.exec(text)?.[0].split('.').map(Number);

/** The version that a record names; undefined if it names none. */
export function versionIn(record: unknown, { at }: TriedVersion): string | undefined {
  const version = valueIn(record, at);
  const text = typeof version === 'number' ? String(version) : version;
  return typeof text === 'string' && text.length <= 40
    ? /\d+(?:\.\d+)*/.exec(text)?.[0]
    : undefined;
}

/** Whether a version has a later minor than the tested one. */
export function isUntried(version: string, { tried }: TriedVersion): boolean {
  const [one, other] = [numbersIn(version), numbersIn(tried)];
  if (!one || !other) return false;
  const [major, minor = 0] = one as [number, number?];
  const [known, last = 0] = other as [number, number?];
  return major > known || (major === known && minor > last);
}
