import { isObject } from '../json.ts';
import { filePath } from '../shell/file-path.ts';
import { shellWord } from '../text/shell-word.ts';
import type { Arguments } from './profile.ts';

/** Longer values are content, not names. */
const MAX_NAME_LENGTH = 512;
const MAX_JSON_LENGTH = 65_536;
const MAX_LITERALS_LENGTH = 2048;
/**
 * Clicks are rounded to this grid, in pixels, so that near ones hit the same thing. Small buttons
 * are about this high.
 */
const GRID = 16;

const NONE: Arguments = Object.freeze({});

/**
 * Arguments as an object, and as text if they came as text: `'a12', 'value'`, `path="a.py"`, or
 * JSON in a string.
 */
export function readCallArguments(args: unknown): { named: Arguments; text: string | null } {
  if (typeof args === 'string') {
    if (args.startsWith('{') && args.length <= MAX_JSON_LENGTH) {
      try {
        const parsed: unknown = JSON.parse(args);
        if (isObject(parsed)) return { named: parsed, text: null };
      } catch {
        // Not JSON, so it is plain text.
      }
    }
    return { named: literals(args), text: args };
  }
  return { named: isObject(args) ? args : NONE, text: null };
}

/** `name="value"` and `name=5` in text. */
function literals(text: string): Arguments {
  if (!text.includes('=')) return NONE;
  const found: Record<string, unknown> = {};
  for (const match of text
    .slice(0, MAX_LITERALS_LENGTH)
    .matchAll(/\b([A-Za-z_]\w{0,40})\s*=\s*(?:"([^"\n]{0,300})"|'([^'\n]{0,300})'|(\d{1,12}))/g)) {
    found[match[1]!] ??= match[2] ?? match[3] ?? Number(match[4]);
  }
  return found;
}

/** The first literal of `'a12', 'value'`. */
export function firstLiteral(text: string): string | null {
  const match = /^\s*(?:'([^'\n]{1,300})'|"([^"\n]{1,300})")/.exec(text);
  return match ? (match[1] ?? match[2]!) : null;
}

/** The first of these arguments that is given. */
export function given(args: Arguments, names: readonly string[] | undefined): unknown {
  if (names === undefined) return undefined;
  for (const name of names) {
    const value = args[name];
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
}

/** Like `given`, but only text. */
export function givenText(args: Arguments, names: readonly string[] | undefined): string | null {
  const value = given(args, names);
  return typeof value === 'string' ? value : null;
}

/** Like `given`, but only a number. */
export function givenNumber(args: Arguments, name: string | undefined): number | null {
  const value = name === undefined ? undefined : args[name];
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** What an argument names, with its kind: `file:src/a.ts`. Null if it names nothing. */
export function targetOf(kind: string, value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return `${kind}:${value}`;
  if (typeof value === 'string') {
    if (value === '' || value.length > MAX_NAME_LENGTH) return null;
    if (kind === 'file') return `file:${filePath(value)}`;
    // Models write the number of an element as the page shows it: `[12]`, `[12] Save`.
    return `${kind}:${kind === 'element' ? value.replace(/^\s*\[(\w+)\].*$/s, '$1').trim() : value.trim()}`;
  }
  if (kind !== 'element' || typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return pointArgument(value[0], value[1]);
  const { ref, x, y } = value as Record<string, unknown>;
  return typeof ref === 'string' ? targetOf(kind, ref) : pointArgument(x, y);
}

/** A place on the screen, rounded to the grid. */
export function pointArgument(x: unknown, y: unknown): string | null {
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x + y)) return null;
  return `element:@${Math.round(x / GRID) * GRID},${Math.round(y / GRID) * GRID}`;
}

/**
 * A shell command given as text, as a list of words, or as a list of commands. In the last case the
 * first item contains blanks, which no program name does.
 */
export function commandArgument(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (
    !Array.isArray(value) ||
    value.length === 0 ||
    !value.every((word) => typeof word === 'string')
  )
    return null;
  if (/\S\s+\S/.test(value[0] as string)) return value.join('\n');
  return value.map(shellWord).join(' ');
}

const FOLDERS = [
  'workdir',
  'cwd',
  'working_directory',
  'workingDirectory',
  'dir_path',
  'directory',
  'Cwd',
];

/** The command, preceded by `cd` if another argument names the folder it runs in. */
export function commandIn(args: Arguments, command: string): string {
  const folder = givenText(args, FOLDERS);
  return folder === null ? command : `cd ${commandArgument([folder])} && ${command}`;
}
