import { UnrutError } from '@unrut/engine/errors';
import { type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';

/** The path of a value: property names and list indices. */
export type JsonPath = readonly (string | number)[];

const OPTIONS = { allowTrailingComma: true, disallowComments: false };

/** Parses JSON with comments and trailing commas. Throws a one-line error if it is invalid. */
export function readJson(text: string, file: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ' '), errors, OPTIONS);
  const [error] = errors;
  if (!error) return value;
  const line = text.slice(0, error.offset).split('\n').length;
  const what = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  throw new UnrutError(
    'unreadable',
    `${file}:${line} is not valid JSON (${what}). Nothing was changed; fix it and try again.`,
  );
}

/**
 * Adds a value at the end of the object (under a name) or list at `path`, in the file's style.
 * Everything else stays.
 */
export function insertInto(text: string, path: JsonPath, value: unknown, name?: string): string {
  const style = styleOf(text);
  const holder = nodeAt(text, path);
  const label = name === undefined ? '' : `${JSON.stringify(name)}: `;
  const last = holder.children?.at(-1);
  if (last) {
    const end = last.offset + last.length;
    const indent = indentBefore(text, last.offset);
    if (indent === undefined) return splice(text, end, end, `, ${label}${JSON.stringify(value)}`);
    const item = `${style.eol}${indent}${label}${rendered(value, indent, style)}`;
    const comma = commaAfter(text, end);
    const at = endOfLine(text, comma ?? end);
    return comma === undefined
      ? splice(splice(text, at, at, item), end, end, ',')
      : splice(text, at, at, `${item},`);
  }
  const from = holder.offset + 1;
  const to = holder.offset + holder.length - 1;
  const within = text.slice(from, to).trimEnd();
  const base = /^[ \t]*/.exec(
    text.slice(text.lastIndexOf('\n', holder.offset) + 1).replace(/^\uFEFF/, ''),
  )![0];
  const indent = base + style.unit;
  return splice(
    text,
    from,
    to,
    `${within}${style.eol}${indent}${label}${rendered(value, indent, style)}${style.eol}${base}`,
  );
}

/** Replaces the value at `path`, formatted as `insertInto` would. */
export function replaceAt(text: string, path: JsonPath, value: unknown): string {
  const { offset, length } = nodeAt(text, path);
  const isInline =
    indentBefore(text, offset) === undefined && !text.slice(offset, offset + length).includes('\n');
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset) + 1))![0];
  return splice(
    text,
    offset,
    offset + length,
    isInline ? JSON.stringify(value) : rendered(value, indent, styleOf(text)),
  );
}

/**
 * Removes the property or item at `path` with its comma and preceding whitespace: the inverse of
 * `insertInto`.
 */
export function removeAt(text: string, path: JsonPath): string {
  const value = nodeAt(text, path);
  const node = value.parent!.type === 'property' ? value.parent! : value;
  const holder = node.parent!;
  const end = node.offset + node.length;
  const start = text.slice(0, node.offset).trimEnd().length;
  const comma = commaAfter(text, end);
  if (comma !== undefined) return emptied(splice(text, start, comma, ''), holder.offset);
  const before = holder.children![holder.children!.indexOf(node) - 1];
  const without = splice(text, start, end, '');
  if (!before) return emptied(without, holder.offset);
  const beforeEnd = before.offset + before.length;
  return splice(without, commaAfter(text, beforeEnd)! - 1, commaAfter(text, beforeEnd)!, '');
}

interface Style {
  eol: string;
  unit: string;
  /** Everything is on one line. */
  isPacked: boolean;
}

function styleOf(text: string): Style {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit,
    isPacked: !text.trim().includes('\n') && !/^\{\s*\}$/.test(text.trim()),
  };
}

function rendered(value: unknown, indent: string, { eol, unit, isPacked }: Style): string {
  return isPacked
    ? JSON.stringify(value)
    : JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function nodeAt(text: string, path: JsonPath): Node {
  let node = parseTree(text.replace(/^\uFEFF/, ' '), [], OPTIONS)!;
  for (const step of path) {
    node =
      typeof step === 'number'
        ? node.children![step]!
        : node.children!.findLast(({ children }) => children![0]!.value === step)!.children![1]!;
  }
  return node;
}

const splice = (text: string, from: number, to: number, put: string): string =>
  text.slice(0, from) + put + text.slice(to);

/** The indentation of an offset's line; undefined if other text precedes it. */
function indentBefore(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return text.lastIndexOf('\n', offset - 1) >= 0 && before.trim() === '' ? before : undefined;
}

/** The position after the next comma, if only whitespace and comments precede it. */
function commaAfter(text: string, offset: number): number | undefined {
  const found = /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(offset));
  return found ? offset + found[0].length : undefined;
}

/** The position after a trailing comment on the line; otherwise `offset`. */
function endOfLine(text: string, offset: number): number {
  const rest = /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(offset));
  return rest ? offset + rest[0].length : offset;
}

/** Removes the whitespace of an empty object or list. */
function emptied(text: string, offset: number): string {
  const hollow = /^([[{])\s+([\]}])/.exec(text.slice(offset));
  return hollow ? splice(text, offset, offset + hollow[0].length, hollow[1]! + hollow[2]!) : text;
}
