import { redact } from '../redact/redact.ts';
import { printable } from '../text/printable.ts';

/** What is looked at of a passage, and what is shown of it: enough to be recognised, too little to feed a loop. */
export const LOOKED_AT = 200;
const SHOWN = 48;
const SHORTEST = 8;

/** The beginning of a passage for a reader, in quotation marks; empty where it is too short to be recognised, or must not be shown. */
export function quotedOpening(passage: string): string {
  const text = printable(passage.slice(0, LOOKED_AT)).replace(/\s+/g, ' ').trim();
  if (text.length < SHORTEST || redact(text) !== text) return '';
  return `"${text.length <= SHOWN ? text : `${upToWord(text.slice(0, SHOWN))}…`}"`;
}

/** The same of a unit that repeats, and so has no beginning of its own: the first sentence that begins in it, else the first word. */
export function quotedUnit(unit: string): string {
  const twice = unit + unit;
  const start = /[.!?:;]\s+/.exec(twice) ?? /\s+/.exec(twice);
  const from = start && start.index < unit.length ? start.index + start[0].length : 0;
  return quotedOpening(twice.slice(from, from + unit.length));
}

/** The same of a piece that begins and ends anywhere: its whole words. */
export const quotedPiece = (piece: string): string => quotedOpening(upToWord(piece.slice(piece.indexOf(' ') + 1))).replace(/^"/, '"…');

/** Without the word at the end, which may be cut; of a long word as much as there is. */
function upToWord(text: string): string {
  const end = text.lastIndexOf(' ');
  return end > text.length / 2 ? text.slice(0, end) : text;
}
