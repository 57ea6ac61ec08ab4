import { objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { redact } from '@unrut/engine/redact/redact';
import type { HookCall } from '@unrut/reading/hook-payload';

/**
 * A settings change that allows this call, as the end of "To allow it, …". Never more than the call
 * needs; undefined if the host did not reject it for lack of permission, or if there is no such
 * setting.
 */
export type PermissionLine = (call: HookCall, said: string) => string | undefined;

/** The addition in a permission line, and its location; for a file with keys, the keys. */
export function settingIn(
  line: string,
): { add: string; file: string; under?: string[] } | undefined {
  const [, add, names, file] =
    /^add (.+) (?:to|as the last entry of) (?:([\w.]+) in )?(\S+)$/.exec(line) ?? [];
  if (add === undefined || file === undefined) return undefined;
  return { add, file, ...(names === undefined ? {} : { under: names.split('.') }) };
}

/** One simple command. Joined, expanded or redirected commands would need several rules. */
const SIMPLE = /^[\w@%+=,./: '"-]{1,120}$/;

const commandOf = ({ args }: HookCall): string => {
  const { command, cmd } = objectOf(args);
  return textOf(command ?? cmd).trim();
};

/** The command, if a rule can contain it literally. */
const simple = (text: string | undefined): string | undefined =>
  text !== undefined && SIMPLE.test(text) && redact(text) === text ? text : undefined;

/** An absolute path that a rule can contain literally. */
function simplePath(value: unknown): string | undefined {
  const path = textOf(value);
  return /^\/[\w@%+=,./ -]{1,200}$/.test(path) && redact(path) === path ? path : undefined;
}

const CLAUDE_CODE_DENIED =
  /^(?:<tool_use_error>)?(?:Claude requested permissions to |This command requires approval|Permission to use .{1,200} has been denied because .{0,60}don't ask mode)/s;
const WRITES = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);
const LOOKS = new Set(['Read', 'Grep', 'Glob']);

export const claudeCodePermission: PermissionLine = (call, said) => {
  if (!CLAUDE_CODE_DENIED.test(said)) return undefined;
  const rule = claudeCodeRule(call);
  return rule && `add "${rule}" to permissions.allow in .claude/settings.json`;
};

function claudeCodeRule(call: HookCall): string | undefined {
  const { tool } = call;
  const { file_path: file, notebook_path: notebook, path, url } = objectOf(call.args);
  if (tool === 'Bash') return within('Bash', simple(ruledPart(commandOf(call))));
  // Rules for edits apply to all tools that write files. Two slashes begin an absolute path.
  if (WRITES.has(tool)) return within('Edit', simplePath(file ?? notebook), '/');
  if (LOOKS.has(tool)) return within('Read', simplePath(file ?? path), '/');
  if (tool === 'WebFetch') return within('WebFetch', hostOf(url), 'domain:');
  return /^(?:WebSearch|mcp__\w+__[\w-]+)$/.test(tool) ? tool : undefined;
}

/**
 * Claude Code checks each command of a line separately, and needs no rule for these or for
 * discarded output (seen in 2.1.325).
 */
const NEEDS_NO_RULE = /^(?:cd|echo|grep|head|tail|true|wc)(?: |$)/;
const DISCARDS = / *(?:[12&]?> ?\/dev\/null|2>&1)(?=[ ;|&]|$)/g;
const JOINTS = / *(?:&&|\|\||[;|]) */;

/** The only command of a line that needs a rule; undefined if there are none or several. */
function ruledPart(line: string): string | undefined {
  const [part, ...others] = line
    .replaceAll(DISCARDS, '')
    .split(JOINTS)
    .filter((each) => !NEEDS_NO_RULE.test(each));
  const isWhole = part !== undefined && (part.match(/['"]/g) ?? []).length % 2 === 0;
  return isWhole && others.length === 0 ? part : undefined;
}

const within = (name: string, inside: string | undefined, before = ''): string | undefined =>
  inside === undefined ? undefined : `${name}(${before}${inside})`;

const hostOf = (url: unknown): string | undefined =>
  URL.parse(textOf(url))?.hostname.match(/^[\w.-]+$/)?.[0];

const CODEX_DENIED =
  /approval policy is (?:never|unlessTrusted)|rejected by (?:approval|exec ?policy)|denied by (?:the )?sandbox|sandbox denied|forbidden by (?:approval|exec ?policy)/i;

export const codexPermission: PermissionLine = (call, said) => {
  if (!CODEX_DENIED.test(said.slice(0, 500))) return undefined;
  const command = simple(commandOf(call));
  // A quoted word is one argument, which rules cannot express.
  if (command === undefined || /['"]/.test(command)) return undefined;
  const words = command.split(/ +/).map((word) => JSON.stringify(word));
  return `add prefix_rule(pattern=[${words.join(', ')}], decision="allow") to ~/.codex/rules/default.rules`;
};

const GEMINI_DENIED =
  /requires user confirmation, which is not supported in non-interactive mode|tool execution denied by policy/i;

export const geminiCliPermission: PermissionLine = (call, said) => {
  if (!GEMINI_DENIED.test(said.slice(0, 500))) return undefined;
  const rule =
    call.tool === 'run_shell_command'
      ? within('run_shell_command', simple(commandOf(call)))
      : /^[\w-]+$/.test(call.tool)
        ? call.tool
        : undefined;
  return rule && `add "${rule}" to tools.allowed in .gemini/settings.json`;
};

const OPENCODE_DENIED =
  /the user has specified a rule which prevents you from using this specific tool call[^[]{0,80}(\[.*\])/is;

/**
 * OpenCode lists the rules for the tool; the last matching one decides. A line is suggested only if
 * the general rule denied the command, not if a rule of the user denies it.
 */
export const opencodePermission: PermissionLine = (call, said) => {
  const [, rules] = OPENCODE_DENIED.exec(said.slice(0, 4000)) ?? [];
  if (rules === undefined || call.tool !== 'bash') return undefined;
  const denials = objectsOf(parsed(rules)).filter(({ action }) => action === 'deny');
  if (denials.length === 0 || denials.some(({ pattern }) => pattern !== '*')) return undefined;
  const command = simple(commandOf(call));
  return (
    command &&
    `add ${JSON.stringify(command)}: "allow" as the last entry of permission.bash in opencode.json`
  );
};
