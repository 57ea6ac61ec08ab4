import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@unrut/engine/json';

/**
 * Reads an SQLite file that another program may be writing to. Throws if the tables that `read`
 * needs are missing.
 */
export function* databaseOf(
  path: string,
  read: (database: DatabaseSync) => Generator<JsonObject>,
): Generator<JsonObject> {
  // Loaded lazily: few scans need it, and older versions of Node print a warning.
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const database = new Database(path, { readOnly: true });
  try {
    yield* read(database);
  } finally {
    database.close();
  }
}
