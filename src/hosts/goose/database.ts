import { type JsonObject, parsed, textOf } from '../../json.ts';
import { databaseOf } from '../reading/database.ts';

/** The sessions of goose's database (`sessions.db`), each as `goose session export --format json` prints it; the oldest first. */
export const readGooseDatabase = (path: string): Generator<JsonObject> =>
  databaseOf(path, function* (database) {
    const messages = database.prepare(
      'SELECT role, content_json, created_timestamp, metadata_json FROM messages WHERE session_id = ? ORDER BY id',
    );
    // The first versions had no types of sessions; so all columns are asked for.
    const sessions = database.prepare('SELECT * FROM sessions ORDER BY created_at, id').all();
    for (const { id, working_dir, session_type } of sessions) {
      yield {
        id,
        working_dir,
        ...(session_type === undefined ? {} : { session_type }),
        conversation: messages.all(textOf(id)).map(({ role, content_json, created_timestamp, metadata_json }) => ({
          role,
          created: created_timestamp,
          content: parsed(content_json),
          metadata: parsed(metadata_json),
        })),
      };
    }
  });
