import type { RefusedBy } from '../event.ts';
import type { OutcomePrint, Verb, Why } from '../prints.ts';

/** What is known about a finished call. Hosts, formats and proxies hand in facts, no judgement. */
export interface ResultFacts {
  /** What the model read: a text, content blocks, or an object. */
  result?: unknown;
  /**
   * The host's word that the call failed: the message, or `true`. `false` means that the call
   * succeeded. Undefined if the host does not say.
   */
  error?: unknown;
  /** The exit code, if the host knows it apart from the text. */
  exitCode?: number | undefined;
  /** Who rejected the call before it ran. */
  refusedBy?: RefusedBy | undefined;
  /** The tool; for shells the program and subcommand (`npm test`). */
  tool: string;
  verb: Verb;
  shell: boolean;
  /** A shell command whose exit code is not its program's. */
  muted: boolean;
  /** The call reads one file, so the text is that file's. */
  file: boolean;
}

/** An outcome, and what was left of the result when its envelope was removed. */
export interface ResultOutcome extends OutcomePrint {
  /**
   * The host, a field or a sentence of the tool states the outcome. Otherwise it was inferred from
   * what the output looks like.
   */
  stated: boolean;
  /** The exit code that the host or the envelope states. */
  exitCode: number | undefined;
  /** The inner value: text, or JSON. */
  value: unknown;
  /** The text without its envelope. An object is text of `name: value` lines. */
  content: string;
}

/** What rules look at. Every text in it is bounded. */
export interface OutcomeEvidence {
  facts: ResultFacts;
  /** The host's flag, in whatever form it came. */
  flag: boolean | undefined;
  /** The exit code of the host, otherwise that of the envelope. */
  exitCode: number | undefined;
  /**
   * Where the exit code comes from: a field of the host, words of the host in the text, or words
   * that the command may have printed itself.
   */
  exitFrom: 'host' | 'envelope' | 'text' | null;
  /** The host wrapped the text in a tag for errors. */
  isTagged: boolean;
  /** The fields of an object, and of the objects in it; names without case and separators. */
  record: { [name: string]: unknown } | null;
  value: unknown;
  content: string;
  /** The first and the last characters of the content. */
  head: string;
  tail: string;
  /** The lines at the beginning that are not empty. */
  firstLines: readonly string[];
  /** The lines at the end that are not empty, the last one first. */
  lastLines: readonly string[];
  /**
   * The end of the first paragraph, the last line first. Some hosts print what a command wrote to
   * stderr, an empty line, and then what it wrote to stdout.
   */
  blockEnd: readonly string[];
  /** How many failures the text counts; null if it counts none. */
  failures: number | null;
}

/** One piece of evidence. Rules are tried in order, and the first that holds decides. */
export interface OutcomeRule {
  /** In kebab-case. */
  name: string;
  when(evidence: OutcomeEvidence): boolean;
  gives: 'yes' | 'no';
  why: Why;
  /** The outcome is stated, not inferred. Default true. */
  inferred?: true;
}

/** A text this short that mentions a transient condition is about nothing else. */
export const SHORT = 200;

/** The call only asks something, so a status in its answer may be that of the thing asked about. */
export const isQuestion = ({ facts }: OutcomeEvidence): boolean => facts.verb === 'read';
