import type { Json } from './event.ts';

/** What a call does to its target. */
export type Verb =
  | 'read'
  | 'write'
  | 'verify'
  | 'execute'
  | 'wait'
  | 'navigate'
  | 'nothing'
  | 'unknown';

/**
 * What a look asks for: the state of something that runs by itself, content that only somebody's
 * work changes, or things that arrive by themselves (mails, free appointments), of which none may
 * be there yet.
 */
export type Asks = 'state' | 'content' | 'news';

/**
 * Whether the answer to a call can change although this agent does nothing that we see.
 * `undecided`: a program that succeeds, which may be repeated on purpose.
 */
export type CallWorld = 'closed' | 'open' | 'undecided';

/** What identifies a call, and what detectors need to know about it. */
export interface CallPrint {
  id: string;
  /** The tool; for shells the program and subcommand (`npm test`). */
  tool: string;
  /** Whether it is a shell command. */
  shell: boolean;
  /** Equal keys mean the same call. */
  key: string;
  /**
   * Like `key`, with the numbers in the arguments masked: it stays the same while a price drifts.
   */
  shape: string;
  /** Sorted hashes of the words in the arguments, at most 32. */
  words: number[];
  /** For a search through files: sorted hashes of the words in its pattern, at most 8. */
  sought?: number[];
  /** A shell command whose exit code is not its program's: `npm test | tail`. */
  muted: boolean;
  /** Hash of the folder that a shell command runs in; null for other calls. */
  folder: string | null;
  verb: Verb;
  /** What it touches: a kind and a hash (`file:…`, `widget:…`). */
  target: string | null;
  /** The target in words, redacted and short; empty if there is none. */
  targetLabel: string;
  /** Hash of the space that the target lives in, if the tool names one. */
  space: string | null;
  /**
   * Its result depends on more than its target: tests, builds, listings, searches, `git status`.
   */
  wide: boolean;
  /** What it can change: nothing, its target, or anything. */
  effect: 'none' | 'target' | 'any';
  /**
   * What a write replaces: hashes of the old and new lines, or a line range; null if the call names
   * neither.
   */
  region: Region | null;
  /** The tool is declared a poll, or the call itself waits. */
  poll: boolean;
  /** What it asks for, if it only looks; null if that is not known. */
  asks: Asks | null;
  /** Whether its target is a file that running programs append to. */
  log: boolean;
  /** Hashes of the names of files that it writes while it continues in the background. */
  background?: number[];
  /** Ends what runs in the background. */
  endsJobs?: true;
  /**
   * The arguments one by one, at most 6, to tell a reworded question from the next item of a list.
   */
  parts: ArgumentPrint[];
  /** Tool and target in words, redacted and short. */
  label: string;
  /** The words that notes use for writes to this kind of target. */
  editWords: EditWords;
  /**
   * Changes its targets in place, and so counts for edit streaks. Moving, removing or rendering
   * something does not.
   */
  patch: boolean;
  /**
   * A fresh look at its targets, or, if `wide`, at everything of their kind: a test run, `git
   * diff`, a screenshot.
   */
  look: boolean;
  /**
   * The edit streaks that it ends without being a look: those of its targets, or all of its `space`
   * (which is null for files).
   */
  clears: 'target' | 'space' | 'none';
  /** Everything that it touches, if it names several things; `target` is then null. */
  targets?: string[];
  /** For a proposed action: what the host prefers to do if the action is part of a loop. */
  instead?: { [name: string]: Json };
}

/**
 * One argument of a call, or one word of a command: hashes of its name and of its value, then of
 * its words if it is free text and not a single value such as an id, a name or a path.
 */
export type ArgumentPrint = readonly number[];

export interface Region {
  /** First and last line, 1-based. */
  lines?: [number, number];
  /** Hashes of the replaced text and of its replacement. */
  before?: string;
  after?: string;
  /** The replacement equals the text that it replaces, to the last space. */
  unchanged?: true;
  /** Hashes of the non-trivial lines on both sides, at most 24. */
  hashes: number[];
  /** The hashes that the write removed, and those that it added. */
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

/** A page that blocks the way: it wants a login, wants proof of a human, or denies access. */
export type Wall = 'login' | 'captcha' | 'access';

/** How a call failed according to its result, and what page the result shows. */
export interface FailurePrint {
  /** How the call failed: the name of a folder in `src/failures/`; null if it did not fail. */
  failure: string | null;
  /** The wall that the page shows, `none` for any other page; null if the result shows no page. */
  wall: Wall | 'none' | null;
  /** Hash of the page's address. */
  page?: number;
  /**
   * What the error suggests instead of the given value, and what it is about. Both are short and
   * free of secrets.
   */
  offered?: string;
  about?: string;
  /**
   * Whether the thing acted on, as the tool describes it, sounds irreversible; missing if the tool
   * does not describe it.
   */
  grave?: boolean;
  /** Words in the error that may be names of tools. */
  mentioned?: string[];
}

/** What kind of evidence told whether a call failed. */
export type Why =
  | 'flag'
  | 'exit-code'
  | 'status-field'
  | 'error-text'
  | 'refusal'
  | 'denial'
  | 'validation';

/** Whether a call failed, and how that is known. */
export interface OutcomePrint {
  failed: 'yes' | 'no' | 'unknown';
  /** Null if the outcome is unknown. */
  why: Why | null;
  /** The name of the rule in `outcomes/` that decided; empty if none did. */
  rule: string;
}

/** What a result contains, and how it compares with earlier ones. */
export interface ResultPrint extends FailurePrint {
  /** False if the host gave no result. Two missing results count as equal, at half strength. */
  known: boolean;
  /** Equal digests mean the same result, apart from noise. */
  digest: string;
  /** How many times in a row this call has returned this result, this time included. */
  sameInARow: number;
  /**
   * Whether it equals the result before only because a changing value was learned to be noise:
   * nearly the same, not known to be.
   */
  nearly?: boolean;
  /**
   * Whether its text differs from the result before, although it counts as the same because it
   * brings nothing new to the session.
   */
  differs?: boolean;
  /**
   * 0..1: the share of its lines, weighted by length, that this session has never seen, apart from
   * noise.
   */
  novelty: number;
  /** Whether the call failed, and which rule says so. */
  outcome: OutcomePrint;
  /** Length of the text in characters. */
  size: number;
  /** It says nothing: empty, no results. */
  empty: boolean;
  /**
   * It says that what was asked for is not there: empty, "no matches", "could not find it". It may
   * or may not be an error.
   */
  missing: boolean;
  /** Only an acknowledgement: ok, done, created. */
  acknowledgement: boolean;
  /** The kind of error, if the call failed. */
  error: ErrorPrint | null;
  /**
   * Mostly repeats the call: a program that prints its own text, a tool that returns its arguments.
   */
  echo: boolean;
  /** Names a waiting state: pending, queued, running. */
  pending: boolean;
  /** A short answer that holds a state, a count or a boolean. */
  state: boolean;
  /** A short answer that names a state as a field: `status: submitted`. */
  stateField?: true;
  /** A quantity with a direction has changed since this call was last made. */
  moved: boolean;
  /** How many failures it reports, if it says so. */
  failures: number | null;
  /**
   * Hash of the tests that it reports as failing and of what they expected, if it names any tests.
   */
  failing?: string;
  /** Hash of the tests that it reports as failing, if it names any. */
  tests?: string;
  /** Tests fail that were not seen failing before. */
  otherTests?: true;
  /** How much it says is done, if it is an error and says so. */
  done?: number;
}

export interface ErrorPrint {
  /** Tool and kind of error, with paths, numbers and quoted values masked. */
  class: string;
  /**
   * The kind alone, regardless of the tool; empty if the message has too few words to tell kinds
   * apart.
   */
  kind: string;
  /** The kind in a few words, for a reader. */
  label: string;
  /**
   * Sorted hashes of the words in its message, at most 64. The next attempt may use some of them.
   */
  words: number[];
  /** It says that it passes by itself: 503, a timeout, a locked database. */
  transient: boolean;
  /** What was wrong with the call itself, so that no tool ran. */
  refusal: 'tool' | 'arguments' | null;
}
