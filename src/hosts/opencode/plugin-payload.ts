/** What the plugin hands to the hook, for one thing that OpenCode told it. */
export interface OpencodePayload {
  /** OpenCode's own name of the hook. */
  hook: 'chat.message' | 'event' | 'experimental.text.complete' | 'tool.execute.after' | 'tool.execute.before';
  /** The session that a person speaks to. */
  session: string;
  /** The session of a nested agent. */
  agent?: string;
  /** The project's folder. */
  cwd?: string;
  input?: unknown;
  output?: unknown;
  event?: unknown;
}

/** What the hook answers to the plugin. */
export interface OpencodeAnswer {
  /** The call is not to run; the model reads this. */
  refuse?: string;
  /** To be added to the result, for the model. */
  append?: string;
  /** For the person. */
  show?: string;
  /** The run ends. */
  stop?: true;
}
