import { basename } from 'node:path';
import { UnrutError } from '@unrut/engine/errors';
import { type Node, parseTree } from 'jsonc-parser';
import { readJson } from '../settings-files/edit-json.ts';
import type { Edit } from '../settings-files/order.ts';
import { commandStart } from './proxy-arguments.ts';

/** How our command is started, with its arguments. */
export interface ProxyCall {
  /** Node, by its absolute path. */
  node: string;
  /** Our command, by its absolute path. */
  command: string;
  /** Record only. */
  shadow: boolean;
}

/** Configs of Claude Code, whose model sees only structured content if there is any. */
const STRUCTURED_ONLY = /^\.(?:mcp|claude)\.json$/;

/**
 * Puts the proxy in front of every server that a client starts by a command. HTTP servers stay
 * unchanged.
 */
export function mcpClientEdit(path: string, { node, command, shadow }: ProxyCall): Edit {
  const notes = STRUCTURED_ONLY.test(basename(path)) ? ['--notes', 'strip-structured'] : [];
  const wrapper: Wrapper = (name) => [
    node,
    command,
    'mcp',
    '--name',
    name,
    ...notes,
    ...(shadow ? ['--shadow'] : []),
  ];
  return {
    path,
    add(text) {
      if (text === undefined)
        throw new UnrutError(
          'unreadable',
          `Cannot read ${path}: no such file. Expected the config of an MCP client.`,
        );
      const bare = unwrapEntries(text, entriesIn(text, path));
      return wrapEntries(bare, entriesIn(bare, path), wrapper);
    },
    remove: (text) => unwrapEntries(text, entriesIn(text, path)),
  };
}

/** The names of the servers that can have a proxy. */
export const serversIn = (text: string, path: string): string[] =>
  entriesIn(text, path).map(({ name }) => name);

function entriesIn(text: string, path: string): ServerEntry[] {
  if (path.endsWith('.toml')) return tomlEntries(text);
  if (/\.ya?ml$/.test(path)) {
    const what = `Cannot wrap the servers in ${path}: expected JSON, or Codex's TOML; got YAML.`;
    throw new UnrutError(
      'unreadable',
      `${what} Put \`unrut mcp\` before each server's command yourself.`,
    );
  }
  readJson(text, path);
  return jsonEntries(text);
}

/** Where clients list their servers: Claude, Cursor and most others; VS Code; Zed; OpenCode. */
const HOLDERS: readonly (readonly string[])[] = [
  ['mcpServers'],
  ['servers'],
  ['mcp', 'servers'],
  ['context_servers'],
  ['mcp'],
];

/** The command servers in a JSON config. Comments and trailing commas are allowed. */
function jsonEntries(text: string): ServerEntry[] {
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const projects = propertiesOf(child(root, 'projects')).map(([, project]) =>
    child(project, 'mcpServers'),
  );
  const holders = [...HOLDERS.map((path) => path.reduce(child, root)), ...projects];
  return holders.flatMap(propertiesOf).flatMap(([name, server]) => entryOf(name, server) ?? []);
}

function entryOf(name: string, server: Node): ServerEntry | undefined {
  const command = child(server, 'command');
  const newArgs = ', "args": [';
  if (command?.type === 'array') {
    const args = listOf(command);
    return args && args.items.length > 0 ? { name, args, newArgs } : undefined;
  }
  if (command?.type !== 'string') return undefined;
  const given = child(server, 'args');
  if (!given) return { name, command: pieceOf(command), newArgs };
  const args = listOf(given);
  return args && { name, command: pieceOf(command), args, newArgs };
}

/** A list of texts; undefined if it contains anything else. */
function listOf({ type, offset, children = [] }: Node): ServerEntry['args'] {
  if (type !== 'array' || children.some((item) => item.type !== 'string')) return undefined;
  return { from: offset + 1, items: children.map(pieceOf) };
}

const pieceOf = ({ offset, length, value }: Node): EntryPiece => ({
  from: offset,
  to: offset + length,
  value: value as string,
});

function propertiesOf(node: Node | undefined): [string, Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }) =>
    children?.[1] ? [[children[0]!.value as string, children[1]] as [string, Node]] : [],
  );
}

const child = (node: Node | undefined, name: string): Node | undefined =>
  propertiesOf(node).findLast(([each]) => each === name)?.[1];

const TABLE =
  /^[ \t]*\[mcp_servers\.([\w-]+|"[^"\n]+"|'[^'\n]+')\][^\n]*\n((?:(?![ \t]*\[)[^\n]*\n?)*)/gm;
const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BETWEEN = /(?:[\s,]|#[^\n]*)*/y;

/** The command servers in Codex's `config.toml`. Unusual formatting is skipped. */
function tomlEntries(text: string): ServerEntry[] {
  return [...text.matchAll(TABLE)].flatMap(({ 1: name = '', 2: body = '', index, 0: whole }) => {
    const start = index + whole.length - body.length;
    const command = stringAt(text, valueIn(body, 'command', start));
    if (!command) return [];
    const list = valueIn(body, 'args', start);
    const args = list === undefined ? undefined : listAt(text, list);
    if (list !== undefined && !args) return [];
    const newArgs = `${text.includes('\r\n') ? '\r\n' : '\n'}args = [`;
    return [
      { name: name.replace(/^["']|["']$/g, ''), command, ...(args ? { args } : {}), newArgs },
    ];
  });
}

/** The start of a key's value. */
function valueIn(body: string, key: string, start: number): number | undefined {
  const found = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*`, 'm').exec(body);
  return found ? start + found.index + found[0].length : undefined;
}

function stringAt(text: string, at: number | undefined): EntryPiece | undefined {
  if (at === undefined || text.startsWith('"""', at)) return undefined;
  STRING.lastIndex = at;
  const raw = STRING.exec(text)?.[0];
  if (raw === undefined) return undefined;
  const value = raw.startsWith("'")
    ? raw.slice(1, -1)
    : raw.slice(1, -1).replace(/\\(["\\])/g, '$1');
  return { from: at, to: at + raw.length, value };
}

function listAt(text: string, at: number): ServerEntry['args'] {
  if (text[at] !== '[') return undefined;
  const items: EntryPiece[] = [];
  for (let i = at + 1; ; ) {
    BETWEEN.lastIndex = i;
    i += BETWEEN.exec(text)![0].length;
    if (text[i] === ']') return { from: at + 1, items };
    const item = stringAt(text, i);
    if (!item) return undefined;
    items.push(item);
    i = item.to;
  }
}

/** A value's position in a config's text. */
interface EntryPiece {
  from: number;
  to: number;
  value: string;
}

/** A server that a client starts by a command, with its positions in the config. */
interface ServerEntry {
  name: string;
  /** The program; undefined if one list holds it and its arguments. */
  command?: EntryPiece;
  /** The list of arguments, from its opening bracket; undefined if there is none. */
  args?: { from: number; items: readonly EntryPiece[] };
  /** The text to insert between the command and a new list of arguments. */
  newArgs: string;
}

/** The command of the proxy: Node, our program and its arguments. */
type Wrapper = (name: string) => readonly string[];

/** Inserts the proxy in front of each server. Everything else stays byte for byte. */
function wrapEntries(text: string, entries: readonly ServerEntry[], wrapper: Wrapper): string {
  return applied(
    text,
    entries.flatMap(({ name, command, args, newArgs }) => {
      const [node, ...rest] = wrapper(name);
      const words = command
        ? [...rest.map(quoted), text.slice(command.from, command.to)]
        : [node!, ...rest].map(quoted);
      const [first] = args?.items ?? [];
      const list = args
        ? {
            from: first?.from ?? args.from,
            to: first?.from ?? args.from,
            put: words.join(', ') + (first ? ', ' : ''),
          }
        : { from: command!.to, to: command!.to, put: `${newArgs}${words.join(', ')}]` };
      return command ? [{ ...command, put: quoted(node!) }, list] : [list];
    }),
  );
}

/** Removes our proxy and restores the commands. */
function unwrapEntries(text: string, entries: readonly ServerEntry[]): string {
  return applied(
    text,
    entries.flatMap((entry) => {
      const end = endOfOurs(entry);
      if (end === undefined) return [];
      const { command, args, newArgs } = entry;
      const items = args!.items;
      const original = command ? items[end]! : undefined;
      const next = items[command ? end + 1 : end];
      const gone = next
        ? { from: items[0]!.from, to: next.from, put: '' }
        : original && text.slice(command!.to, items[0]!.from) === newArgs
          ? { from: command!.to, to: text.indexOf(']', items.at(-1)!.to) + 1, put: '' }
          : { from: items[0]!.from, to: items.at(-1)!.to, put: '' };
      return original
        ? [{ ...command!, put: text.slice(original.from, original.to) }, gone]
        : [gone];
    }),
  );
}

/** Matches our command, wherever it is installed. */
const OURS = /[\\/](?:cli\.m?js|cli[\\/]main\.ts)$/;

/** The end of our part of the arguments; undefined if there is none. */
function endOfOurs({ command, args }: ServerEntry): number | undefined {
  const words = (args?.items ?? []).map(({ value }) => value);
  const first = command ? 0 : 1;
  if (!OURS.test(words[first] ?? '') || words[first + 1] !== 'mcp') return undefined;
  const end = first + 2 + commandStart(words.slice(first + 2));
  const own = words[end] === '--' ? end + 1 : end;
  return own < words.length ? own : undefined;
}

/** JSON strings, which are also valid in TOML. */
const quoted = (word: string): string => JSON.stringify(word);

interface Splice {
  from: number;
  to: number;
  put: string;
}

const applied = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((changed, { from, to, put }) => changed.slice(0, from) + put + changed.slice(to), text);
