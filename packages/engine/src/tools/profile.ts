import type { Asks, Region, Verb } from '../prints.ts';

/**
 * What the user declares about a tool. It takes precedence over everything that is known or
 * guessed.
 */
export interface ToolDeclaration {
  /** The tool is meant to be called again and again, to see whether something has changed. */
  poll?: boolean;
  /** Dotted paths of the arguments that alone identify a call. */
  identity?: string[];
  verb?: Verb;
  /** Name of the argument that says what the call touches. */
  target?: string;
  /**
   * The tool changes a thing in place; these arguments (dotted paths) say which, the thing itself
   * last: `['boardId', 'cardId']`. The third patch without a look in between gets a note.
   */
  patch?: string[];
  /** The tool shows such a thing. Names the same arguments. */
  look?: string[];
}

/** What one call of a tool does, and to what. */
export interface ToolPrint {
  /** The tool, with its subcommand if an argument names one. */
  tool: string;
  verb: Verb;
  target: string | null;
  space: string | null;
  wide: boolean;
  effect: 'none' | 'target' | 'any';
  region: Region | null;
  poll: boolean;
  /** What it asks for, if it only looks; null if that is not known. */
  asks: Asks | null;
  /** The files that it writes while it continues in the background; null if it does not. */
  background: string[] | null;
  /** Ends what runs in the background. */
  endsJobs: boolean;
  /** The command, if it is a shell tool. */
  shell: string | null;
  /** Names of arguments that do not change what the call does. */
  freeText: readonly string[];
  identity: readonly string[] | null;
  /** Changes its targets in place, and so counts for edit streaks. */
  patch: boolean;
  /** A fresh look at its targets, or, if `wide`, at everything of their kind. */
  look: boolean;
  /**
   * The edit streaks that it ends without being a look: those of its targets, or all of its space.
   */
  clears: 'target' | 'space' | 'none';
  /** All targets, if it names several. */
  targets?: string[];
}

/**
 * Names of the arguments in which an edit gives the old and the new text. The first one given
 * counts.
 */
export interface EditArguments {
  before?: readonly string[];
  after?: readonly string[];
  /** The new content of the whole target. */
  content?: readonly string[];
  /** A list of edits, each with `before` and `after`. */
  edits?: string;
  /** A patch in text form, which also names the files. */
  patch?: readonly string[];
}

/** What is known about a tool before its arguments are seen. */
export interface Profile {
  verb: Verb;
  /** Arguments that name the target. The first one given counts. */
  target?: readonly string[];
  /** The kind of the target. Default: `file`. */
  kind?: string;
  /** The target of every call, if it is always the same. */
  fixed?: string;
  /** Arguments that name the space of the target. Without one, the session is the space. */
  space?: readonly string[];
  /**
   * Arguments that hold several targets, as strings or as objects with one of the `target`
   * arguments.
   */
  batch?: readonly string[];
  /**
   * Its result depends on more than its target. Default: true for checks, programs, navigation, and
   * reads without a target.
   */
  wide?: boolean;
  effect?: 'none' | 'target' | 'any';
  poll?: boolean;
  /** What it asks for, if it only looks. */
  asks?: Asks;
  /** Ends what runs in the background. */
  endsJobs?: true;
  /** Arguments that hold a shell command. */
  shell?: readonly string[];
  freeText?: readonly string[];
  edit?: EditArguments;
  patch?: boolean;
  look?: boolean;
  clears?: 'target' | 'space' | 'none';
  /** Arguments whose value names a subcommand, and what each subcommand does. */
  by?: readonly string[];
  subcommands?: Readonly<Record<string, Profile>>;
  /** What the arguments change about the profile. */
  when?: (args: Arguments) => Partial<Profile> | null;
}

/** The tools of one host or server, by name. Case, `_` and `-` do not matter. */
export type Family = Readonly<Record<string, Profile>>;

/** The same profile under several names. */
export const toolsNamed = (names: string, profile: Profile): Family =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, profile]));

export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of shell tools that say how long, how much or why. */
export const SHELL_TALK: readonly string[] = [
  'description',
  'timeout',
  'timeout_ms',
  'timeoutMs',
  'yield_time_ms',
  'max_output_tokens',
  'is_input',
  'run_in_background',
  'is_background',
  'blocking',
  'requires_approval',
  'with_escalated_permissions',
  'login',
];

/** Names that tools use for the path of a file. */
export const FILE_ARGUMENTS: readonly string[] = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'target_file',
  'relative_path',
  'filepath',
  'notebook_path',
  'filename',
  'file',
];

export const readsFile: Profile = {
  verb: 'read',
  target: FILE_ARGUMENTS,
  look: true,
  asks: 'content',
};
export const listsFiles: Profile = { verb: 'read', wide: true, asks: 'content' };
export const searchesFiles: Profile = { verb: 'read', wide: true, look: true, asks: 'content' };
export const writesFile: Profile = {
  verb: 'write',
  target: FILE_ARGUMENTS,
  patch: true,
  edit: { content: ['content', 'contents', 'file_text', 'text'] },
};
export const editsFile: Profile = {
  verb: 'write',
  target: FILE_ARGUMENTS,
  patch: true,
  edit: {
    before: ['old_string', 'oldString', 'old_str', 'oldText', 'search'],
    after: [
      'new_string',
      'newString',
      'new_str',
      'newText',
      'replace',
      'replacement',
      'code_edit',
      'codeEdit',
      'content',
      'diff',
    ],
    edits: 'edits',
  },
};
export const removesFile: Profile = { verb: 'write', target: FILE_ARGUMENTS, clears: 'target' };
export const appliesPatch: Profile = {
  verb: 'write',
  patch: true,
  edit: { patch: ['input', 'command', 'patch', 'patchText', 'patch_text', 'diff'] },
};
/** Runs a command in a shell. */
export const runsCommand: Profile = { verb: 'execute', shell: ['command'], freeText: SHELL_TALK };
export const searchesWeb: Profile = { verb: 'read', wide: true, asks: 'content' };
export const fetchesPage: Profile = {
  verb: 'read',
  target: ['url', 'uri'],
  kind: 'url',
  asks: 'content',
};
/** Changes only the to-do list. */
export const keepsList: Profile = { verb: 'write', fixed: 'todo:list', effect: 'target' };
export const readsList: Profile = {
  verb: 'read',
  fixed: 'todo:list',
  wide: false,
  asks: 'content',
};
export const readsResource: Profile = {
  verb: 'read',
  target: ['uri'],
  kind: 'url',
  asks: 'content',
};
/** Another agent may do anything. */
export const startsAgent: Profile = { verb: 'execute', wide: true, freeText: ['description'] };
/** Talks, and changes nothing that a tool could see. */
export const talks: Profile = { verb: 'unknown', effect: 'none' };
export const waits: Profile = { verb: 'wait' };
/** Shows a page or a screen, or information about it. */
export const showsPage: Profile = { verb: 'read', wide: true, look: true };
export const listsPages: Profile = { verb: 'read', wide: true };
/** Goes to another page. */
export const navigates: Profile = { verb: 'navigate', target: ['url'], kind: 'url', effect: 'any' };
export const moves: Profile = { verb: 'navigate', effect: 'any' };
