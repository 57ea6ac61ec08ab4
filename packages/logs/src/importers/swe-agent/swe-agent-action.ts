import { type JsonObject, textOf } from '@unrut/engine/json';

/** SWE-agent tools that act on the open file without naming it. */
const WINDOWED = new Set(['edit', 'insert', 'goto', 'scroll_up', 'scroll_down', 'search_file']);
const NAMED = new Set([
  'open',
  'create',
  'str_replace_editor',
  'search_dir',
  'find_file',
  'submit',
  ...WINDOWED,
]);
const LINES = /^(\d+):(\d+)(?:\n([\s\S]*?)\n?(?:end_of_edit)?\s*$)?/;

/** The call in a command line of SWE-agent: one of its own tools, or the shell. */
export function actionCall(action: string, openFile: string): { tool: string; args: unknown } {
  const line = action.trim();
  const tool = /^\w+/.exec(line)?.[0] ?? '';
  if (!NAMED.has(tool)) return { tool: 'bash', args: { command: line } };
  const rest = line.slice(tool.length).trim();
  if (tool === 'str_replace_editor') {
    const [command = '', path = ''] = rest.split(/\s+/, 2);
    return {
      tool,
      args: {
        command,
        path: unquoted(path),
        options: rest.slice(rest.indexOf(path) + path.length).trim(),
      },
    };
  }
  if (tool === 'open' || tool === 'create') {
    const [, path = '', lineNumber] = /^("[^"]*"|'[^']*'|\S+)(?:\s+(\d+))?/.exec(rest) ?? [];
    return {
      tool,
      args: {
        path: unquoted(path),
        ...(lineNumber === undefined ? {} : { line_number: Number(lineNumber) }),
      },
    };
  }
  const [, from, to, text] = (tool === 'edit' && LINES.exec(rest)) || [];
  const args =
    from === undefined
      ? rest === ''
        ? {}
        : { text: rest }
      : { start_line: Number(from), end_line: Number(to), replacement: text ?? '' };
  return { tool, args: onOpenFile(tool, args, openFile) };
}

/** Adds the open file to the arguments of calls that act on it. */
export function onOpenFile(tool: string, args: JsonObject, openFile: string): JsonObject {
  return WINDOWED.has(tool) && openFile !== '' && textOf(args.path) === ''
    ? { path: openFile, ...args }
    : args;
}

const unquoted = (text: string): string => text.replace(/^(['"])(.*)\1$/, '$2');
