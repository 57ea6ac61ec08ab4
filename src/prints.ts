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
