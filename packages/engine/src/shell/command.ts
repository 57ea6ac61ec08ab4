/** The operator between a command and the previous one. */
export type Joint = '' | ';' | '&&' | '||' | '|' | '&';

/** One program with its words, as it would be started. */
export interface Command {
  words: string[];
  /** For each word: QUOTED, DYNAMIC and GLOB. */
  marks: number[];
  /** `NAME=value` before the program. */
  assignments: string[];
  joint: Joint;
  /** `if`, `elif`, `while` or `until` before it; `for` for the head of any other block. */
  lead: string;
  /** Files that its output is redirected to, except the null device and stderr. */
  writes: string[];
  append: boolean;
  /** It redirects its output to a file whose name the text does not tell. */
  dynamicWrite: boolean;
  reads: string[];
  /** The text of a here-document or here-string. */
  body: string | null;
  /** 0 for the line itself, higher inside `$(...)`. */
  depth: number;
  /** `&` follows it, so the line does not wait for it. */
  background: boolean;
}

export function newCommand(joint: Joint, depth: number): Command {
  return {
    words: [],
    marks: [],
    assignments: [],
    joint,
    lead: '',
    writes: [],
    append: false,
    dynamicWrite: false,
    reads: [],
    body: null,
    depth,
    background: false,
  };
}
