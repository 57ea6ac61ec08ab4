import type { ErrorPrint, Verb } from '../prints.ts';
import type { ToolRole, World } from '../tools/tool-role.ts';

/** How harmless a move is. */
export type Risk = 'read_only' | 'reversible' | 'side_effect_possible';

/** A finished call, reduced to what tells how it failed. */
export interface FailedCall {
  verb: Verb;
  world: World;
  shell: boolean;
  /** The result is an error. If not, only the page that it shows can mean a failure. */
  error: boolean;
  /** What was wrong with the call itself, so that no tool ran. */
  refusal: ErrorPrint['refusal'];
  /** The error says that it is temporary. */
  transient: boolean;
  /** How many failures a check reports. */
  failures: number | null;
  /** The beginning and the end of what the model reads. */
  said: string;
  /** It shows a page that blocks the way. */
  isWalled: boolean;
}

/** What is known about the failed call when its moves are made concrete. */
export interface FailedTarget {
  /** The path of the file, if it can be repeated as it is; otherwise empty. */
  path: string;
  /** The argument that named the file. */
  argument: string;
  /** The argument that names an element on a page, if it can be repeated as it is. */
  reference: OfferedArgs | null;
}

/** Arguments that a candidate offers. */
export type OfferedArgs = { [name: string]: string | number | boolean };

export type MoveRole = ToolRole | 'itself' | 'nearest';

/** One way out of a failure. */
export interface Move {
  /** In kebab-case. Outcomes are learned under this name, so it never changes. */
  name: string;
  /** 0..1: how good the move is before anything is known. */
  base: number;
  risk: Risk;
  /**
   * The roles that a tool can have to make this move, best first; the first role for which there is
   * a tool counts, unless the error names a tool. `itself` is the tool that failed, `nearest` the
   * one with the most similar name.
   */
  by?: readonly MoveRole[];
  /** Not offered if no tool can make it. */
  needsTool?: true;
  /** Only with a tool that the last calls did not use. */
  unused?: true;
  /**
   * The arguments make the failed tool do something else, so its failure does not count against the
   * move.
   */
  isOther?: true;
  /** Only with a tool of the same server for a visible browser or for a profile. */
  headed?: true;
  /** It acts on the same thing as the failed call. */
  onTarget?: true;
  /** What to do: part of a sentence. */
  does: string;
  /** Why that may help: part of a sentence; empty if it is obvious. */
  reason: string;
  /** Arguments to call the tool with. Only ones that are harmless to repeat. */
  args?(target: FailedTarget, role: MoveRole, tool: string): OfferedArgs | null;
  /** Why it is never offered. It is still listed, so that nobody wonders why it is missing. */
  gate?: string;
}

/** A way in which calls fail, and the moves that help, best first. */
export interface Failure {
  /** In kebab-case; also the folder's name. */
  name: string;
  /** Part of a sentence: `the reference is out of date`. */
  means: string;
  /**
   * Whether a call failed in this way. Failures are tried in the order of the registry, and the
   * first match counts.
   */
  recognises(call: FailedCall): boolean;
  /** Finds in the error what the first move is about. It is then added to the move in brackets. */
  names?: RegExp;
  moves: readonly Move[];
}

export const defineFailure = (failure: Failure): Failure => failure;
