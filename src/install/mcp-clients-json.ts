import { type Node, parseTree } from 'jsonc-parser';
import type { EntryPiece, ServerEntry } from './mcp-clients-entry.ts';

/** Where clients keep their servers: Claude, Cursor and most others; VS Code; Zed; OpenCode. */
const HOLDERS: readonly (readonly string[])[] = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['context_servers'], ['mcp']];

/** The servers in the JSON of a client's config that are started by a command. Comments and trailing commas are fine. */
export function jsonEntries(text: string): ServerEntry[] {
  const root = parseTree(text.replace(/^\uFEFF/, ' '), [], { allowTrailingComma: true });
  const projects = propertiesOf(child(root, 'projects')).map(([, project]) => child(project, 'mcpServers'));
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

/** A list of texts; nothing when it holds anything else. */
function listOf({ type, offset, children = [] }: Node): ServerEntry['args'] {
  if (type !== 'array' || children.some((item) => item.type !== 'string')) return undefined;
  return { from: offset + 1, items: children.map(pieceOf) };
}

const pieceOf = ({ offset, length, value }: Node): EntryPiece => ({ from: offset, to: offset + length, value: value as string });

function propertiesOf(node: Node | undefined): [string, Node][] {
  if (node?.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children }) =>
    children?.[1] ? [[children[0]!.value as string, children[1]] as [string, Node]] : [],
  );
}

const child = (node: Node | undefined, name: string): Node | undefined => propertiesOf(node).findLast(([each]) => each === name)?.[1];
