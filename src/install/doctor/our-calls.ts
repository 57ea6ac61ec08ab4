import { isObject } from '../../importers/json.ts';
import { readJson } from '../edit-json.ts';
import { callsOurHook, isOurHandler } from '../our-handler.ts';

/** How a file of an agent's settings calls us. */
export interface OurCall {
  /** A program and its arguments; or the address of a server. */
  words?: readonly string[];
  url?: string;
}

/** What our part in a file calls, each once. */
export function ourCalls(path: string, text: string): OurCall[] {
  const calls = path.endsWith('.json')
    ? handlersIn(readJson(text, path)).map(callOf)
    : path.endsWith('.toml')
      ? [...text.matchAll(/^command\s*=\s*(".*")\s*$/gm)]
          .map(([, line]) => JSON.parse(line!) as string)
          .filter(callsOurHook)
          .map(inShell)
      : path.endsWith('.js')
        ? [...text.matchAll(/const command = (\[".*\]);/g)].map(([, words]) => ({ words: JSON.parse(words!) as string[] }))
        : [{ words: [path] }];
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}

function handlersIn(value: unknown): Record<string, unknown>[] {
  if (isObject(value) && isOurHandler(value)) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(handlersIn) : [];
}

function callOf({ command, args, bash, powershell, url }: Record<string, unknown>): OurCall {
  if (typeof url === 'string') return { url };
  if (Array.isArray(args)) return { words: [String(command), ...args.map(String)] };
  return inShell(String(command ?? (process.platform === 'win32' ? powershell : bash)));
}

const inShell = (line: string): OurCall => ({
  words: process.platform === 'win32' ? ['powershell.exe', '-NoProfile', '-Command', line] : ['/bin/sh', '-c', line],
});
