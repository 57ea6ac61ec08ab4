import type { Json } from './event.ts';

/** What a call does to its target. */
export type Verb = 'read' | 'write' | 'verify' | 'execute' | 'wait' | 'navigate' | 'nothing' | 'unknown';

/** What makes one call the same as another. */
export interface CallPrint {
  id: string;
  /** The tool; for shells the program and subcommand (`npm test`). */
  tool: string;
  /** It is a shell command. */
  shell: boolean;
  /** Equal keys are the same call. */
  key: string;
  /** As `key`, with the numbers in the arguments masked: a drifting price keeps it. */
  shape: string;
  /** Sorted hashes of the words in the arguments, at most 32. */
  words: number[];
  /** A shell command whose exit code is not that of its program: `npm test | tail`. */
  muted: boolean;
  /** The folder that a shell command runs in, as a hash; null for other calls. */
  folder: string | null;
  verb: Verb;
  /** What it touches: its kind and a hash (`file:…`, `widget:…`). */
  target: string | null;
  /** The target for a reader, redacted and short; empty where there is none. */
  targetLabel: string;
  /** Hash of where the target lives, when the tool names a space. */
  space: string | null;
  /** Its answer depends on more than its target: tests, builds, listings, searches, `git status`. */
  wide: boolean;
  /** What it can change: nothing, its target, or anything. */
  effect: 'none' | 'target' | 'any';
  /** Hashes of the lines that a write replaces and leaves, or its line range; null when it names none. */
  region: Region | null;
  /** Declared a poll, or waits inside. */
  poll: boolean;
  /** Tool and target for a reader, redacted and short. */
  label: string;
  /** How notes speak of writes to this kind of target. */
  editWords: EditWords;
  /** Changes its target(s) in place: counts for edit streaks. Moving, removing or rendering a thing does not. */
  patch: boolean;
  /** A fresh look at its target(s); with `wide`, at everything of its kind: a test run, `git diff`, a screenshot. */
  look: boolean;
  /** Which edit streaks it ends without looking: those of its target(s), or all of its `space` (for files the space is null). */
  clears: 'target' | 'space' | 'none';
  /** Each thing that it touches, when it names several; `target` is null then. */
  targets?: string[];
  /** What the host would rather do, for an action that is proposed. */
  instead?: { [name: string]: Json };
}

export interface Region {
  /** First and last line, 1-based. */
  lines?: [number, number];
  /** Hash of the text replaced, and of what it became. */
  before?: string;
  after?: string;
  /** Hashes of the non-trivial lines on both sides, at most 24. */
  hashes: number[];
  /** Those of them that it took away, and those that it brought. */
  gone?: number[];
  added?: number[];
}

/** `3rd consecutive <act> <object> without <look> — <remedy>.` */
export interface EditWords {
  /** patch | edit */
  act: string;
  /** on this widget | of src/a.ts */
  object: string;
  /** a fresh readWidget | reading it */
  look: string;
  remedy: string;
}

/** A page that lets nobody pass: it wants a login or a proof of being human, or refuses access. */
export type Wall = 'login' | 'captcha' | 'access';

/** What a result says of the way in which its call failed, and of the page that it shows. */
export interface FailurePrint {
  /** The name of the way in which the call failed, one of `src/failures/`; null when it did not. */
  failure: string | null;
  /** The wall that it shows, `none` for any other page; null where it shows no page. */
  wall: Wall | 'none' | null;
  /** Hash of the page's address. */
  page?: number;
  /** What the error offers in place of what was given, and what it is about; short, and free of secrets. */
  offered?: string;
  about?: string;
  /** What the tool says it acted on speaks of what cannot be taken back; missing where it does not say. */
  grave?: boolean;
  /** Words in the error that may be names of tools. */
  mentioned?: string[];
}

/** What a result brought. */
export interface ResultPrint extends FailurePrint {
  /** False when the host gave no result: it equals another missing one, at half strength. */
  known: boolean;
  /** Equal digests are the same result, noise aside. */
  digest: string;
  /** How many times in a row this call has now brought this same result, this one included. */
  run: number;
  /** 0..1: the share of its lines, by their length, that was never seen in this session, noise aside. */
  novelty: number;
  /** Characters of text. */
  size: number;
  /** Says nothing: empty, no results. */
  empty: boolean;
  /** Says that what was asked for is not there: empty, or "no matches", "could not find it", whether that is an error or not. */
  missing: boolean;
  /** A bare acknowledgement: ok, done, created. */
  acknowledgement: boolean;
  error: ErrorPrint | null;
  /** Mostly what the call itself said: a program that prints its own text, a tool that gives its arguments back. */
  echo: boolean;
  /** Names a state of waiting: pending, queued, running. */
  pending: boolean;
  /** A quantity with direction is not what it was when this call was last made. */
  moved: boolean;
  /** How many failures it reports, where it says. */
  failures: number | null;
}

export interface ErrorPrint {
  /** Tool and kind of error, with paths, numbers and quoted values masked. */
  class: string;
  /** The kind alone, whatever tool it comes from; empty where the words are too few to tell one from another. */
  kind: string;
  /** The kind in a few words, for a reader. */
  label: string;
  /** Sorted hashes of the words in its message, at most 64: what a next try may have learned from it. */
  words: number[];
  transient: boolean;
  /** The call itself was at fault, before any tool ran. */
  refusal: 'tool' | 'arguments' | null;
}
