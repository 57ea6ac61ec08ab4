import type { Asks, Region, Verb } from '../prints.ts';
import { DYNAMIC, GLOB } from './word.ts';

/** What one program of a command line does. */
export interface Deed {
  /** Program and subcommand. */
  tool: string;
  verb: Verb;
  effect: 'none' | 'target' | 'any';
  /** The files that it names; for a write, the ones that it changes. */
  files: string[];
  /** It touches files that the text does not name. */
  many: boolean;
  url: string | null;
  wide: boolean;
  /** Shows the content of files, or whether they work. */
  look: boolean;
  /** Changes the content of a file, as opposed to removing or replacing it. */
  patch: boolean;
  clears: 'none' | 'target' | 'space';
  sleeps: boolean;
  /** What it asks for, if it only looks; null if that is not known. */
  asks: Asks | null;
  /** Leaves something running. */
  starts: boolean;
  region: Region | null;
  /**
   * Its part in the line: `silent` (echo, cd) and `limiter` (head) do not change what is run; a
   * `source` (cat) only feeds the next program; a `light` write (mkdir, a formatter) does not turn
   * a check that follows into a write.
   */
  role: '' | 'silent' | 'limiter' | 'source' | 'light';
}

/** A program and its words. Wrappers before it, such as `sudo` and `npx`, are skipped. */
export interface Invocation {
  words: readonly string[];
  marks: readonly number[];
  /** Index of the program among the words. */
  at: number;
  /** The program's name, without its folder. */
  name: string;
  /** Its input comes from the program before it. */
  piped: boolean;
  body: string | null;
  /** How many programs like `xargs` it is nested in. */
  carried: number;
}

export type ProgramRule = (run: Invocation) => Deed;

/** What a program with this verb usually does, with `known` overriding it. */
export function deed(tool: string, verb: Verb, known: Partial<Deed> = {}): Deed {
  const writes = verb === 'write' || verb === 'execute' || verb === 'unknown';
  return {
    tool,
    verb,
    effect: writes ? 'any' : 'none',
    files: [],
    many: false,
    url: null,
    wide: verb === 'read' || verb === 'verify' || verb === 'execute',
    look: verb === 'verify' || verb === 'execute',
    patch: false,
    clears: 'none',
    sleeps: verb === 'wait',
    asks: null,
    starts: false,
    region: null,
    role: '',
    ...known,
  };
}

export const NO_OPTIONS: ReadonlySet<string> = new Set();
export const options = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The same value under each of these names. */
export const under = <T>(names: string, value: T): [name: string, value: T][] =>
  names.split(' ').map((name) => [name, value]);

/**
 * Indices of the words that are not options. Options in `valued` take the next word as their value.
 */
export function operands(run: Invocation, valued: ReadonlySet<string> = NO_OPTIONS): number[] {
  const found: number[] = [];
  const { words } = run;
  for (let i = run.at + 1; i < words.length; i++) {
    const word = words[i]!;
    if (word.charCodeAt(0) === 45 && word.length > 1) {
      if (word === '--') {
        for (let j = i + 1; j < words.length; j++) found.push(j);
        break;
      }
      if (valued.has(word)) i++;
    } else found.push(i);
  }
  return found;
}

/**
 * Adds the named files to `target`. A pattern or a variable means that it touches files that are
 * not named.
 */
export function addFiles(
  target: Deed,
  run: Invocation,
  indices: readonly number[],
  from = 0,
): Deed {
  for (let i = from; i < indices.length; i++) {
    const index = indices[i]!;
    const word = run.words[index]!;
    if (word === '' || word === '-') continue;
    if (
      (run.marks[index]! & DYNAMIC) !== 0 ||
      ((run.marks[index]! & GLOB) !== 0 && /[*?[{]/.test(word))
    )
      target.many = true;
    else target.files.push(word);
  }
  return target;
}

/** Reads the named files; without any, filters what is piped in. */
export function readFiles(run: Invocation, indices: readonly number[], from = 0): Deed {
  const reading = addFiles(deed(run.name, 'read'), run, indices, from);
  const named = reading.files.length > 0 || reading.many;
  reading.wide = reading.many || reading.files.length > 1;
  reading.look = named;
  return reading;
}

/** Changes the named files. */
export function writeFiles(run: Invocation, indices: readonly number[], from = 0): Deed {
  const writing = addFiles(deed(run.name, 'write'), run, indices, from);
  if (writing.files.length === 1 && !writing.many) writing.effect = 'target';
  return writing;
}

/** Whether one of these words is among its arguments. */
export function has(run: Invocation, ...flags: string[]): boolean {
  for (let i = run.at + 1; i < run.words.length; i++)
    if (flags.includes(run.words[i]!)) return true;
  return false;
}

/** Whether it has a short option with this letter, alone or in a cluster: `-la` has `l`. */
export function hasLetter(run: Invocation, letter: string): boolean {
  for (let i = run.at + 1; i < run.words.length; i++) {
    const word = run.words[i]!;
    if (word.length > 1 && word[0] === '-' && word[1] !== '-' && word.includes(letter)) return true;
  }
  return false;
}
