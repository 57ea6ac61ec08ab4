import { UnrutError } from '../errors.ts';
import { readGooseDatabase } from './databases/goose-database.ts';
import { readOpencodeDatabase } from './databases/opencode-database.ts';

/** Agents that keep their runs in SQLite, told by the tables that they read. */
const READERS = [readOpencodeDatabase, readGooseDatabase];

/** The records of an SQLite file that an agent keeps its runs in, as its importer reads them. */
export function* databaseRecords(file: string): Generator<unknown, void> {
  for (const read of READERS) {
    const records = read(file);
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
  throw new UnrutError('unknown-database', 'it is an SQLite database, but not of an agent whose tables are known (OpenCode, goose)');
}
