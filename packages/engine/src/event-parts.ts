/** Fields that every event can carry. The same promise holds: names never change. */

/**
 * Where an event comes from, as far as the sender knows. Organisations compare their sessions by
 * it. At most 100 characters each.
 */
export interface EventOrigin {
  /** The program that runs the agent. */
  host?: string;
  model?: string;
  /** The version of the agent or the prompt, as its team numbers it. */
  release?: string;
  repo?: string;
  team?: string;
  person?: string;
}

/**
 * What a tool declares about itself: the hints of MCP, and two declarations of our own from the
 * tool's `_meta`.
 */
export interface Annotations {
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
  /** Dotted paths of the arguments that identify a call; other arguments are ignored. */
  'unrut/identity'?: string[];
  /** The tool is meant to be called again and again, to see whether something has changed. */
  'unrut/poll'?: boolean;
  /** The arguments that say which thing the tool changes in place, the thing itself last. */
  'unrut/patch'?: string[];
  /** The arguments that say which such thing the tool shows. */
  'unrut/look'?: string[];
}

/** A tool that the agent has. */
export interface ListedTool {
  name: string;
  annotations?: Annotations;
  /** The names of its arguments, and whether each is required. Advice then fits them. */
  takes?: Readonly<Record<string, boolean>>;
}

/** What a screen shows. */
export interface Screen {
  url?: string;
  /** Perceptual hash of the picture, or a digest of the accessibility tree. */
  frame?: string;
  /**
   * Digest of everything shown, except what moves by itself. If given, it alone decides whether
   * anything changed.
   */
  detail?: string;
  focused?: unknown;
  viewport?: { width: number; height: number };
  /** A description of the screen in words, by the host or the model. */
  description?: string;
}
