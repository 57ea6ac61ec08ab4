import { isObject, type JsonObject, objectOf, objectsOf, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import type { ImportedRun, Importer } from '@unrut/reading/importer';
import { kindOf } from '@unrut/reading/run-documents';
import { hermesResult } from './result.ts';

/** Roles of rows that hold no step. */
const SILENT = new Set(['system', 'session_meta']);

/** Hermes: its database, and the output of `hermes sessions export`. */
export const hermesTranscript: Importer = {
  name: 'hermes',
  reads: "Hermes Agent's sessions: the database `~/.hermes/state.db`, and `hermes sessions export`",
  sample: 'written after its source and documentation, NousResearch/hermes-agent 006a5ae',
  database: readHermesDatabase,
  recognises: (first) => first.some(isSession),
  open: (source) => ({
    read(record) {
      if (!isSession(record)) return source.unknown(kindOf(record));
      const run = source.run(textOf(record.id) || undefined);
      for (const [i, message] of objectsOf(record.messages).entries())
        if (!tell(run, message, `#${i}`)) source.unknown(`message of ${textOf(message.role)}`);
    },
  }),
};

const isSession = (record: unknown): record is JsonObject =>
  isObject(record) &&
  Array.isArray(record.messages) &&
  typeof record.id === 'string' &&
  typeof record.source === 'string' &&
  typeof record.started_at === 'number';

/** Emits one message; false if its role is unknown. */
function tell(run: ImportedRun, message: JsonObject, batch: string): boolean {
  const { role, content, timestamp: at, tool_call_id: id, reasoning } = message;
  // Undone messages stay in the database.
  if (message.active === 0 || message.active === false) return true;
  const text = textOf(content);
  if (role === 'user') {
    if (text.trim() !== '') run.person(text, { at });
    return true;
  }
  if (role === 'tool') {
    run.returns(textOf(id), hermesResult(content), { at });
    return true;
  }
  if (role !== 'assistant') return SILENT.has(textOf(role));
  if (textOf(reasoning).trim() !== '') run.thinks(textOf(reasoning), { at });
  if (text.trim() !== '') run.says(text, { at });
  for (const call of objectsOf(listed(message.tool_calls))) {
    const { name, arguments: args } = objectOf(call.function);
    run.calls(
      {
        id: textOf(call.id) || textOf(call.call_id),
        tool: textOf(name) || 'unknown',
        args: typeof args === 'string' ? (parsed(args) ?? args) : (args ?? {}),
        batch,
      },
      { at },
    );
  }
  return true;
}

/** The database has calls as a text. */
const listed = (calls: unknown): unknown => (typeof calls === 'string' ? parsed(calls) : calls);

/** The sessions of the database in the export format, oldest first. */
export function readHermesDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const sessions = database
      .prepare('SELECT id, source, model, started_at FROM sessions ORDER BY started_at, id')
      .all();
    // Older versions have fewer columns, so all are read.
    const messages = database.prepare('SELECT * FROM messages WHERE session_id = ? ORDER BY id');
    for (const session of sessions) {
      const rows = messages.all(textOf(session.id));
      if (rows.some((row) => 'tool_call_id' in row) || rows.length === 0)
        yield { ...session, messages: rows };
    }
  });
}
