import { dirname, join } from 'node:path';
import { isObject } from '@unrut/engine/json';
import { readJson } from '../../settings-files/edit-json.ts';
import { LAUNCHER } from '../../settings-files/hook-command.ts';
import { TOKEN_VARIABLE } from '../../settings-files/http-handler.ts';
import { callsOurHook, isOurHandler } from '../../settings-files/our-handler.ts';

/** How an agent's settings file calls us. */
export interface OurCall {
  /** A program with its arguments. */
  words?: readonly string[];
  url?: string;
  /** For a server: each call includes the token from the agent's environment. */
  sendsToken?: boolean;
}

/** Our calls in a settings file, without duplicates. */
export function ourCalls(path: string, text: string): OurCall[] {
  const calls = callsIn(path, text);
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}

function callsIn(path: string, text: string): OurCall[] {
  if (path.endsWith('.json'))
    return handlersIn(readJson(text, path))
      .filter((handler) => !isStatusLine(handler))
      .map(callOf);
  if (path.endsWith('.toml')) {
    const commands = [...text.matchAll(/^command\s*=\s*(".*")\s*$/gm)].map(
      ([, line]) => JSON.parse(line!) as string,
    );
    return commands.filter(callsOurHook).map(inShell);
  }
  if (!/\.(?:[jt]s|py)$/.test(path)) return [{ words: [path] }];
  // A plugin contains the command or, in a project, uses the launcher.
  const own = /(?:const command|^COMMAND) = (\[".*\]);?$/m.exec(text)?.[1];
  return [
    {
      words:
        own === undefined
          ? ['node', join(dirname(path), '..', '..', LAUNCHER)]
          : (JSON.parse(own) as string[]),
    },
  ];
}

/** A status line records nothing. */
const isStatusLine = ({ command }: Record<string, unknown>): boolean =>
  typeof command === 'string' && command.endsWith(' --statusline');

function handlersIn(value: unknown): Record<string, unknown>[] {
  if (isObject(value) && isOurHandler(value)) return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(handlersIn)
    : [];
}

function callOf({
  command,
  args,
  bash,
  powershell,
  url,
  headers,
  allowedEnvVars,
}: Record<string, unknown>): OurCall {
  if (typeof url === 'string')
    return { url, sendsToken: [headers, allowedEnvVars].every(namesToken) };
  if (Array.isArray(args)) return { words: [String(command), ...args.map(String)] };
  return inShell(String(command ?? (process.platform === 'win32' ? powershell : bash)));
}

const namesToken = (value: unknown): boolean =>
  (JSON.stringify(value) ?? '').includes(TOKEN_VARIABLE);

const inShell = (line: string): OurCall => ({
  words:
    process.platform === 'win32'
      ? ['powershell.exe', '-NoProfile', '-Command', line]
      : ['/bin/sh', '-c', line],
});
