import { commandStart } from '../mcp/proxy-arguments.ts';

/** A piece of a config's text that stands for a value. */
export interface EntryPiece {
  from: number;
  to: number;
  value: string;
}

/** A server that a client starts by a command, as it stands in the text of the client's config. */
export interface ServerEntry {
  name: string;
  /** The program; missing where one list holds it and its arguments. */
  command?: EntryPiece;
  /** The list of its arguments, behind the opening bracket; missing when there is none. */
  args?: { from: number; items: readonly EntryPiece[] };
  /** How a list of arguments is begun that is not there yet: what stands between the command and its first item. */
  newArgs: string;
}

/** How the proxy is started in front of a server: Node, our command, and what it is told. */
export type Wrapper = (name: string) => readonly string[];

/** The text with the proxy in front of each of these servers. Everything else stays as it is, to the byte. */
export function wrapEntries(text: string, entries: readonly ServerEntry[], wrapper: Wrapper): string {
  return applied(
    text,
    entries.flatMap(({ name, command, args, newArgs }) => {
      const [node, ...rest] = wrapper(name);
      const words = command ? [...rest.map(quoted), text.slice(command.from, command.to)] : [node!, ...rest].map(quoted);
      const [first] = args?.items ?? [];
      const list = args
        ? { from: first?.from ?? args.from, to: first?.from ?? args.from, put: words.join(', ') + (first ? ', ' : '') }
        : { from: command!.to, to: command!.to, put: `${newArgs}${words.join(', ')}]` };
      return command ? [{ ...command, put: quoted(node!) }, list] : [list];
    }),
  );
}

/** The text without our proxy: the commands stand where they stood. */
export function unwrapEntries(text: string, entries: readonly ServerEntry[]): string {
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
      return original ? [{ ...command!, put: text.slice(original.from, original.to) }, gone] : [gone];
    }),
  );
}

/** Our command, wherever it is installed. */
const OURS = /[\\/](?:cli\.m?js|cli[\\/]main\.ts)$/;

/** Behind our part of the arguments; nothing when there is none. */
function endOfOurs({ command, args }: ServerEntry): number | undefined {
  const words = (args?.items ?? []).map(({ value }) => value);
  const first = command ? 0 : 1;
  if (!OURS.test(words[first] ?? '') || words[first + 1] !== 'mcp') return undefined;
  const end = first + 2 + commandStart(words.slice(first + 2));
  const own = words[end] === '--' ? end + 1 : end;
  return own < words.length ? own : undefined;
}

/** Strings of JSON, which are strings of TOML too. */
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
