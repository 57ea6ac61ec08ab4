import { hash32 } from '../hash.ts';
import { foldKey, isObject, type JsonObject } from '../json.ts';
import { PLACEHOLDER } from '../shell/shell.ts';
import { VOLATILE } from './canonical.ts';

const MAX_DEPTH = 40;
const MAX_NODES = 20_000;
const LARGEST_RECORD = 24;
/** Of a larger value only the beginning becomes lines. The rest becomes one hash. */
const MAX_TEXT = 1 << 20;
/** Of an object with more fields, only so many are sorted and become lines. */
const MAX_FIELDS = 4096;
/** What is not read after this many further values cannot be distinguished. */
const MAX_REST = 200_000;

/** JSON in longer texts is read as plain text. */
const MAX_JSON_LENGTH = 1 << 16;
const MAX_ENVELOPES = 4;

/** A result without its envelopes. */
export interface Content {
  /** The inner value: text, or JSON. */
  value: unknown;
  /** The value as text: a string as it is, JSON as `name: value` lines. */
  text: string;
  /** Whether `text` consists of `name: value` lines. */
  fields: boolean;
}

/**
 * Unwraps a result: content blocks, a shell's output, a single text field, JSON in a text. Calls
 * `passing` with each object on the way and its keys.
 */
export function contentOf(
  result: unknown,
  passing?: (value: JsonObject, keys: readonly string[]) => void,
): Content {
  let value = result;
  // Listing the keys of a large object takes milliseconds, so it is done once.
  let keys: string[] | undefined;
  for (let i = 0; i < MAX_ENVELOPES; i++) {
    keys = isObject(value) ? Object.keys(value) : undefined;
    if (isObject(value)) passing?.(value, keys!);
    const inside =
      typeof value === 'string' ? parsed(value) : (contentBlocks(value) ?? soleText(value));
    if (inside === undefined) break;
    value = inside;
    keys = undefined;
  }
  if (typeof value === 'string') return { value, text: value, fields: false };
  const lines: string[] = [];
  const spent: Spent = { nodes: 0, length: 0, rest: 0 };
  flatten(value, '', 0, lines, spent, keys);
  if (spent.rest !== 0) lines.push(`rest: ${lettersOf(spent.rest)}`);
  return { value, text: lines.join('\n'), fields: true };
}

/** `[{type:'text',text}]` or `{content:[…]}` of MCP and the model APIs. */
function contentBlocks(result: unknown): string | undefined {
  const content = Array.isArray(result)
    ? result
    : (result as { content?: unknown } | null | undefined)?.content;
  if (typeof content === 'string' && !Array.isArray(result)) return content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts: string[] = [];
  for (const block of content) {
    const { type, text } = (block ?? {}) as { type?: unknown; text?: unknown };
    if (type !== 'text' || typeof text !== 'string') return undefined;
    texts.push(text);
  }
  return texts.join('\n');
}

const TEXT_FIELDS = [
  'output',
  'result',
  'text',
  'response',
  'answer',
  'data',
  'body',
  'llmContent',
];

/** `{stdout, stderr, …}` of a shell, or the text of an object that contains nothing else. */
function soleText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { stdout, stderr } = value as { stdout?: unknown; stderr?: unknown };
  if (typeof stdout === 'string')
    return typeof stderr === 'string' && stderr !== ''
      ? `${stdout}${stdout === '' ? '' : '\n'}${stderr}`
      : stdout;
  for (const name of TEXT_FIELDS) {
    const text = (value as Record<string, unknown>)[name];
    if (typeof text === 'string')
      return Object.keys(value).length === 1 && Object.hasOwn(value, name) ? text : undefined;
  }
  return undefined;
}

/** The object or list, if a text is its JSON. */
function parsed(text: string): object | undefined {
  if (text.length > MAX_JSON_LENGTH) return undefined;
  const first = /^\s*[{[]/.test(text) ? text.trim() : '';
  const last = first.at(-1);
  if (last !== '}' && last !== ']') return undefined;
  try {
    const value: unknown = JSON.parse(first);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How much of a value was read, and the hash of what was not. */
interface Spent {
  nodes: number;
  length: number;
  rest: number;
}

function flatten(
  value: unknown,
  name: string,
  depth: number,
  lines: string[],
  spent: Spent,
  known?: string[],
): void {
  if (depth > MAX_DEPTH) return;
  if (++spent.nodes > MAX_NODES || spent.length > MAX_TEXT) {
    addRest(value, depth, spent);
    return;
  }
  if (Array.isArray(value)) flattenList(value, name, depth, lines, spent);
  else if (typeof value === 'object' && value !== null)
    flattenFields(value as Record<string, unknown>, depth, lines, spent, known);
  else if (value !== undefined && typeof value !== 'function') {
    const text = String(value);
    spent.length += text.length;
    lines.push(name ? `${name}: ${text}` : text);
  }
}

/** Each record of a list becomes one line, so that each new record is one new line. */
function flattenList(
  list: readonly unknown[],
  name: string,
  depth: number,
  lines: string[],
  spent: Spent,
): void {
  for (const item of list) {
    const record: string[] = [];
    flatten(item, name, depth + 1, record, spent);
    if (record.length > 1 && record.length <= LARGEST_RECORD) lines.push(record.join(', '));
    else lines.push(...record);
  }
}

function flattenFields(
  fields: Readonly<Record<string, unknown>>,
  depth: number,
  lines: string[],
  spent: Spent,
  known?: string[],
): void {
  const keys = known ?? Object.keys(fields);
  const rest = keys.splice(MAX_FIELDS);
  for (const key of keys.sort())
    if (!VOLATILE.has(foldKey(key))) flatten(fields[key], key, depth + 1, lines, spent);
  for (const key of rest) addRest(fields[key], depth + 1, spent);
}

/** Adds a value that does not become lines to the hash of the rest. */
function addRest(value: unknown, depth: number, spent: Spent): void {
  if (++spent.nodes > MAX_REST || depth > MAX_DEPTH) return;
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addRest(inner, depth + 1, spent);
  else spent.rest = hash32(String(value), spent.rest) || 1;
}

/** A number in letters, because digits may be taken for noise. */
const lettersOf = (number: number): string =>
  number.toString(16).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);

/** Nothing of any kind. That there are no problems is what a check says. */
const NONE_FOUND =
  /^\W*(?:no|zero|0) (?!(?:\w+ ){0,3}?(?:errors?|problems?|issues?|warnings?|violations?|vulnerabilit\w+|failures?|bugs?|conflicts?)\b)(?:[\w-]+ ){1,4}?(?:(?:were|was|are) )?(?:found|matched|returned|stored|known|exists?)\b.{0,60}$/i;
const NO_RESULTS =
  /^\W*(?:no|zero|0) (?:\w+ ){0,3}?(?:results?|matches|matching|items?|records?|rows?|entries|files?|documents?|data|output|hits|content)\b.{0,60}$|^\W*(?:nothing|none)(?: \w+)? ?(?:found|matched|returned)?\W*$|^\W*(?:empty|null|none|undefined|\(no output\)|\(no content\)|\(empty\)|\(?(?:bash|command|tool)(?: \w+){1,3} (?:no|without) output(?: or errors)?\)?)\W*$/i;

/** It says nothing: no text, empty lists, "no results". */
export function isEmptyResult({ value, text }: Pick<Content, 'value' | 'text'>): boolean {
  if (text.length > 300) return false;
  if (typeof value === 'object' && value !== null) return allListsEmpty(value);
  const trimmed = text.trim();
  return trimmed === '' || NO_RESULTS.test(trimmed) || NONE_FOUND.test(trimmed);
}

const MISSING =
  /^[^\n]{0,60}\b(?:no (?:\w+ ){0,2}?(?:match|result|symbol|reference|such)|(?:could not|couldn't|cannot|can't|did not|unable to) (?:be )?(?:find|found|locate)|not found\b|does(?: not|n't) exist|nothing (?:was )?found)/i;

/** A short text that begins by saying that what was asked for is not there. */
export const saysMissing = (text: string): boolean =>
  text.length <= 300 && MISSING.test(text.trimStart());

/**
 * The value or at least one list in it is empty, no list has items, and everything else is scalar.
 */
function allListsEmpty(value: object): boolean {
  if (Array.isArray(value)) return value.length === 0;
  const fields = Object.values(value);
  if (fields.length === 0) return true;
  const lists = fields.filter((field) => typeof field === 'object' && field !== null);
  return (
    lists.length > 0 &&
    lists.every((list) => (Array.isArray(list) ? list.length === 0 : allListsEmpty(list)))
  );
}

const ACKNOWLEDGEMENT =
  /^\W*(?:ok(?:ay)?|done|success(?:ful(?:ly)?)?|created|updated|deleted|saved|sent|written|true|added|removed|moved|completed?|clicked|tapped|pressed|typed|input|entered|filled|hovered|scrolled|selected|dragged|dropped|navigated|opened|closed|waited|reloaded|action executed)\b.{0,48}$/i;

/** Only an "ok": it says that something was done, and nothing else. */
export const isAcknowledgement = (text: string): boolean =>
  text.length <= 60 && ACKNOWLEDGEMENT.test(text);

/** What browser MCP servers print around a link to the page. */
const FURNITURE =
  /```js\n[\s\S]*?```|^#+ .*$|^- Page (?:URL|Title): .*$|^.{0,40}\bhttps?:\/\/\S+\s*$|^\W*\[[^\]]{1,40}\]\([^)\s]+\)\s*$/gim;
const SAVED =
  /^.{0,60}\b(?:saved|written|stored|exported|downloaded|captured)\b.{0,40}[\w~.-]*\/\S+\s*$/i;
/** The heading above the code that was run for a call. */
const RAN = /^#+ Ran /m;
const MAX_FURNITURE = 2000;

/**
 * Whether nothing can be learned from a result: the log hides it, or it is only an address, a link
 * to something shown elsewhere, or the code that was run. For an action, a plain receipt says
 * nothing, too.
 */
export function saysNothing(text: string, isDeed: boolean): boolean {
  if (text.length > MAX_FURNITURE || text.trim() === '') return false;
  if (PLACEHOLDER.test(text)) return true;
  if (
    text.length <= 200 &&
    !text.includes('\n') &&
    (SAVED.test(text) || (isDeed && isAcknowledgement(text)))
  )
    return true;
  return (
    (text.includes('](') || text.includes('://') || RAN.test(text)) &&
    text.replace(FURNITURE, '').trim() === ''
  );
}

const LABEL = /^\s*Observation(?: \d+)?: ?/;

/** A result without the label that a transcript puts before it. */
export const withoutLabel = (result: unknown): unknown =>
  typeof result === 'string' ? result.replace(LABEL, '') : result;

const MAX_COSTS = 600;

/** A subagent's answer without its id and its usage. */
export function withoutCosts(text: string): string {
  const tail = text.slice(-MAX_COSTS);
  const id = tail.lastIndexOf('\nagentId: ');
  const start = id >= 0 || !tail.endsWith('</usage>') ? id : tail.lastIndexOf('<usage>');
  return start < 0 ? text : text.slice(0, text.length - tail.length + start).trimEnd();
}
