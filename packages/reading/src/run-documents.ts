import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import type { ImportReading, Source } from './importer.ts';

/** Names that documents give their run. */
const IDS = ['instance_id', 'conversation_id', 'task_id'];

/**
 * Reads records that are each a document of one run. A run is named after the document's id,
 * otherwise after the file; further documents without an id get a number.
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

/**
 * The run's name in the document; otherwise the file's name, with a number unless it is the first.
 */
export function documentName(document: JsonObject, file: string, count: number): string {
  const own = IDS.map((name) => textOf(document[name])).find((id) => id !== '');
  return own ?? (count === 1 ? file : `${file}:${count}`);
}

/** The first names in an unknown record; the type of a value that is not an object. */
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
