/** Short, stable forms of what an output says. Signatures consist of them. */
import { hash32 } from '../hash.ts';
import {
  anyOf,
  BYTE_UNITS,
  DONE_WORDS,
  LEFT_WORDS,
  PLACE_WORDS,
  TIME_UNITS,
  TRY_WORDS,
  WRONG_WORDS,
} from './lexicon.ts';

const NOISE = new RegExp(
  [
    // Ids.
    String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
    String.raw`\b0x[0-9a-f]+\b`,
    String.raw`\b(?=[a-f]*\d)[0-9a-f]{8,}\b`,
    // Durations, times, addresses, large numbers.
    String.raw`\b\d+(?:[.,]\d+)?\s?(?:${anyOf(TIME_UNITS)})\b`,
    String.raw`\b\d+(?:[:.]\d+)+\b`,
    String.raw`\b\d{4,}\b`,
    // Places and tries.
    String.raw`\b(?:lines|pid|port|process|${anyOf(PLACE_WORDS, TRY_WORDS)})[ #:]+\d+(?:\s*[-–]\s*\d+)?`,
    String.raw`:\d+(?::\d+)?`,
  ].join('|'),
  'gi',
);

/**
 * Masks what differs between two equal runs: times, durations, ids, line and process numbers.
 * Counts stay.
 */
export const maskNoise = (text: string): string => text.replace(NOISE, ' ');

/** Things that are worked through one by one: another number is another thing. */
export const ORDINAL =
  /\b(task|chapter|step|page|part|section|item|story|ticket|issue|milestone|phase|lesson|scene|case|question|exercise|level|stage|week|day|epic|pr)([ #-]+)(\d{1,6})\b/gi;
const DIRECTION = `to go|problems?|issues?|skipped|open|missing|${anyOf(LEFT_WORDS, WRONG_WORDS, DONE_WORDS, BYTE_UNITS)}`;
let directed: RegExp | undefined;
/**
 * Quantities that show progress: percentages, n of m, counts of what is left, failed or done.
 * Large, so it is compiled when first needed.
 */
const directedNumbers = (): RegExp => {
  directed ??= new RegExp(
    `\\b\\d+(?:\\.\\d+)?(?:\\s?%|\\s*(?:/|of|out of)\\s*\\d+\\b|(?=\\s+(?:\\w+\\s+){0,2}(?:${DIRECTION})\\b))|\\b(?:${DIRECTION})\\s*[:=]?\\s*\\d+`,
    'gi',
  );
  return directed;
};

/**
 * Masks all numbers except quantities that show progress and numbers of things; those are spelled
 * in letters.
 */
export const maskNumbers = (text: string): string =>
  maskNoise(
    text
      .replace(ORDINAL, (found) => spelled(found))
      .replace(directedNumbers(), (found) => spelled(found)),
  ).replace(/\d+(?:[.,]\d+)*/g, '');

/** Masks noise, but keeps quantities that show progress. For texts that each name one thing. */
export const maskTimes = (text: string): string =>
  maskNoise(text.replace(directedNumbers(), (found) => spelled(found)))
    .replace(/\s+/g, ' ')
    .trim();

const spelled = (text: string): string =>
  text.replace(/\d/g, (digit) => ` ${'zabcdefghi'[Number(digit)]}`);

/** At most `most` words joined by hyphens, in lower case. */
export const slug = (text: string, most: number): string => hyphenated(text, most).toLowerCase();

/** At most `most` words joined by hyphens, with their case kept, for names. */
export function hyphenated(text: string, most: number): string {
  return (text.match(/[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu) ?? [])
    .slice(0, most)
    .join('-')
    .slice(0, 64);
}

/** A short hash of letters only, so that it is never mistaken for a number. */
export function tag(text: string): string {
  let rest = hash32(text);
  let letters = '';
  for (let i = 0; i < 6; i++) {
    letters += String.fromCharCode(97 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return letters;
}

/** The first `most` names of a list, and a hash of the others. */
export function listed(names: readonly string[], most: number): string {
  const rest = names.slice(most);
  return (
    names.slice(0, most).join(',') +
    (rest.length > 0 ? `,+${rest.length}~${tag(rest.join('\n'))}` : '')
  );
}
