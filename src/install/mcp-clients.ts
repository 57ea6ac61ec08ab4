import { basename } from 'node:path';
import { UnrutError } from '../errors.ts';
import { readJson } from '../settings-files/edit-json.ts';
import type { Edit } from '../settings-files/order.ts';
import { type ServerEntry, unwrapEntries, type Wrapper, wrapEntries } from './mcp-clients-entry.ts';
import { jsonEntries } from './mcp-clients-json.ts';
import { tomlEntries } from './mcp-clients-toml.ts';

/** How our command is started, and what it is told. */
export interface ProxyCall {
  /** Node, by its absolute path. */
  node: string;
  /** Our command, by its absolute path. */
  command: string;
  /** Record only. */
  shadow: boolean;
}

/** Configs of Claude Code and Codex, whose models see nothing but structured content where there is any. */
const STRUCTURED_ONLY = /^(?:\.mcp\.json|\.claude\.json|config\.toml)$/;

/** The proxy in front of every server that a client's config starts by a command. Those that are reached over HTTP stay as they are. */
export function mcpClientEdit(path: string, { node, command, shadow }: ProxyCall): Edit {
  const notes = STRUCTURED_ONLY.test(basename(path)) ? ['--notes', 'strip-structured'] : [];
  const wrapper: Wrapper = (name) => [node, command, 'mcp', '--name', name, ...notes, ...(shadow ? ['--shadow'] : [])];
  return {
    path,
    add(text) {
      if (text === undefined)
        throw new UnrutError('unreadable', `Cannot read ${path}: no such file. Expected the config of an MCP client.`);
      const bare = unwrapEntries(text, entriesIn(text, path));
      return wrapEntries(bare, entriesIn(bare, path), wrapper);
    },
    remove: (text) => unwrapEntries(text, entriesIn(text, path)),
  };
}

/** The names of the servers in a client's config that a proxy can stand in front of. */
export const serversIn = (text: string, path: string): string[] => entriesIn(text, path).map(({ name }) => name);

function entriesIn(text: string, path: string): ServerEntry[] {
  if (path.endsWith('.toml')) return tomlEntries(text);
  if (/\.ya?ml$/.test(path)) {
    const what = `Cannot wrap the servers in ${path}: expected JSON, or Codex's TOML; got YAML.`;
    throw new UnrutError('unreadable', `${what} Put \`unrut mcp\` before each server's command yourself.`);
  }
  readJson(text, path);
  return jsonEntries(text);
}
