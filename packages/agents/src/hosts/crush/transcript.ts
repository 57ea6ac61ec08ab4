import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import {
  called,
  messageImporter,
  type Part,
  returned,
  strange,
  told,
} from '@unrut/reading/message-format';
import { spent } from '@unrut/reading/response-cost';

const ROLES = new Set(['user', 'assistant', 'system', 'tool']);

/** Sessions of Crush: the database in its folder. */
export const crushTranscript = messageImporter({
  name: 'crush',
  reads: "Crush's sessions: the database `.crush/crush.db` of a project",
  sample: 'written after its source, charmbracelet/crush 0373c96',
  isMessage: ({ role, parts }) =>
    ROLES.has(textOf(role)) &&
    Array.isArray(parts) &&
    parts.every((part) => isObject(part) && 'data' in part && 'type' in part),
  database: readCrushDatabase,
  lists: ['messages'],
  ids: ['session'],
  parts: ({ role, parts }) =>
    objectsOf(parts).flatMap((part) =>
      partOf(textOf(part.type), objectOf(part.data), role === 'user'),
    ),
  moment: ({ created_at: at }) => ({ at }),
  ends({ prompt_tokens: input, completion_tokens: output, cost: usd }) {
    // Zeros mean that nothing was counted.
    return {
      cost: spent({
        input: input || undefined,
        output: output || undefined,
        usd: usd || undefined,
      }),
    };
  },
});

function partOf(type: string, data: JsonObject, isUser: boolean): Part[] {
  switch (type) {
    case 'text':
      return data.hidden === true ? [] : told(isUser ? 'person' : 'says', data.text);
    case 'reasoning':
      return told('thinks', data.thinking);
    case 'tool_call':
      return [called(data.id, data.name, data.input)];
    case 'tool_result':
      return [returned(data.tool_call_id, data.content, { error: data.is_error })];
    case 'shell_command':
      return told('person', `!${textOf(data.command)}`);
    case 'finish':
    case 'image_url':
    case 'binary':
      return [];
    default:
      return [strange(`part ${type}`)];
  }
}

/** The sessions of Crush's database, the oldest first. */
function readCrushDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const messages = database.prepare(
      'SELECT role, parts, model, created_at FROM messages WHERE session_id = ? ORDER BY created_at, rowid',
    );
    const sessions = database.prepare(
      'SELECT id, parent_session_id, title, prompt_tokens, completion_tokens, cost FROM sessions ORDER BY created_at, id',
    );
    for (const { id, ...session } of sessions.all()) {
      const rows = messages
        .all(textOf(id))
        .map(({ parts, ...row }) => ({ ...row, parts: partsOf(parts) }));
      yield { session: id, ...session, messages: rows };
    }
  });
}

const partsOf = (parts: unknown): unknown =>
  parsed(parts instanceof Uint8Array ? Buffer.from(parts).toString('utf8') : parts);
