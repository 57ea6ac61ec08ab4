import type { ErrorPrint, Verb } from '../prints.ts';
import type { ToolRole, World } from '../tools/tool-role.ts';

/** What a move can do to the world. */
export type Risk = 'read_only' | 'reversible' | 'side_effect_possible';

/** A finished call, as far as it helps to tell in which way it failed. */
export interface FailedCall {
  verb: Verb;
  world: World;
  shell: boolean;
  /** The result is an error; else only the page that it shows can be one. */
  error: boolean;
  /** The call itself was at fault, before any tool ran. */
  refusal: ErrorPrint['refusal'];
  /** The error says that it will pass. */
  transient: boolean;
  /** How many failures a check reports. */
  failures: number | null;
  /** The opening and the end of what the model reads. */
  said: string;
  /** It shows a page that lets nobody pass. */
  isWalled: boolean;
}

/** What is known of the failed call when moves are made concrete. */
export interface FailedTarget {
  /** The path of the file, when it can be repeated as it is; else empty. */
  path: string;
  /** The argument that named it. */
  argument: string;
  /** The argument that names an element on a page, when it can be repeated as it is. */
  reference: OfferedArgs | null;
}

/** Arguments on offer. */
export type OfferedArgs = { [name: string]: string | number | boolean };

export type MoveRole = ToolRole | 'itself' | 'nearest';

/** One way out of a failure. */
export interface Move {
  /** In kebab-case; outcomes are learned under it, so it never changes. */
  name: string;
  /** How much speaks for it before anything is known: 0..1. */
  base: number;
  risk: Risk;
  /**
   * What a tool must be good for to make this move; the first role of which there is one counts, or what the error names. `itself` is the
   * tool that failed, `nearest` the one whose name is nearest.
   */
  by?: readonly MoveRole[];
  /** Not offered where no tool can make it. */
  needsTool?: true;
  /** Only by a tool that the last calls did not use. */
  unused?: true;
  /** It acts on the very thing that the failed call was about. */
  onTarget?: true;
  /** What to do, for a reader: part of a sentence. */
  does: string;
  /** Why that may help: part of a sentence; empty where it goes without saying. */
  reason: string;
  /** Arguments to call the tool with. Only what is harmless to repeat. */
  args?(target: FailedTarget, role: MoveRole, tool: string): OfferedArgs | null;
  /** Why it is never offered; it is listed all the same, so that nobody wonders. */
  gate?: string;
}

/** A way in which calls fail, and what to do then, best first. */
export interface Failure {
  /** In kebab-case; also the folder's name. */
  name: string;
  /** Part of a sentence: `the reference is out of date`. */
  means: string;
  /** Whether a call failed in this way. Failures are asked in the order of the registry, and the first one counts. */
  recognises(call: FailedCall): boolean;
  /** Finds in the error what its first move is to be done with; that then stands behind it in brackets. */
  names?: RegExp;
  moves: readonly Move[];
}

/** Keeps a failure typed where it is written. */
export const defineFailure = (failure: Failure): Failure => failure;
