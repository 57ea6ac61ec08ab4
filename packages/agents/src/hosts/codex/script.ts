import { textOf } from '@unrut/engine/json';
import { quoted } from '@unrut/engine/text/shell-word';

/** A call made by the model. */
interface Called {
  tool: string;
  args: unknown;
}

/** More is a program, not a few calls. */
const MAX_CALLS = 16;
const MAX_LENGTH = 65_536;

/**
 * The call of a code-mode script such as `const r = await tools.exec_command({cmd: "ls"})`; several
 * commands and patches are joined to one shell line. Undefined if it cannot be determined; the
 * script then counts as the call.
 */
export function scriptCall(script: unknown): Called | undefined {
  if (typeof script !== 'string' || script.length > MAX_LENGTH) return undefined;
  const calls: Called[] = [];
  for (const match of script.matchAll(/\btools\s*\.\s*(\w+)\s*\(|\btools\s*\[/g)) {
    const reading = { text: script, at: match.index + match[0].length };
    const args = match[1] === undefined ? undefined : (literal(reading) ?? named(reading));
    if (
      args === undefined ||
      !/^\s*[,)]/.test(script.slice(reading.at)) ||
      calls.length === MAX_CALLS
    )
      return undefined;
    calls.push({ tool: match[1]!, args: typeof args === 'object' ? args : { input: args } });
  }
  if (calls.length < 2) return calls[0];
  const lines = calls.map(commandOf);
  return lines.includes('') ? undefined : { tool: 'exec_command', args: { cmd: lines.join('\n') } };
}

function commandOf({ tool, args }: Called): string {
  const { cmd, workdir, input } = args as { cmd?: unknown; workdir?: unknown; input?: unknown };
  if (tool === 'apply_patch') return textOf(input) && `apply_patch ${quoted(textOf(input))}`;
  if (tool !== 'exec_command') return '';
  return typeof workdir === 'string' ? `cd ${quoted(workdir)} && ${textOf(cmd)}` : textOf(cmd);
}

interface Reading {
  text: string;
  at: number;
}

const TEXT =
  /\s*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\[\s\S]|\$(?!\{))*)`)/y;
const PLAIN = /\s*(-?\d+(?:\.\d+)?|true|false|null)\b/y;
const KEY = /\s*(?:([A-Za-z_$][\w$]*)|"([^"\\\n]*)"|'([^'\\\n]*)')\s*:/y;

/** A literal value in a script; undefined for anything computed. */
function literal(reading: Reading, depth = 0): unknown {
  const text = next(reading, TEXT);
  if (text) return unescaped(text[1] ?? text[2] ?? text[3]!);
  const plain = next(reading, PLAIN);
  if (plain) return JSON.parse(plain[1]!);
  const open = next(reading, /\s*([[{])/y)?.[1];
  if (open === undefined || depth > 4) return undefined;
  const entries: [string, unknown][] = [];
  while (!next(reading, open === '[' ? /\s*\]/y : /\s*\}/y)) {
    const key =
      open === '['
        ? [String(entries.length)]
        : next(reading, KEY)
            ?.slice(1)
            .filter((each) => each !== undefined);
    const value = key?.[0] === undefined ? undefined : literal(reading, depth + 1);
    if (value === undefined || !next(reading, /\s*(?:,|(?=[\]}]))/y)) return undefined;
    entries.push([key![0]!, value]);
  }
  return open === '[' ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

/** The literal value of a constant in the script, such as a patch. */
function named(reading: Reading): unknown {
  const name = next(reading, /\s*([A-Za-z_$][\w$]*)(?=\s*[,)])/y)?.[1];
  if (name === undefined) return undefined;
  const { text } = reading;
  const set = [...text.matchAll(/\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=(?!=)/g)].filter(
    (each) => each[1] === name,
  );
  const isChanged = [...text.matchAll(/([A-Za-z_$][\w$]*)\s*\+?=(?![=>])/g)].filter(
    (each) => each[1] === name,
  );
  if (set.length !== 1 || isChanged.length !== 1) return undefined;
  const value = { text, at: set[0]!.index + set[0]![0].length };
  const read = literal(value);
  return next(value, /[ \t]*(?:;|\n|$)/y) ? read : undefined;
}

function next(reading: Reading, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (found) reading.at = pattern.lastIndex;
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
  '\n': '',
};

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, (_, wide, narrow, one) =>
    one === undefined
      ? String.fromCharCode(Number.parseInt(wide ?? narrow, 16))
      : (ESCAPES[one] ?? one),
  );
