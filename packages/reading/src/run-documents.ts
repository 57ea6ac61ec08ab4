import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { ImportReading, Source } from './importer.ts';

/** Names that documents give their run. */
const IDS = ['instance_id', 'conversation_id', 'task_id'];

/**
 * Reads records each of which is the document of a run. The run is named as the document says, else
 * as the file; further documents without a name are told by their number.
 */
export function readDocuments(
  source: Source,
  isDocument: (record: unknown) => record is JsonObject,
  read: (document: JsonObject, name: string) => void,
): ImportReading {
  let count = 0;
  return {
    read(record) {
      count++;
      if (isDocument(record)) read(record, documentName(record, source.name, count));
      else source.unknown(kindOf(record));
    },
  };
}

/** What a document calls its run; else the file's name, and its number when it is not the first. */
export function documentName(document: JsonObject, file: string, count: number): string {
  const own = IDS.map((name) => textOf(document[name])).find((id) => id !== '');
  return own ?? (count === 1 ? file : `${file}:${count}`);
}

/** The first names in a record that is not known, or what it is in place of an object. */
export const fieldsIn = (record: unknown): string =>
  isObject(record) ? Object.keys(record).slice(0, 3).join(', ') : typeof record;

/** A word for a record that is not known. */
export const kindOf = (record: unknown): string =>
  isObject(record)
    ? textOf(record.kind) || textOf(record.type) || 'object'
    : record === null
      ? 'null'
      : Array.isArray(record)
        ? 'list'
        : typeof record;
