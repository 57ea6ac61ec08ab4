import type { AgentEvent, CallFinished, Rung, TextAdded } from '@unrut/engine/event';
import type { Screen } from '@unrut/engine/event-parts';
import type { JsonObject } from '@unrut/engine/json';

/**
 * Reads one format of recorded runs. It receives a file record by record: JSON lines, the elements
 * of a JSON array, a single object, or lines of plain text (`TextLine`). It does not access the
 * file system.
 */
export interface Importer {
  /** As in reports and in `--format`. */
  name: string;
  /** A description of the input, for the table in the docs. */
  reads: string;
  /**
   * The samples that it was tested on, for the same table: `recorded, 1.0`, `written after its
   * source`.
   */
  sample: string;
  /** The versions that it was tried on, if records name one. */
  version?: TriedVersion;
  /**
   * Whether a file that begins with these records (at most 32, at least one) is of this format. By
   * content, never by name.
   */
  recognises(first: readonly unknown[]): boolean;
  /** The records of an SQLite database that it reads. Throws if the file is not such a database. */
  database?(path: string): Generator<JsonObject>;
  /** Begins a file. */
  open(source: Source): ImportReading;
}

/** How far the versions of a program, or of its format, are known. */
export interface TriedVersion {
  /** Major and minor of the newest one that was tried: `0.166`. */
  tried: string;
  /** The path of a record's version: `payload.cli_version`. */
  at: string;
  /** The version is that of the format, not of the program. */
  isFormat?: true;
}

/** A record of a file that is plain text. */
export interface TextLine {
  line: string;
}

export interface ImportReading {
  /** One record. Never throws: unknown records are counted with `source.unknown`. */
  read(record: unknown): void;
  /** The file is over. */
  end?(): void;
}

/** The target of an importer: the runs that a file holds. */
export interface Source {
  /** The file's name without folder and endings: the id of a run that names none. */
  readonly name: string;
  /**
   * The run of this session (default: the file's name), or of a nested agent in it; begun at its
   * first mention.
   */
  run(session?: string, agent?: string): ImportedRun;
  /** Counts a record, or a part of one, that this format does not know; `kind` names it for the report. Records that are known to
   *  hold no step (headers, settings, token counts) are simply passed over. */
  unknown(kind: string): void;
}

/** The time and agent of an event. */
export interface ImportMoment {
  /**
   * ISO text, or epoch seconds, milliseconds, microseconds or nanoseconds, as number or digits.
   * Missing: a little after the last one.
   */
  at?: unknown;
  /** Identifies the event, if the source repeats events. */
  id?: string;
  /** The speaker, in a shared thread. */
  speaker?: string;
  /** The cost of the model call behind it; on the first event of a response only. */
  cost?: { tokens?: number; usd?: number };
}

/** The result of a call. */
export type Returned = Pick<CallFinished, 'error' | 'exitCode' | 'refusedBy' | 'durationMs'> & {
  /** The result as the model saw it. Omit it if it is not known. */
  result?: unknown;
};

/**
 * One run. A step is one message or one tool call: each of `person`, `says` and `calls` takes the
 * next 0-based index (or the source's own), and `returns` belongs to the step of its call.
 * Reasoning is no step; it belongs to the following step.
 */
export interface ImportedRun {
  /** Numbers the next step with this index instead of the next free one. */
  index(step: number): void;
  /** A real person speaks; not a system prompt, a harness reminder or a tool's result. */
  person(text: string, moment?: ImportMoment): void;
  /** The agent says a whole message. `rest`: it ends its turn with it. */
  says(text: string, moment?: ImportMoment & Pick<TextAdded, 'rest'>): void;
  /** The agent reasons. Empty text is passed over. */
  thinks(text: string, moment?: ImportMoment): void;
  /** The agent calls a tool. Calls of one response share a `batch`; a call without one is alone. */
  calls(
    call: { id?: string; tool: string; args: unknown; batch?: string; screen?: Screen },
    moment?: ImportMoment,
  ): void;
  /**
   * The call of this id came back; without an id, the oldest that is open. False when no call was
   * open under it.
   */
  returns(id: string | undefined, returned: Returned, moment?: ImportMoment): boolean;
  /**
   * Unrut performed this itself, according to the source. Texts in results need not be reported.
   */
  guarded(rung: Rung, moment?: ImportMoment): void;
  /** The host told the agent that these files have changed. The next event carries it. */
  changed(files: readonly string[]): void;
  /** The history was summarised. */
  compacted(moment?: ImportMoment): void;
  /** An event that the source already holds as one. */
  observed(event: AgentEvent): void;
  /** The run is over. */
  ends(moment?: ImportMoment & { outcome?: string }): void;
}
