import type { Annotations } from '../event-parts.ts';
import { foldKey } from '../json.ts';
import { remembering } from '../lazily.ts';
import { applyDeclared, applyHints } from './annotations.ts';
import { readCallArguments, targetOf } from './arguments.ts';
import { chromeDevtoolsMcp } from './chrome-devtools-mcp.ts';
import { claudeCodeTools } from './claude-code.ts';
import { clineTools } from './cline.ts';
import { codexTools } from './codex.ts';
import { computerUse } from './computer-use.ts';
import { copilotTools } from './copilot.ts';
import { filesystemMcp } from './filesystem-mcp.ts';
import { geminiCliTools } from './gemini-cli.ts';
import { guess } from './guess.ts';
import { kimiTools } from './kimi.ts';
import { openCodeTools } from './opencode.ts';
import { playwrightMcp } from './playwright-mcp.ts';
import type { Arguments, Family, Profile, ToolDeclaration, ToolPrint } from './profile.ts';
import { fits, readProfile, settle } from './read-profile.ts';
import { widgets } from './widgets.ts';

export type { ToolDeclaration, ToolPrint } from './profile.ts';

/** Tools that hosts have built in. */
export const HOST_FAMILIES: readonly Family[] = [
  claudeCodeTools,
  codexTools,
  geminiCliTools,
  openCodeTools,
  clineTools,
  copilotTools,
  kimiTools,
];
/** Tools of servers. A name with a server prefix is looked up here first. */
const SERVERS: readonly Family[] = [
  playwrightMcp,
  chromeDevtoolsMcp,
  filesystemMcp,
  widgets,
  computerUse,
];

/**
 * The profiles of a folded name. Only few names are ever looked up, and the results are cached, so
 * a search is faster than building a table.
 */
function profilesIn(families: readonly Family[], key: string): Profile[] {
  const found: Profile[] = [];
  for (const family of families) {
    for (const name in family)
      if (mayFoldTo(name, key) && foldKey(name) === key) found.push(family[name]!);
  }
  return found;
}

/**
 * A cheap test before the exact one: names begin with a letter, and folding only drops characters.
 */
const mayFoldTo = (name: string, key: string): boolean =>
  name.length >= key.length && (name.charCodeAt(0) | 32) === key.charCodeAt(0);

interface Resolved {
  /** The name without server and prefix. */
  bare: string;
  /** Profiles with that name, likeliest first. */
  profiles: readonly Profile[];
}

/**
 * What a call does, and to what. In order of precedence: what the user declares, what the tool
 * declares, what is known about the tool, a guess.
 */
export function profileOf(
  tool: string,
  args: unknown,
  annotations?: Annotations,
  declared?: ToolDeclaration,
): ToolPrint {
  const { named, text } = readCallArguments(args);
  const resolved = resolve(tool);
  const profile = resolved.profiles.find((candidate) => fits(candidate, named, text));
  let print: ToolPrint;
  if (profile !== undefined) print = readProfile(tool, profile, named, text);
  else {
    print = guess(tool, resolved.bare, named, text);
    applyHints(print, annotations);
  }
  if (declared?.target !== undefined) {
    print.target = declaredTarget(print, named, declared.target);
    settle(print);
  }
  applyDeclared(print, annotations, declared, named);
  return print;
}

function declaredTarget(print: ToolPrint, args: Arguments, name: string): string | null {
  const kind =
    print.target?.slice(0, print.target.indexOf(':')) ??
    (/path|file/i.test(name) ? 'file' : /url|uri/i.test(name) ? 'url' : 'id');
  return targetOf(kind, args[name]);
}

const NO_PROFILES: readonly Profile[] = [];

const resolve = remembering((tool): Resolved => {
  const whole = foldKey(tool);
  const own = [...profilesIn(HOST_FAMILIES, whole), ...profilesIn(SERVERS, whole)];
  if (own.length > 0) return { bare: tool, profiles: own };
  for (const bare of bareNames(tool)) {
    const key = foldKey(bare);
    const found = [...profilesIn(SERVERS, key), ...profilesIn(HOST_FAMILIES, key)];
    if (found.length > 0) return { bare, profiles: found };
  }
  return { bare: bareNames(tool)[0] ?? tool, profiles: NO_PROFILES };
});

const MAX_PARTS = 8;

/**
 * The names that a prefixed one may stand for: `mcp__server__tool`, `mcp_server_tool`,
 * `server.tool`, `MCP:tool`.
 */
export function bareNames(tool: string): string[] {
  if (tool.startsWith('mcp__')) {
    const end = tool.indexOf('__', 5);
    return end < 0 ? [tool.slice(5)] : [tool.slice(end + 2)];
  }
  const cut = Math.max(tool.lastIndexOf('.'), tool.lastIndexOf(':'), tool.lastIndexOf('/'));
  if (cut >= 0 && cut < tool.length - 1) return [tool.slice(cut + 1)];
  if (tool.startsWith('mcp_')) {
    // Nothing marks the end of the server's name.
    const parts = tool.split('_').slice(2, MAX_PARTS);
    return parts.map((_, i) => parts.slice(i).join('_')).filter((name) => name !== '');
  }
  return [tool.replace(/^_+/, '')];
}
