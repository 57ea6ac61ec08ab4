import { hash64 } from '../hash.ts';
import type { Asks, Region, Verb } from '../prints.ts';
import { endsJobs } from './asks.ts';
import { canonicalOf } from './canonical-line.ts';
import { type CommandPart, combine } from './combine.ts';
import type { Command } from './command.ts';
import { type Deed, deed } from './deed.ts';
import { filePath } from './file-path.ts';
import { innerLine } from './inner-line.ts';
import { mainOf } from './main-part.ts';
import { parseShell } from './parse.ts';
import { classifyProgram } from './programs.ts';
import { redirect } from './redirect.ts';
import { type Unwrapped, unwrap } from './unwrap.ts';

/** What a shell command does, and what identifies it. */
export interface ShellPrint {
  /**
   * What it runs, without anything that does not change it: spacing, quotes, `cd x &&`, `| head`,
   * `2>&1`, echoes, time limits.
   */
  canonical: string;
  /** Program and subcommand of its main part: `npm test`. */
  tool: string;
  verb: Verb;
  /** `file:` or `url:`, if it touches exactly one. */
  target: string | null;
  /** All files, if it names several. */
  targets?: string[];
  wide: boolean;
  effect: 'none' | 'target' | 'any';
  /** Whether the command itself waits. */
  sleeps: boolean;
  /** What it asks for, if it only looks; null if that is not known. */
  asks: Asks | null;
  /** The files that it writes while it continues in the background; null if it does not. */
  background: string[] | null;
  /** Ends what runs in the background. */
  endsJobs: boolean;
  region: Region | null;
  /**
   * Shows the content of its target, or, if `wide`, the state of the files as a whole: a test run,
   * `git diff`.
   */
  look: boolean;
  /** Changes the content of a file in place. */
  patch: boolean;
  clears: 'none' | 'target' | 'space';
  /**
   * The folder it runs in, if it says so: `cd x &&`, `git -C x`. Not part of `canonical`, but part
   * of a command's identity.
   */
  directory: string | null;
  /** Its exit code is not that of its main part: `npm test | tail`. */
  muted: boolean;
}

interface Line {
  total: Deed;
  muted: boolean;
  canonical: string;
  directory: string | null;
  background: string[] | null;
}

const MAX_NESTED = 3;
const MAX_TARGETS = 16;
const GOES = new Set(['cd', 'pushd', 'chdir', 'set-location']);

let last: { command: string; print: ShellPrint } | null = null;

/**
 * Reads any text as a shell command. Never throws. Examines 8 KB and the here-documents in them.
 */
export function readShell(command: string): ShellPrint {
  // A cache: a call is read when it is proposed and again when it has finished.
  if (last?.command === command) return last.print;
  const print = PLACEHOLDER.test(command) ? hidden(command) : toPrint(readLine(command, 0));
  last = { command, print };
  return print;
}

/** What a host writes in place of a command that it does not show. */
export const PLACEHOLDER =
  /^\s*(?:<[\w -]*redacted[\w -]*>|<hidden>|\[[\w -]*redacted[\w -]*\]|\*{3,}|\.{3,}|…)\s*$/i;

/** Nothing is known about a hidden command, so it may do anything. */
const hidden = (command: string): ShellPrint =>
  toPrint({
    total: { ...deed('sh', 'execute'), look: false },
    canonical: command.trim(),
    directory: null,
    muted: false,
    background: null,
  });

function toPrint({ total, canonical, directory, muted, background }: Line): ShellPrint {
  const { files, url, many } = total;
  const single = files.length === 1 && !many;
  const print: ShellPrint = {
    canonical,
    tool: total.tool,
    verb: total.verb,
    target: single ? `file:${files[0]}` : files.length === 0 && url !== null ? `url:${url}` : null,
    wide: total.wide,
    effect: total.effect,
    sleeps: total.sleeps,
    asks: total.asks,
    background,
    endsJobs: endsJobs(total.tool),
    region: total.region,
    look: total.look,
    patch: total.patch,
    clears: total.clears,
    directory,
    muted,
  };
  if (files.length > 1) print.targets = files.slice(0, MAX_TARGETS).map((path) => `file:${path}`);
  return print;
}

function readLine(line: string, nesting: number, from: string | null = null): Line {
  const parsed = parseShell(line);
  const { parts, directory, home } = readParts(parsed.commands, nesting, from);
  const wrapped = soleShell(parts);
  if (wrapped !== null && nesting < MAX_NESTED) {
    return readLine(wrapped, nesting + 1, directory);
  }
  const canonical =
    canonicalOf(parts) + (parsed.end < line.length ? ` …${hash64(line.slice(parsed.end))}` : '');
  const main = mainOf(parts);
  const after = parts.slice(main === null ? 0 : parts.indexOf(main) + 1);
  const muted = after.some(({ command: { depth, joint } }) => depth === 0 && joint !== '&&');
  return {
    total: combine(parts, main),
    canonical,
    directory: home ?? directory,
    muted,
    background: backgroundOf(parts),
  };
}

/** What each command does; the folder that the line ends in, and that of its last real part. */
interface Parts {
  parts: CommandPart[];
  directory: string | null;
  home: string | null;
}

function readParts(commands: readonly Command[], nesting: number, from: string | null): Parts {
  const found: Parts = { parts: [], directory: from, home: null };
  for (const command of commands) {
    const part = readPart(command, nesting);
    if (part.run !== null && command.depth === 0) locate(found, part.run, part.deed);
    found.parts.push(part);
  }
  return found;
}

function readPart(command: Command, nesting: number): CommandPart {
  const run =
    command.words.length === 0
      ? null
      : unwrap(command.words, command.marks, 0, command.joint === '|', command.body);
  const inner = (text: string): Deed =>
    nesting < MAX_NESTED ? readLine(text, nesting + 1).total : deed('sh', 'execute');
  const done =
    run === null || command.lead === 'for'
      ? deed(run?.name ?? '=', 'nothing')
      : classifyProgram(run, inner);
  redirect(done, command, run);
  return { command, run, deed: done };
}

/** Makes the files of a part relative to the folder that it runs in. */
function locate(found: Parts, run: Unwrapped, done: Deed): void {
  if (GOES.has(run.name)) found.directory = goneTo(run, found.directory);
  const { directory } = found;
  const own =
    run.name === 'git' && run.words[run.at + 1] === '-C'
      ? filePath(run.words[run.at + 2] ?? '', directory)
      : directory;
  if (done.files.length > 0) done.files = done.files.map((path) => filePath(path, own));
  if (done.role !== 'silent') found.home = own;
}

/**
 * The files that the parts write which go on in the background; null if there are no such parts.
 */
function backgroundOf(parts: readonly CommandPart[]): string[] | null {
  const left = parts.filter(({ command, deed: done }) => command.background || done.starts);
  return left.length === 0
    ? null
    : left.flatMap(({ command }) => command.writes).slice(0, MAX_TARGETS);
}

/** The inner line of `bash -lc '…'`, if that is all the command does. */
function soleShell(parts: readonly CommandPart[]): string | null {
  let found: string | null = null;
  for (const { command, run, deed: done } of parts) {
    if (command.depth > 0 || (run !== null && GOES.has(run.name))) continue;
    if (found !== null || run === null || command.writes.length > 0 || done.role !== '')
      return null;
    found = innerLine(run);
    if (found === null) return null;
  }
  return found;
}

function goneTo(run: Unwrapped, from: string | null): string | null {
  const word = run.words.at(-1)!;
  return run.words.length === run.at + 1 || word === '-' ? null : filePath(word, from);
}
