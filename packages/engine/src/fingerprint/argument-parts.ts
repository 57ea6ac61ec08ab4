import { hash32 } from '../hash.ts';
import { isObject } from '../json.ts';
import type { ArgumentPrint } from '../prints.ts';
import { wordHashes } from './words.ts';

const MAX_PARTS = 8;
const MAX_LENGTH = 400;
const MAX_WORDS = 12;
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

/** The words of a command one by one; the rest of a long one is one part. */
export function commandParts(command: string): ArgumentPrint[] {
  const words = command.slice(0, MAX_LENGTH).split(' ');
  const rest = words.splice(MAX_PARTS - 1).join(' ');
  return [...words, ...(rest === '' ? [] : [rest])].map((word, i) => ({
    name: i,
    value: hash32(word),
  }));
}

function part(name: string, value: unknown): ArgumentPrint {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const print: ArgumentPrint = { name: hash32(name), value: hash32(text.slice(0, MAX_LENGTH)) };
  const isText = typeof value === 'string' && text.trim().split(/\s+/).length > MAX_NAME_WORDS;
  if (isText || QUESTION.test(name))
    print.words = wordHashes(text.slice(0, MAX_LENGTH), 0, MAX_WORDS);
  return print;
}

/**
 * Whether one value has changed and nothing else: the next item of a list. Free text that changed is
 * a rewording, unless it is a short one without a word in common.
 */
export function isNextItem(
  before: readonly ArgumentPrint[],
  now: readonly ArgumentPrint[],
): boolean {
  if (before.length !== now.length) return false;
  const changed = now.filter(
    ({ name, value }, i) => before[i]!.name !== name || before[i]!.value !== value,
  );
  const [only] = changed;
  if (!only || changed.length > 1) return false;
  const other = before[now.indexOf(only)]!;
  if (other.name !== only.name) return false;
  if (!only.words || !other.words) return true;
  const shared = only.words.some((word) => other.words!.includes(word));
  return !shared && only.words.length < MAX_NAME_WORDS;
}
