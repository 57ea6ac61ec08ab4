import type { ModelApi, ToolCall } from '../model/model.ts';

/** Where one run takes place. */
export interface Place {
  home: string;
  project: string;
  /** Of the model. */
  url: string;
}

/**
 * A coding agent as it comes from npm, and how it is run without a terminal, a key or a network.
 */
export interface Agent {
  /** As `unrut install` calls it. */
  name: string;
  package: string;
  /** The version whose hooks were looked at; another may need another adapter. */
  version: string;
  command: string;
  api: ModelApi;
  /** Settings that point it to the scripted model, by path in the home folder. */
  settings(place: Place): Record<string, string>;
  environment(place: Place): Record<string, string>;
  args(task: string): string[];
  /** Goes on in the last conversation of this project. */
  resumes(task: string): string[];
  /** The agent's own names for what the scripts do. */
  tools: Tools;
}

/** Paths are absolute. */
export interface Tools {
  shell(command: string): ToolCall;
  read(path: string): ToolCall;
  edit(path: string, before: string, after: string): ToolCall;
  /** Passes a task to a nested agent, and waits for it if that takes another call. */
  delegate(task: string): ToolCall[];
}
