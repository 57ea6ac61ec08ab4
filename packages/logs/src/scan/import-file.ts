import { hosts } from '@unrut/agents/hosts';
import type { Host } from '@unrut/agents/hosts/define-host';
import { UnrutError } from '@unrut/engine/errors';
import { isObject, valueIn } from '@unrut/engine/json';
import { errorReason } from '@unrut/engine/redact/reason';
import { redact } from '@unrut/engine/redact/redact';
import type { Importer, ImportReading } from '@unrut/reading/importer';
import { isUntried, versionIn } from '@unrut/reading/tried-version';
import { importers } from '../importers/index.ts';
import { createSource, type Imported } from '../importers/source.ts';
import { archiveRecords } from './archive.ts';
import { bytesOf, fileKindOf, isPlainFile } from './bytes.ts';
import { createCallWatch } from './call-watch.ts';
import { createRunFacts, type FileFacts } from './file-facts.ts';
import { type Broken, createRecordReader } from './records.ts';

export interface ImportOptions {
  /** The importer's name, to override detection. */
  format?: string | undefined;
  /** `by` is the name of the importer. */
  onEvent(imported: Imported, by: string | undefined): void;
  onBytes?: ((count: number) => void) | undefined;
}

/** How the reading of a file went. */
export interface ImportedFile {
  /** The importer's name; undefined if the content is unknown. */
  format: string | undefined;
  records: number;
  /** Pieces that are no JSON, by reason. */
  broken: ReadonlyMap<Broken, number>;
  /** Records unknown to the importer, by kind. */
  unknown: ReadonlyMap<string, number>;
  /** Why the file could not be read completely. */
  failure: string | undefined;
  /** A description of the first record, if the format is unknown. */
  looksLike: string;
  /** The share that the importer understood, 0 to 1. */
  understood: number;
  /** The notation of calls in texts, if the importer found no calls. */
  callsInText: string | undefined;
  /** The facts of a run. */
  factsOf(session: string): FileFacts;
  /** The version in its records, if it is later than the tested one. */
  untried?: { version: string; tried: string };
}

/** Number of first records from which the format is detected. */
const FIRST = 32;
const NAMES = { database: 'a database', archive: 'an archive' } as const;

/**
 * Reads a file (`-`: standard input) into events, in bounded memory. Never throws because of the
 * file or its content.
 */
export async function importFile(
  file: string,
  { format, onEvent, onBytes }: ImportOptions,
): Promise<ImportedFile> {
  const broken = new Map<Broken, number>();
  const unknown = new Map<string, number>();
  const first: unknown[] = [];
  let importer = format === undefined ? undefined : importerNamed(format);
  let reading: ImportReading | undefined;
  let records = 0;
  let events = 0;
  let unknowns = 0;
  let failure: string | undefined;
  const calls = createCallWatch();
  let isDatabase = false;
  const facts = createRunFacts(() => isDatabase);
  const source = createSource(nameOf(file), {
    event(imported) {
      events++;
      calls.see(imported.event);
      facts.event(imported.event.session);
      onEvent(imported, importer?.name);
    },
    unknown(kind) {
      unknowns++;
      count(unknown, redact(kind).slice(0, 40));
    },
  });

  function open(): ImportReading | undefined {
    importer ??= importers.find((each) => each.recognises(first));
    reading = importer?.open(source);
    for (const record of first) {
      lookForVersion(record);
      read(record);
    }
    return reading;
  }
  function read(value: unknown): void {
    facts.record(value);
    reading?.read(value);
  }
  /** The latest version in the records, and in the last record. */
  let version: string | undefined;
  let written: unknown;
  function lookForVersion(value: unknown): void {
    const known = importer?.version;
    const found = known && valueIn(value, known.at);
    // Agents write the same in every record.
    if (found === undefined || found === written) return;
    written = found;
    const named = versionIn(value, known!);
    if (
      named !== undefined &&
      (version === undefined || isUntried(named, { ...known!, tried: version }))
    )
      version = named;
  }
  function record(value: unknown): void {
    records++;
    lookForVersion(value);
    if (reading) read(value);
    else if (first.length < FIRST) {
      first.push(value);
      if (first.length === FIRST) open();
    }
  }

  try {
    const reader = createRecordReader({ record, broken: (why) => count(broken, why) });
    let isFirst = true;
    for await (const chunk of bytesOf(file)) {
      const kind = isFirst ? fileKindOf(chunk) : 'text';
      isFirst = false;
      onBytes?.(chunk.length);
      if (kind === 'binary')
        throw new UnrutError(
          'not-text',
          'it is not text. Expected JSON or JSON lines, or either packed with gzip or zstd',
        );
      if (kind === 'database' || kind === 'archive') {
        if (!isPlainFile(file))
          throw new UnrutError(
            'not-a-file',
            `it is ${NAMES[kind]}. Give it as a file of its own that is not packed`,
          );
        isDatabase = kind === 'database';
        for (const each of kind === 'database' ? databaseRecords(file) : archiveRecords(file))
          record(each);
        break;
      }
      reader.write(chunk);
    }
    reader.end();
  } catch (error) {
    failure = errorReason(error);
  }
  try {
    if (!reading && first.length > 0) open();
    // `open` sets it, which the compiler cannot see.
    (reading as ImportReading | undefined)?.end?.();
  } catch (error) {
    failure ??= errorReason(error);
  }
  if (!importer && isTextLine(first[0])) {
    broken.set('not JSON', records);
    records = 0;
  }
  const tried = importer?.version;
  const isNew = tried && version !== undefined && isUntried(version, tried);
  // A document is one record with many messages; in other files most records are not events.
  const understood = 1 - unknowns / Math.max(1, records, events + unknowns);
  return {
    format: importer?.name,
    records,
    broken,
    unknown,
    failure,
    looksLike: looksLike(first[0]),
    understood,
    callsInText: calls.inText(),
    factsOf: facts.of,
    ...(isNew ? { untried: { version: version!, tried: tried.tried } } : {}),
  };
}

/** The importer with this name. Throws if there is none. */
export function importerNamed(name: string): Importer {
  const importer = importers.find((each) => each.name === name);
  if (importer) return importer;
  throw new UnrutError(
    'usage',
    `There is no format ${name}. Formats: ${importers.map((each) => each.name).join(', ')}.`,
  );
}

/** Lines of plain text in an unknown format are not records. */
const isTextLine = (record: unknown): boolean =>
  isObject(record) && typeof record.line === 'string' && Object.keys(record).length === 1;

const count = <Key>(counts: Map<Key, number>, key: Key): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

/** File names that are equal for all runs, each in its own folder. */
const EVERYWHERE =
  /^(?:wire|context|trajectory|transcript|messages|session|conversation|events|agents?|main|api_conversation_history)$/;

/** The file's name without folder and extensions: the id of an unnamed run. */
function nameOf(file: string): string {
  if (file === '-') return 'stdin';
  const names = file.split(/[\\/]/).filter((part) => part !== '');
  const own = (name: string): string =>
    name
      .replace(/\.(?:gz|zst)$/i, '')
      .replace(/\.(?:jsonl?|ndjson|traj|log|txt|md|db|sqlite3?|vscdb|eval)$/i, '') || name;
  const last = own(names.at(-1) ?? file);
  return EVERYWHERE.test(last)
    ? (names.slice(0, -1).findLast((part) => !EVERYWHERE.test(part)) ?? last)
    : last;
}

function looksLike(record: unknown): string {
  if (record === undefined) return 'nothing';
  if (Array.isArray(record)) return 'a JSON array';
  if (typeof record !== 'object' || record === null)
    return `a JSON ${record === null ? 'null' : typeof record}`;
  const names = Object.keys(record).slice(0, 6);
  return names.length === 0
    ? 'an empty object'
    : `an object with ${redact(names.join(', ')).slice(0, 120)}`;
}

/** Formats in SQLite, recognised by their tables. */
const READERS = importers.flatMap((importer) => {
  const { name, database } = importer;
  const label =
    hosts.find(({ transcripts }: Host) => transcripts?.includes(importer))?.label ?? name;
  return database ? [{ label, database }] : [];
});

/** The records of an SQLite file, from its importer. */
function* databaseRecords(file: string): Generator<unknown, void> {
  for (const { database } of READERS) {
    const records = database(file);
    try {
      const first = records.next();
      if (!first.done) yield first.value;
    } catch (error) {
      if (!/no such (?:table|column)/.test(String(error))) throw error;
      continue;
    }
    yield* records;
    return;
  }
  const known = READERS.map(({ label }) => label).join(', ');
  throw new UnrutError(
    'unknown-database',
    `it is an SQLite database, but not of an agent whose tables are known (${known})`,
  );
}
