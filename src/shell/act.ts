import type { Region, Verb } from '../prints.ts';
import { DYNAMIC, GLOB } from './word.ts';

/** What one program of a command line does. */
export interface Act {
  /** Program and subcommand. */
  tool: string;
  verb: Verb;
  effect: 'none' | 'target' | 'any';
  /** Files that it names; for a write the ones that it changes. */
  files: string[];
  /** It touches files that the text does not name. */
  many: boolean;
  url: string | null;
  wide: boolean;
  /** Shows what files hold, or whether they work. */
  look: boolean;
  /** Changes the content of a file, rather than removing or replacing the file. */
  patch: boolean;
  clears: 'none' | 'target' | 'space';
  sleeps: boolean;
  region: Region | null;
  /**
   * Its part in the line: `silent` (echo, cd) and `limiter` (head) do not change what is run, a `source` (cat) only feeds the next, a `light` write
   * (mkdir -p, a formatter) does not make a write of the check that follows.
   */
  role: '' | 'silent' | 'limiter' | 'source' | 'light';
}

/** A program and its words, with wrappers like `sudo` and `npx` before it passed over. */
export interface Invocation {
  words: readonly string[];
  marks: readonly number[];
  /** Where the program stands among the words. */
  at: number;
  /** The program, without its folder. */
  name: string;
  /** Its input comes from the program before it. */
  piped: boolean;
  body: string | null;
  /** How many programs like `xargs` carry it. */
  carried: number;
}

export type Rule = (run: Invocation) => Act;

/** What a program does by its verb alone, but for what is known better. */
export function act(tool: string, verb: Verb, known: Partial<Act> = {}): Act {
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
    region: null,
    role: '',
    ...known,
  };
}

export const NO_OPTIONS: ReadonlySet<string> = new Set();
export const options = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The same under each of these names. */
export const under = <T>(names: string, value: T): [name: string, value: T][] => names.split(' ').map((name) => [name, value]);

/** Indices of the words that are no options. Those in `valued` take the word after them. */
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

/** Puts the named files into `target`; a pattern or a variable stands for files that are not named. */
export function addFiles(target: Act, run: Invocation, indices: readonly number[], from = 0): Act {
  for (let i = from; i < indices.length; i++) {
    const index = indices[i]!;
    const word = run.words[index]!;
    if (word === '' || word === '-') continue;
    if ((run.marks[index]! & DYNAMIC) !== 0 || ((run.marks[index]! & GLOB) !== 0 && /[*?[{]/.test(word))) target.many = true;
    else target.files.push(word);
  }
  return target;
}

/** A look into the files that are named; without any, a filter of what is piped in. */
export function readFiles(run: Invocation, indices: readonly number[], from = 0): Act {
  const reading = addFiles(act(run.name, 'read'), run, indices, from);
  const named = reading.files.length > 0 || reading.many;
  reading.wide = reading.many || reading.files.length > 1;
  reading.look = named;
  return reading;
}

/** Changes the files that are named. */
export function writeFiles(run: Invocation, indices: readonly number[], from = 0): Act {
  const writing = addFiles(act(run.name, 'write'), run, indices, from);
  if (writing.files.length === 1 && !writing.many) writing.effect = 'target';
  return writing;
}

/** Has one of these words among its arguments. */
export function has(run: Invocation, ...flags: string[]): boolean {
  for (let i = run.at + 1; i < run.words.length; i++) if (flags.includes(run.words[i]!)) return true;
  return false;
}

/** Has a short option with this letter, alone or in a cluster: `-la` has `l`. */
export function hasLetter(run: Invocation, letter: string): boolean {
  for (let i = run.at + 1; i < run.words.length; i++) {
    const word = run.words[i]!;
    if (word.length > 1 && word[0] === '-' && word[1] !== '-' && word.includes(letter)) return true;
  }
  return false;
}
