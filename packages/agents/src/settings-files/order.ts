import type { Machine } from '@unrut/engine/machine';

/** All projects of a user, or everybody who works on one project. */
export type Scope = 'user' | 'project';

/** The machine, and the project on it. */
export interface Surroundings extends Machine {
  /** The project's folder. */
  project: string;
}

/** The files of a hook and of the plugin. */
export interface HookTexts {
  hook: string;
  program: string;
  /** Loaded only for a Postgres ledger. */
  postgres: string;
  plugin: string;
}

/** How to call the hook: as a process, or over HTTP with `unrut serve`. */
export interface HookReach {
  /** Node, by its absolute path. */
  node: string;
  /** The bundled hook, by its absolute path. */
  hook: string;
  /** The absolute path of the plugin, for hosts that load one. */
  plugin: string;
  /** The server's address. Undefined: a process for each call. */
  server?: string | undefined;
  /** The files to copy to a project without the package. */
  files?: HookTexts | undefined;
  /** Record only. */
  shadow: boolean;
  /**
   * Also install the status line, if supported; or only that, if a plugin of ours provides the
   * rest.
   */
  statusLine?: boolean | 'only';
}

/** A dummy call, for finding or removing our part. */
export const NO_CALL: HookReach = { node: 'node', hook: 'hook.cjs', plugin: '', shadow: false };

/** What to connect, and where. */
export interface Order {
  scope: Scope;
  at: Surroundings;
  call: HookReach;
  /** The agent's installed version, if it matters and is known. */
  version?: string | undefined;
}

/** Reports a setting in the file that prevents our hooks from being called. */
export const obstacleIn = (
  file: string,
  read: (path: string) => string | undefined,
  what: RegExp,
  words: string,
): string[] => (what.test(read(file) ?? '') ? [`${file} has ${words}. Remove it.`] : []);

/** Our part in one file. Both methods are pure, and change nothing else in the text. */
export interface Edit {
  path: string;
  /**
   * The text with our current part. Undefined text: the file does not exist. Throws if the text is
   * invalid.
   */
  add(text: string | undefined): string;
  /** The text without our part; undefined if nothing else remains. */
  remove(text: string): string | undefined;
  /** The mode of a new file. */
  mode?: number;
}
