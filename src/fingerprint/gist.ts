/** Short, stable forms of what an output says: what signatures are made of. */
import { hash32 } from '../hash.ts';

const NOISE =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b|\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?|µs|us|ns)\b|\b\d+(?:[:.]\d+)+\b|\b\d{4,}\b|\b(?:line|lines|column|col|pid|port|process|attempt|retry|try|iteration|run)[ #:]+\d+(?:\s*[-–]\s*\d+)?|:\d+(?::\d+)?/gi;

/** Masks what differs between two runs of the same: times, durations, ids, line and process numbers. Counts stay. */
export const maskNoise = (text: string): string => text.replace(NOISE, ' ');

/** Things that are worked through one after the other: another number is another thing. */
export const ORDINAL =
  /\b(task|chapter|step|page|part|section|item|story|ticket|issue|milestone|phase|lesson|scene|case|question|exercise|level|stage|week|day|epic|pr)([ #-]+)(\d{1,6})\b/gi;
const DIRECTION =
  'remaining|remain|left|to go|failed|failing|failures?|errors?|warnings?|problems?|issues?|passed|passing|done|completed?|processed|finished|pending|skipped|open|missing|bytes?|[kmg]i?b';
let directed: RegExp | undefined;
/** Percent, n of m, what is left, failed or done: quantities that say how far things have come. Large, and so made when it is needed. */
const directedNumbers = (): RegExp => {
  directed ??= new RegExp(
    `\\b\\d+(?:\\.\\d+)?(?:\\s?%|\\s*(?:/|of|out of)\\s*\\d+\\b|(?=\\s+(?:\\w+\\s+){0,2}(?:${DIRECTION})\\b))|\\b(?:${DIRECTION})\\s*[:=]?\\s*\\d+`,
    'gi',
  );
  return directed;
};

/** Masks every number but those with a direction and those of things, which are turned into letters. */
export const maskNumbers = (text: string): string =>
  maskNoise(text.replace(ORDINAL, (found) => spelled(found)).replace(directedNumbers(), (found) => spelled(found))).replace(
    /\d+(?:[.,]\d+)*/g,
    '',
  );

/** Masks noise, but no quantity that says how far things have come: for texts of which each names one thing. */
export const maskTimes = (text: string): string =>
  maskNoise(text.replace(directedNumbers(), (found) => spelled(found)))
    .replace(/\s+/g, ' ')
    .trim();

const spelled = (text: string): string => text.replace(/\d/g, (digit) => ` ${'zabcdefghi'[Number(digit)]}`);

/** Words joined by hyphens, at most `most` of them, in small letters. */
export const slug = (text: string, most: number): string => hyphenated(text, most).toLowerCase();

/** Words joined by hyphens as they are written: for names. */
export function hyphenated(text: string, most: number): string {
  return (text.match(/[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu) ?? []).slice(0, most).join('-').slice(0, 64);
}

/** A short hash in letters only, so that it is never taken for a number. */
export function tag(text: string): string {
  let rest = hash32(text);
  let letters = '';
  for (let i = 0; i < 6; i++) {
    letters += String.fromCharCode(97 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return letters;
}

/** The first few of a list, and a hash of the others. */
export function listed(names: readonly string[], most: number): string {
  const rest = names.slice(most);
  return names.slice(0, most).join(',') + (rest.length > 0 ? `,+${rest.length}~${tag(rest.join('\n'))}` : '');
}
