import { hash32 } from '../hash.ts';
import { isObject } from '../json.ts';
import type { ArgumentPrint } from '../prints.ts';
import { wordHashes } from './words.ts';

const MAX_PARTS = 6;
const MAX_LENGTH = 400;
const MAX_WORDS = 6;
/** A text with more words is not a name. */
const MAX_NAME_WORDS = 3;
/** Arguments that hold what somebody wants to know, in their own words. */
const QUESTION =
  /^(?:q|query|queries|question|search|search_?term|keywords?|prompt|text|message|input|topic)$/i;

/** The arguments of a call one by one. */
export function argumentParts(args: unknown): ArgumentPrint[] {
  if (typeof args === 'string') return [part('', args)];
  if (!isObject(args)) return [];
  const parts: ArgumentPrint[] = [];
  for (const [name, value] of Object.entries(args)) {
    if (parts.length === MAX_PARTS) break;
    parts.push(part(name, value));
  }
  return parts;
}

/**
 * The words of a command one by one, with what they have in common with other values of a list; the
 * rest of a long command is one part.
 */
export function commandParts(command: string): ArgumentPrint[] {
  const words = command.slice(0, MAX_LENGTH).split(' ');
  const rest = words.splice(MAX_PARTS - 1).join(' ');
  return [...words, ...(rest === '' ? [] : [rest])].map((word, i): ArgumentPrint => {
    const common = commonOf(word);
    return common === null ? [i, hash32(word)] : [i, hash32(word), common];
  });
}

const NUMBERED = 1;

/**
 * Hash of what numbered values have in common (`f1.key`, `f2.key`), or the files of one folder; null
 * for options and for texts. The lowest bit tells which.
 */
function commonOf(word: string): number | null {
  if (word.startsWith('-') || word.includes(' ')) return null;
  const numbered = word.replace(/\d+(?=\D*$)/, '#');
  if (numbered !== word) return (hash32(numbered) | NUMBERED) >>> 0;
  const folder = word.slice(0, word.lastIndexOf('/') + 1);
  return folder === '' ? null : (hash32(folder) & ~NUMBERED) >>> 0;
}

function part(name: string, value: unknown): ArgumentPrint {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const isText =
    typeof value === 'string' &&
    text.trim().split(/\s+/, MAX_NAME_WORDS + 1).length > MAX_NAME_WORDS;
  const words =
    isText || QUESTION.test(name) ? wordHashes(text.slice(0, MAX_LENGTH), 0, MAX_WORDS) : [];
  return [hash32(name), hash32(text.slice(0, MAX_LENGTH)), ...words];
}

/** The position of the one part that has changed, or -1. */
function changedPart(before: readonly ArgumentPrint[], now: readonly ArgumentPrint[]): number {
  if (before.length !== now.length) return -1;
  const changed = now.flatMap((part, i) =>
    before[i]![0] !== part[0] || before[i]![1] !== part[1] ? [i] : [],
  );
  const at = changed.length === 1 ? changed[0]! : -1;
  return at < 0 || before[at]![0] !== now[at]![0] ? -1 : at;
}

/**
 * Whether one value has changed and nothing else: the next item of a list. Free text that changed is
 * a rewording, unless it is a short one without a word in common.
 */
export function isNextItem(
  before: readonly ArgumentPrint[],
  now: readonly ArgumentPrint[],
): boolean {
  const at = changedPart(before, now);
  if (at < 0) return false;
  const [words, others] = [now[at]!.slice(2), before[at]!.slice(2)];
  if (isCommand(now) || words.length === 0 || others.length === 0) return true;
  return words.length < MAX_NAME_WORDS && !words.some((word) => others.includes(word));
}

/** Names of arguments that say which page of one answer is wanted. */
const PAGING: ReadonlySet<number> = new Set(
  'page page_number pageNumber page_no pageno p offset start skip from cursor page_token pageToken after'
    .split(' ')
    .map((name) => hash32(name)),
);

/** Whether only the argument has changed that says which page is wanted. */
export function isNextPage(
  before: readonly ArgumentPrint[],
  now: readonly ArgumentPrint[],
): boolean {
  const at = changedPart(before, now);
  return at >= 0 && PAGING.has(now[at]![0]!);
}

/** The parts of a command are named by their positions. */
const isCommand = (parts: readonly ArgumentPrint[]): boolean =>
  parts.every(([name], i) => name === i);

/**
 * Whether the value of a command that has changed is the next one of a row: only its number has
 * changed, or, if `files`, it is another file of the same folder. A value that is guessed changes in
 * other ways.
 */
export function isInRow(
  before: readonly ArgumentPrint[],
  now: readonly ArgumentPrint[],
  files: boolean,
): boolean {
  const at = changedPart(before, now);
  const common = now[at]?.[2];
  return (
    at > 0 &&
    common !== undefined &&
    common === before[at]![2] &&
    (files || (common & NUMBERED) === NUMBERED)
  );
}
