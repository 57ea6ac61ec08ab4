import type { Machine } from '@unrut/engine/machine';

/** For all projects of a person, or for everybody who works on one project. */
export type Scope = 'user' | 'project';

/** The machine, and the project on it. */
export interface Surroundings extends Machine {
  /** The project's folder. */
  project: string;
}

/** The texts of the files that a hook consists of, and of the plugin. */
export interface HookTexts {
  hook: string;
  program: string;
  /** Is loaded only where the ledger is in Postgres. */
  postgres: string;
  plugin: string;
}

/** How the hook is reached: as a process, or over HTTP where `unrut serve` runs. */
export interface HookReach {
  /** Node, by its absolute path. */
  node: string;
  /** The bundled hook, by its absolute path. */
  hook: string;
  /** The plugin for hosts that load one, by its absolute path. */
  plugin: string;
  /** Where the server is. Missing: a process for each call. */
  server?: string | undefined;
  /** The texts of these files, for a project that does not have the package. */
  files?: HookTexts | undefined;
  /** Record only. */
  shadow: boolean;
  /**
   * The agent's status line too, where it has one; or nothing but that, since a plugin of ours
   * brings the rest.
   */
  statusLine?: boolean | 'only';
}

/** To look for our part, or to take it out, it does not matter how it calls the hook. */
export const NO_CALL: HookReach = { node: 'node', hook: 'hook.cjs', plugin: '', shadow: false };

/** What is to be connected, and where. */
export interface Order {
  scope: Scope;
  at: Surroundings;
  call: HookReach;
  /** Which version of the agent is on the machine, where that matters and is known. */
  version?: string | undefined;
}

/** Says that a file has something which keeps our hooks from being called, if it has. */
export const obstacleIn = (
  file: string,
  read: (path: string) => string | undefined,
  what: RegExp,
  words: string,
): string[] => (what.test(read(file) ?? '') ? [`${file} has ${words}. Remove it.`] : []);

/** Our part in one file: both ways are pure, and leave all else in the text as it is. */
export interface Edit {
  path: string;
  /**
   * The text with our part in its newest form. No text: there is no file. Throws when the text is
   * not what it must be.
   */
  add(text: string | undefined): string;
  /** The text without our part; nothing when nobody else has anything in it. */
  remove(text: string): string | undefined;
  /** The file's mode, if it is made. */
  mode?: number;
}
