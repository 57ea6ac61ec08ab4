import { redact } from '../redact/redact.ts';
import { printable } from '../text/printable.ts';

/** What is looked at of a passage and of what stands before it, and what is shown: enough to be recognised, too little to feed a loop. */
export const LOOKED_AT = 200;
const SHOWN = 48;
const SHORTEST = 8;

/**
 * The beginning of a passage for a reader, in quotation marks; empty where it is too short to be recognised, or must not be shown. Many a
 * secret is one only by what stands before it.
 */
export function quotedOpening(passage: string, before: string): string {
  const looked = passage.slice(0, LOOKED_AT);
  const whole = before.slice(-LOOKED_AT) + looked;
  const text = onOneLine(printable(looked)).trim();
  if (text.length < SHORTEST || [whole, onOneLine(whole), text].some((each) => redact(each) !== each)) return '';
  return `"${text.length <= SHOWN ? text : `${upToWord(text.slice(0, SHOWN))}…`}"`;
}

/** The same of a unit that repeats, and so has no beginning of its own: the first sentence that begins in it, else the first word. */
export function quotedUnit(unit: string): string {
  const twice = unit + unit;
  const start = /[.!?:;]\s+/.exec(twice) ?? /\s+/.exec(twice);
  const from = start && start.index < unit.length ? start.index + start[0].length : 0;
  return quotedOpening(twice.slice(from, from + unit.length), unit + twice.slice(0, from));
}

/** What stands in another paragraph stands right beside it, too. */
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Without the word at the end, which may be cut; of a long word as much as there is. */
function upToWord(text: string): string {
  const end = text.lastIndexOf(' ');
  return end > text.length / 2 ? text.slice(0, end) : text;
}
