import { UnrutError } from '../errors.ts';
import type { Host } from '../hosts/define-host.ts';
import { hosts } from '../hosts/index.ts';
import { importers } from '../importers/index.ts';

/** Agents and formats that keep their runs in SQLite, told by the tables that they read. */
const READERS = importers.flatMap((importer) => {
  const { name, database } = importer;
  const label = hosts.find(({ transcripts }: Host) => transcripts?.includes(importer))?.label ?? name;
  return database ? [{ label, database }] : [];
});

/** The records of an SQLite file that an agent keeps its runs in, as its importer reads them. */
export function* databaseRecords(file: string): Generator<unknown, void> {
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
  throw new UnrutError('unknown-database', `it is an SQLite database, but not of an agent whose tables are known (${known})`);
}
