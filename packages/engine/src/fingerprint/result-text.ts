import { foldKey } from '../json.ts';
import { PLACEHOLDER } from '../shell/shell.ts';
import { VOLATILE } from './canonical.ts';

const MAX_DEPTH = 40;
const MAX_NODES = 20_000;
const LARGEST_RECORD = 24;
/** A larger result is cut, so that only its head and tail are examined. */
const MAX_TEXT = 1 << 20;

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
 * `passing` with each object on the way.
 */
export function contentOf(result: unknown, passing?: (value: object) => void): Content {
  let value = result;
  for (let i = 0; i < MAX_ENVELOPES; i++) {
    if (typeof value === 'object' && value !== null) passing?.(value);
    const inside =
      typeof value === 'string' ? parsed(value) : (contentBlocks(value) ?? soleText(value));
    if (inside === undefined) break;
    value = inside;
  }
  if (typeof value === 'string') return { value, text: value, fields: false };
  const lines: string[] = [];
  flatten(value, '', 0, lines, { nodes: 0, length: 0 });
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

const TEXT_FIELDS = new Set([
  'output',
  'result',
  'text',
  'response',
  'answer',
  'data',
  'body',
  'llmContent',
]);

/** `{stdout, stderr, …}` of a shell, or the text of an object that contains nothing else. */
function soleText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { stdout, stderr } = value as { stdout?: unknown; stderr?: unknown };
  if (typeof stdout === 'string')
    return typeof stderr === 'string' && stderr !== ''
      ? `${stdout}${stdout === '' ? '' : '\n'}${stderr}`
      : stdout;
  const names = Object.keys(value);
  const text = (value as Record<string, unknown>)[names[0]!];
  return names.length === 1 && TEXT_FIELDS.has(names[0]!) && typeof text === 'string'
    ? text
    : undefined;
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

function flatten(
  value: unknown,
  name: string,
  depth: number,
  lines: string[],
  spent: { nodes: number; length: number },
): void {
  if (++spent.nodes > MAX_NODES || spent.length > MAX_TEXT || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) {
      const record: string[] = [];
      flatten(item, name, depth + 1, record, spent);
      // Each record of a list becomes one line, so that each new record is one new line.
      if (record.length > 1 && record.length <= LARGEST_RECORD) lines.push(record.join(', '));
      else lines.push(...record);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value).sort()) {
      if (!VOLATILE.has(foldKey(key)))
        flatten((value as Record<string, unknown>)[key], key, depth + 1, lines, spent);
    }
  } else if (value !== undefined && typeof value !== 'function') {
    const text = String(value);
    spent.length += text.length;
    lines.push(name ? `${name}: ${text}` : text);
  }
}

const NO_RESULTS =
  /^\W*(?:no|zero|0) (?:\w+ ){0,3}?(?:results?|matches|matching|items?|records?|rows?|entries|files?|documents?|data|output|hits|content)\b.{0,60}$|^\W*(?:nothing|none)(?: \w+)? ?(?:found|matched|returned)?\W*$|^\W*(?:empty|null|none|undefined|\(no output\)|\(no content\)|\(empty\))\W*$/i;

/** It says nothing: no text, empty lists, "no results". */
export function isEmptyResult({ value, text }: Pick<Content, 'value' | 'text'>): boolean {
  if (text.length > 300) return false;
  if (typeof value === 'object' && value !== null) return allListsEmpty(value);
  const trimmed = text.trim();
  return trimmed === '' || NO_RESULTS.test(trimmed);
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
export function saysNothing(text: string, isAct: boolean): boolean {
  if (text.length > MAX_FURNITURE || text.trim() === '') return false;
  if (PLACEHOLDER.test(text)) return true;
  if (
    text.length <= 200 &&
    !text.includes('\n') &&
    (SAVED.test(text) || (isAct && isAcknowledgement(text)))
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
