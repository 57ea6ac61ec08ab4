import { redact } from '../redact/redact.ts';
import { printable } from '../text/printable.ts';

/**
 * How much of a passage and of the text before it is examined, and how much is shown: enough to
 * recognise it, too little to feed a loop.
 */
export const LOOKED_AT = 200;
const SHOWN = 48;
const SHORTEST = 8;

/**
 * The beginning of a passage for people, in quotation marks; empty if it is too short to recognise
 * or must not be shown. The text before it is needed because many secrets can be recognised only by
 * what precedes them.
 */
export function quotedOpening(passage: string, before: string): string {
  const looked = passage.slice(0, LOOKED_AT);
  const whole = before.slice(-LOOKED_AT) + looked;
  const text = onOneLine(printable(looked)).trim();
  if (
    text.length < SHORTEST ||
    [whole, onOneLine(whole), text].some((each) => redact(each) !== each)
  )
    return '';
  return `"${text.length <= SHOWN ? text : `${upToWord(text.slice(0, SHOWN))}…`}"`;
}

/**
 * The same for a repeating unit, which has no beginning of its own: starts at its first sentence,
 * or else at its first word.
 */
export function quotedUnit(unit: string): string {
  const twice = unit + unit;
  const start = /[.!?:;]\s+/.exec(twice) ?? /\s+/.exec(twice);
  const from = start && start.index < unit.length ? start.index + start[0].length : 0;
  return quotedOpening(twice.slice(from, from + unit.length), unit + twice.slice(0, from));
}

/** Joins lines, because a secret's label may be in the paragraph before it. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Drops the last word, which may be cut, unless it is very long. */
function upToWord(text: string): string {
  const end = text.lastIndexOf(' ');
  return end > text.length / 2 ? text.slice(0, end) : text;
}
