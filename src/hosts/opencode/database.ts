import { type JsonObject, objectOf, parsed, textOf } from '../../json.ts';
import { databaseOf } from '../reading/database.ts';

/**
 * The sessions of OpenCode's database, each as `opencode export` prints it; the oldest first. Other tables, among them those with
 * credentials, are not touched.
 */
export const readOpencodeDatabase = (path: string): Generator<JsonObject> =>
  databaseOf(path, function* (database) {
    const sessions = database.prepare(
      'SELECT id, parent_id, directory, title, version, time_created FROM session ORDER BY time_created, id',
    );
    const messages = database.prepare('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id');
    const parts = database.prepare('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id');
    for (const { id, parent_id, directory, title, version, time_created } of sessions.all()) {
      const session = textOf(id);
      const partsOf = new Map<string, JsonObject[]>();
      for (const row of parts.iterate(session)) {
        const message = textOf(row.message_id);
        if (!partsOf.has(message)) partsOf.set(message, []);
        partsOf.get(message)!.push({ ...dataOf(row), id: row.id, sessionID: session, messageID: message });
      }
      yield {
        info: { id, ...(parent_id === null ? {} : { parentID: parent_id }), directory, title, version, time: { created: time_created } },
        messages: messages.all(session).map((row) => ({
          info: { ...dataOf(row), id: row.id, sessionID: session },
          parts: partsOf.get(textOf(row.id)) ?? [],
        })),
      };
    }
  });

/** A row's JSON; nothing when it is broken. */
const dataOf = ({ data }: { data?: unknown }): JsonObject => objectOf(parsed(data));
