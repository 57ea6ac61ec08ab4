import { UnrutError } from '../errors.ts';
import type { ArgumentPrint } from '../prints.ts';
import type { Recent } from '../recent.ts';
import type { ToolDeclaration } from '../tools/profile.ts';
import type { ActionPrint } from './action.ts';
import { type Folders, startFolders } from './folder.ts';
import { type ResultState, startResults } from './last-results.ts';
import { KnownLines } from './novelty.ts';
import { NOTHING_REQUESTED, type Requested } from './requested.ts';
import { startText, type TextState } from './text.ts';

export interface ReaderConfig {
  /** Seeds the fingerprints. */
  seed: number;
  /** What the user declared about tools, by name. */
  tools: Readonly<Record<string, ToolDeclaration>>;
}

/** What the reader remembers of a session, to tell what is the same and what is new. */
export interface ReaderState {
  /** The number of the next step. */
  steps: number;
  /** Steps and thoughts so far. */
  ticks: number;
  /** When the agent last did something. */
  lastAt: number | null;
  /** The silences before the last calls. */
  silences: number[];
  results: ResultState;
  /** Everything that was read in results. */
  known: KnownLines;
  text: TextState;
  /**
   * Calls that were proposed and have not finished: their batch, the silence before them, and how
   * much of it is a wait.
   */
  pending: Recent<{ batch: string; silence: number; gap: number; alone?: true; told?: number }>;
  batch: { id: string; keys: string[]; failures: string[] };
  /** A batch that turned out not to be a single response. */
  wide: string;
  /** The folder that the shell is in. */
  folders: Folders;
  /** Whether the last call was a wait. */
  waited: boolean;
  /** How many very long waits there were. */
  rests: number;
  /** Hashes of the targets that were looked at. */
  looked: number[];
  /** Hashes of targets with the text written to them. */
  written: number[];
  /** Hashes of what was looked at since the context was compacted; null if it never was. */
  reread: number[] | null;
  /** The last failure count of each tool, and the last kinds of error. */
  failures: Recent<number>;
  /** The most that each tool has said is done since it last succeeded. */
  done: Recent<number>;
  errors: string[];
  /** The last finished screen actions, and the hash of the plan step that they belong to. */
  actions: ActionPrint[];
  planStep: string;
  /** Recent pictures of the screen, and the screen states seen so far. */
  frames: string[];
  screens: string[];
  /** Words that describe the screen the agent saw last; empty without a description. */
  screen: number[];
  /**
   * Whether something that the agent started runs in the background, and hashes of the names of the
   * files that it writes.
   */
  job: boolean;
  jobFiles: number[];
  /** Hashes of the names of files that the host reported as changed: somebody else writes them. */
  changed: number[];
  /** What the user's last message says about repetition, and how often each call was made since. */
  asked: Requested;
  made: Recent<number>;
  /** The arguments of each tool's last call, and whether something was written since. */
  parts: Recent<ArgumentPrint[]>;
  wrote: boolean;
  /** Files in a row that were not there. */
  misses: number;
  /** Words of the last searches through files that matched nothing. */
  sought?: number[][];
  /** Hashes of the targets that the agent has written to since a person spoke. */
  own: number[];
}

export const startReader = (): ReaderState => ({
  steps: 0,
  ticks: 0,
  lastAt: null,
  silences: [],
  results: startResults(),
  known: new KnownLines(),
  text: startText(),
  pending: [],
  batch: { id: '', keys: [], failures: [] },
  wide: '',
  folders: startFolders(),
  waited: false,
  rests: 0,
  looked: [],
  written: [],
  reread: null,
  failures: [],
  done: [],
  errors: [],
  actions: [],
  planStep: '',
  frames: [],
  screens: [],
  screen: [],
  job: false,
  jobFiles: [],
  changed: [],
  asked: NOTHING_REQUESTED,
  made: [],
  parts: [],
  wrote: false,
  misses: 0,
  own: [],
});

/** Restores the state from JSON. Fields that an earlier version did not have start empty. */
export function restoreReader(json: ReaderState): ReaderState {
  for (const count of [json.steps, json.ticks])
    if (!Number.isSafeInteger(count) || count < 0)
      throw new UnrutError(
        'bad-snapshot',
        `Cannot restore: expected a number of steps, got ${JSON.stringify(count)}. Start without it.`,
      );
  // Before it was called `known`, it was `seen`.
  const { seen, ...saved } = json as ReaderState & { seen?: KnownLines };
  return { ...startReader(), ...saved, known: KnownLines.from(seen ?? json.known) };
}
