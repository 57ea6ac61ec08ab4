import type { EntryPiece, ServerEntry } from './mcp-clients-entry.ts';

const TABLE = /^[ \t]*\[mcp_servers\.([\w-]+|"[^"\n]+"|'[^'\n]+')\][^\n]*\n((?:(?![ \t]*\[)[^\n]*\n?)*)/gm;
const STRING = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const BETWEEN = /(?:[\s,]|#[^\n]*)*/y;

/** The servers in Codex's `config.toml` that are started by a command. What is written in another way is left out. */
export function tomlEntries(text: string): ServerEntry[] {
  return [...text.matchAll(TABLE)].flatMap(({ 1: name = '', 2: body = '', index, 0: whole }) => {
    const start = index + whole.length - body.length;
    const command = stringAt(text, valueIn(body, 'command', start));
    if (!command) return [];
    const list = valueIn(body, 'args', start);
    const args = list === undefined ? undefined : listAt(text, list);
    if (list !== undefined && !args) return [];
    const newArgs = `${text.includes('\r\n') ? '\r\n' : '\n'}args = [`;
    return [{ name: name.replace(/^["']|["']$/g, ''), command, ...(args ? { args } : {}), newArgs }];
  });
}

/** Where the value of a key begins. */
function valueIn(body: string, key: string, start: number): number | undefined {
  const found = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*`, 'm').exec(body);
  return found ? start + found.index + found[0].length : undefined;
}

function stringAt(text: string, at: number | undefined): EntryPiece | undefined {
  if (at === undefined || text.startsWith('"""', at)) return undefined;
  STRING.lastIndex = at;
  const raw = STRING.exec(text)?.[0];
  if (raw === undefined) return undefined;
  const value = raw.startsWith("'") ? raw.slice(1, -1) : raw.slice(1, -1).replace(/\\(["\\])/g, '$1');
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
