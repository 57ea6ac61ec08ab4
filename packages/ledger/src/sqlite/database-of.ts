import type { DatabaseSync } from 'node:sqlite';
import type { JsonObject } from '@unrut/engine/json';

/**
 * Reads an SQLite file that another program may be writing to. What `read` asks for must be there,
 * else it throws.
 */
export function* databaseOf(
  path: string,
  read: (database: DatabaseSync) => Generator<JsonObject>,
): Generator<JsonObject> {
  // Loaded when it is needed: hardly any scan does, and older versions of Node warn of it.
  const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite');
  const database = new Database(path, { readOnly: true });
  try {
    yield* read(database);
  } finally {
    database.close();
  }
}
