import type { Machine } from '../machine.ts';

/** For all projects of a person, or for everybody who works on one project. */
export type Scope = 'user' | 'project';

/** The machine, and the project on it. */
export interface Surroundings extends Machine {
  /** The project's folder. */
  project: string;
}

/** How the hook is reached: as a process, or over HTTP where `unrut serve` runs. */
export interface HookCall {
  /** Node, by its absolute path. */
  node: string;
  /** The bundled hook, by its absolute path. */
  hook: string;
  /** The plugin for hosts that load one, by its absolute path. */
  plugin: string;
  /** Where the server is. Missing: a process for each call. */
  server?: string | undefined;
  /** Record only. */
  shadow: boolean;
}

/** What is to be connected, and where. */
export interface Order {
  scope: Scope;
  at: Surroundings;
  call: HookCall;
  /** Which version of the agent is on the machine, where that matters and is known. */
  version?: string | undefined;
}

/** Our part in one file: both ways are pure, and leave all else in the text as it is. */
export interface Edit {
  path: string;
  /** The text with our part in its newest form. No text: there is no file. Throws when the text is not what it must be. */
  add(text: string | undefined): string;
  /** The text without our part; nothing when nobody else has anything in it. */
  remove(text: string): string | undefined;
  /** The file's mode, if it is made. */
  mode?: number;
}

/** A coding agent that `unrut install` can connect. */
export interface InstallableAgent {
  /** As in the command line. */
  name: string;
  /** For people. */
  label: string;
  /** Programs by which it is known to be on a machine. */
  programs: readonly string[];
  /** What it is told to write depends on its version. */
  isVersioned?: true;
  /** Folders by which it is known to be on a machine. */
  folders(at: Surroundings): readonly string[];
  /** The files that connect it. The first is the one by which it is known to be connected. */
  edits(order: Order): readonly Edit[];
  /** Where the agent reads what it should always know. Nothing: nowhere. */
  instructions(scope: Scope, at: Surroundings): string | undefined;
  /** It has no settings of a project. */
  userOnly?: true;
  /** It can call a server on this machine. Else, why not. */
  http: true | string;
  /** What is left to do for a person. */
  afterwards?: string;
  /** The settings by which our plugin is switched on, where the agent has plugins with hooks. */
  pluginIn?(at: Surroundings, read: (path: string) => string | undefined): string | undefined;
  /** What in the settings keeps our hooks from being called, in one line each. */
  obstacles?(order: Order, read: (path: string) => string | undefined): string[];
}
