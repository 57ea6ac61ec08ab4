import { hash64 } from '../hash.ts';
import type { Asks, Region, Verb } from '../prints.ts';
import { type Act, act } from './act.ts';
import { endsJobs } from './asks.ts';
import { commandText } from './canonical-command.ts';
import type { Command } from './command.ts';
import { filePath } from './file-path.ts';
import { appended } from './files.ts';
import { parseShell } from './parse.ts';
import { classifyProgram } from './programs.ts';
import { wholeFile } from './region.ts';
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
  /** The files that it writes while it goes on in the background; null if it does not. */
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
  total: Act;
  muted: boolean;
  canonical: string;
  directory: string | null;
  background: string[] | null;
}

const MAX_NESTED = 3;
const MAX_TARGETS = 16;
const SHELLS = new Set(['bash', 'sh', 'zsh', 'dash']);
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
    total: { ...act('sh', 'execute'), look: false },
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

interface Part {
  command: Command;
  run: Unwrapped | null;
  act: Act;
}

function readLine(line: string, nesting: number, from: string | null = null): Line {
  const parsed = parseShell(line);
  const parts: Part[] = [];
  let directory = from;
  let home: string | null = null;
  const inner = (text: string): Act =>
    nesting < MAX_NESTED ? readLine(text, nesting + 1).total : act('sh', 'execute');
  for (const command of parsed.commands) {
    const run =
      command.words.length === 0
        ? null
        : unwrap(command.words, command.marks, 0, command.joint === '|', command.body);
    const done =
      run === null || command.lead === 'for'
        ? act(run?.name ?? '=', 'nothing')
        : classifyProgram(run, inner);
    redirect(done, command, run);
    if (run !== null && command.depth === 0) {
      if (GOES.has(run.name)) directory = goneTo(run, directory);
      const own =
        run.name === 'git' && run.words[run.at + 1] === '-C'
          ? filePath(run.words[run.at + 2] ?? '', directory)
          : directory;
      if (done.files.length > 0) done.files = done.files.map((path) => filePath(path, own));
      if (done.role !== 'silent') home = own;
    }
    parts.push({ command, run, act: done });
  }
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

/** The files that the parts write which go on in the background; null if there are no such parts. */
function backgroundOf(parts: readonly Part[]): string[] | null {
  const left = parts.filter(({ command, act: done }) => command.background || done.starts);
  return left.length === 0
    ? null
    : left.flatMap(({ command }) => command.writes).slice(0, MAX_TARGETS);
}

/** The inner line of `bash -lc '…'`, if that is all the command does. */
function soleShell(parts: readonly Part[]): string | null {
  let found: string | null = null;
  for (const { command, run, act: done } of parts) {
    if (command.depth > 0 || (run !== null && GOES.has(run.name))) continue;
    if (
      found !== null ||
      run === null ||
      !SHELLS.has(run.name) ||
      command.writes.length > 0 ||
      done.role !== ''
    )
      return null;
    const option = run.words.findIndex((word, i) => i > run.at && /^-[a-z]*c$/.test(word));
    if (option < 0) return null;
    found = run.words[option + 1] ?? null;
    if (found === null) return null;
  }
  return found;
}

function goneTo(run: Unwrapped, from: string | null): string | null {
  const word = run.words.at(-1)!;
  return run.words.length === run.at + 1 || word === '-' ? null : filePath(word, from);
}

/**
 * A redirection to a file turns a read or an echo into a write. A check or a program stays what it
 * is.
 */
function redirect(done: Act, command: Command, run: Unwrapped | null): void {
  const writes = command.writes.length > 0 || command.dynamicWrite;
  if (!writes) {
    if (command.reads.length === 1 && done.verb === 'read' && done.files.length === 0) {
      done.files.push(command.reads[0]!);
      done.look = true;
    }
    return;
  }
  if (done.verb === 'verify' || done.verb === 'execute') return;
  if (done.verb !== 'write') {
    done.verb = 'write';
    done.files = [];
    done.many = done.wide = done.look = done.sleeps = false;
    done.patch = true;
    done.role = '';
    const printed =
      run !== null && (run.name === 'echo' || run.name === 'printf')
        ? run.words.slice(run.at + 1).join(' ')
        : null;
    const content = command.body ?? printed;
    if (content !== null) done.region = command.append ? appended(content) : wholeFile(content);
  }
  done.files.push(...command.writes);
  done.many ||= command.dynamicWrite;
  done.effect = done.files.length === 1 && !done.many ? 'target' : 'any';
}

const STRENGTH: Readonly<Record<Verb, number>> = {
  nothing: 0,
  wait: 1,
  read: 2,
  navigate: 3,
  unknown: 3,
  verify: 5,
  execute: 6,
  write: 7,
};
const LIGHT = 4;
const SILENT = 0.5;
const strength = (done: Act): number =>
  done.role === 'light' ? LIGHT : done.role === 'silent' ? SILENT : STRENGTH[done.verb];

/** The whole line as one act: the strongest verb, and everything that it touches. */
function combine(parts: readonly Part[], main: Part | null): Act {
  const total = act(main?.act.tool ?? ':', 'nothing');
  let strongest = -1;
  for (const { act: done } of parts) {
    if (strength(done) > strongest) {
      strongest = strength(done);
      total.verb = done.verb;
    }
    total.look ||= done.look;
    if (done.role !== 'limiter' && (done.asks === 'state' || total.asks === null))
      total.asks = done.asks;
    total.sleeps ||= done.sleeps;
    total.wide ||= done.wide;
    if (done.clears === 'space' || total.clears === 'none') total.clears = done.clears;
    if (done.url !== null) total.url = done.url;
  }
  // What a program prints is the state that it asks for only if nothing else runs beside it.
  const asksState = (part: Part): boolean =>
    part.act.verb !== total.verb || part.act.asks === 'state';
  if (total.verb !== 'read' && !(total.verb === 'execute' && parts.every(asksState)))
    total.asks = null;
  const writes = total.verb === 'write';
  let regions = 0;
  for (const { act: done } of parts) {
    if (writes ? done.verb !== 'write' : done.verb !== 'read' || total.verb !== 'read') continue;
    for (const path of done.files) if (!total.files.includes(path)) total.files.push(path);
    total.many ||= done.many;
    total.patch ||= writes && done.patch;
    if (done.patch && regions++ === 0) total.region = done.region;
  }
  if (regions > 1) total.region = null;
  // A formatter before a check changes files, although the line counts as a check.
  if (total.verb === 'execute' || (total.verb === 'verify' && parts.some(isFormatter)))
    total.effect = 'any';
  else if (writes) {
    const bounded = parts.every(
      ({ act: done }) => done.effect === 'none' || done.effect === 'target',
    );
    total.effect = bounded && total.files.length === 1 && !total.many ? 'target' : 'any';
    // Apart from its writes, what it shows depends on what it reads.
    total.wide = parts.some(
      ({ act: done }) =>
        done.wide && (done.verb === 'verify' || done.verb === 'execute' || done.look),
    );
  } else if (total.files.length > 1 || total.many) total.wide = true;
  return total;
}

const isFormatter = ({ act: done }: Part): boolean =>
  done.role === 'light' && done.files.length === 0;

/**
 * The last part that is neither an echo nor a fallback. In a pipeline, the first part that does
 * more than feed the next.
 */
function mainOf(parts: readonly Part[]): Part | null {
  let main: Part | null = null;
  let rank = -9;
  for (let i = 0; i < parts.length; ) {
    let fallback = false;
    let head: Part | null = null;
    let own = -1;
    for (let first = true; i < parts.length; i++) {
      const part = parts[i]!;
      if (part.command.depth > 0) continue;
      if (first) fallback = part.command.joint === '||';
      else if (part.command.joint !== '|') break;
      first = false;
      const weight = importance(part);
      if (weight > own || (weight === own && part.run?.name === 'xargs')) {
        head = part;
        own = weight;
      }
    }
    // A source that feeds a pipeline counts like any other part: only echoes, waits and fallbacks
    // leave the earlier part as the main one.
    const settled = Math.min(own, FEEDS) - (fallback ? 4 : 0);
    if (head !== null && settled >= Math.min(rank, FEEDS)) {
      main = head;
      rank = settled;
    }
  }
  return main ?? parts[0] ?? null;
}

const FEEDS = 2;

/**
 * 0 for an echo or a limiter, 1 for a wait, 2 for a source that feeds the next, 3 for anything
 * else.
 */
function importance({ act: done }: Part): number {
  if (done.verb === 'wait') return 1;
  if (done.role === 'limiter' || done.role === 'silent' || done.verb === 'nothing') return 0;
  return done.role === 'source' ? FEEDS : 3;
}

function canonicalOf(parts: readonly Part[]): string {
  return textOf(parts, true) || textOf(parts, false);
}

function textOf(parts: readonly Part[], dropping: boolean): string {
  let text = '';
  for (let i = 0; i < parts.length; i++) {
    const { command, run, act: done } = parts[i]!;
    if (command.depth > 0) continue;
    if (dropping) {
      if (done.role === 'limiter' && command.joint === '|') continue;
      if (done.role === 'silent' && !feeds(parts, i)) continue;
    }
    const one = commandText(command, run);
    if (one === '') continue;
    const joint = command.joint === '|' || command.joint === '||' ? ` ${command.joint} ` : ' ; ';
    text = text === '' ? one : text + joint + one;
  }
  return text;
}

/** Whether its output goes into a program that is more than a limiter. */
function feeds(parts: readonly Part[], index: number): boolean {
  for (let i = index + 1; i < parts.length; i++) {
    const { command, act: done } = parts[i]!;
    if (command.depth > 0) continue;
    if (command.joint !== '|') return false;
    if (done.role !== 'limiter') return true;
  }
  return false;
}
