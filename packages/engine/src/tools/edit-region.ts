import type { Region } from '../prints.ts';
import { regionOfEdit, wholeFile } from '../shell/region.ts';
import { givenNumber, givenText } from './arguments.ts';
import type { Arguments, EditArguments } from './profile.ts';

const MAX_EDITS = 16;
const MAX_LENGTH = 65_536;

/** Where a call edits its target, according to its arguments; null if they do not say. */
export function regionOf(args: Arguments, edit: EditArguments): Region | null {
  const lines = linesOf(args);
  const before = givenText(args, edit.before);
  const after = givenText(args, edit.after);
  const blocks = before === null && after !== null ? searchAndReplace(after) : null;
  if (blocks) return regionOfEdit(...blocks, lines);
  if (before !== null || after !== null) return regionOfEdit(before, after, lines);
  const list = edit.edits === undefined ? undefined : args[edit.edits];
  if (typeof list === 'object' && list !== null)
    return listRegion(Array.isArray(list) ? list : [list]);
  const content = givenText(args, edit.content);
  if (content !== null && lines === undefined) return wholeFile(content);
  return lines === undefined ? null : { lines, hashes: [] };
}

/**
 * Cline's and Aider's edit format: the text to search for, a line of `=`, its replacement; repeated
 * for each place.
 */
const BLOCK = /^[-<]{5,} SEARCH>?\n([\s\S]*?)^={5,}\n([\s\S]*?)^[+>]{5,} REPLACE/gm;

function searchAndReplace(text: string): [before: string, after: string] | null {
  const blocks = [...text.slice(0, MAX_LENGTH).matchAll(BLOCK)];
  if (blocks.length === 0) return null;
  const all = (side: 1 | 2): string => blocks.map((block) => block[side]).join('');
  return [all(1), all(2)];
}

const BEFORE = [
  'old_string',
  'oldString',
  'old_str',
  'oldText',
  'old_text',
  'old',
  'search',
  'find',
];
const AFTER = [
  'new_string',
  'newString',
  'new_str',
  'newText',
  'new_text',
  'new',
  'replace',
  'replacement',
  'content',
  'text',
];

function listRegion(list: readonly unknown[]): Region | null {
  const befores: string[] = [];
  const afters: string[] = [];
  for (const item of list.slice(0, MAX_EDITS)) {
    if (typeof item === 'string') afters.push(item);
    if (typeof item !== 'object' || item === null) continue;
    const before = givenText(item as Arguments, BEFORE);
    const after = givenText(item as Arguments, AFTER);
    if (before !== null) befores.push(before);
    if (after !== null) afters.push(after);
  }
  return regionOfEdit(
    befores.length > 0 ? befores.join('\n') : null,
    afters.length > 0 ? afters.join('\n') : null,
  );
}

/** Names of the first and last line; a single name for a single line. */
const LINES: readonly (readonly [string, string?])[] = [
  ['start_line', 'end_line'],
  ['startLine', 'endLine'],
  ['startline', 'endline'],
  ['from_line', 'to_line'],
  ['insert_line'],
  ['line_number'],
  ['line'],
  ['offset'],
];

function linesOf(args: Arguments): [number, number] | undefined {
  for (const [from, to] of LINES) {
    const first = givenNumber(args, from);
    if (first !== null) return [first, Math.max(first, givenNumber(args, to) ?? first)];
  }
  return undefined;
}
