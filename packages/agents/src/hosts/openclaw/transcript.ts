import { zstdDecompressSync } from 'node:zlib';
import { isObject, type JsonObject, parsed, textOf } from '@unrut/engine/json';
import { databaseOf } from '@unrut/ledger/sqlite/database-of';
import type { Importer } from '@unrut/reading/importer';
import { isOfOpenclaw, isPiSession, readPiSession } from '../pi/transcript.ts';

/** OpenClaw's sessions, which have pi's format. */
export const openclawTranscript: Importer = {
  name: 'openclaw',
  reads:
    "OpenClaw's sessions: the database `~/.openclaw/agents/*/agent/openclaw-agent.sqlite`, and the files of older versions",
  sample: 'the database recorded, 2026.9; files after its source and public descriptions',
  version: { tried: '4', at: 'version', isFormat: true },
  recognises: (first) => isPiSession(first) && first.some(isOfOpenclaw),
  open: (source) => readPiSession(source, { repeatsPrompt: true }),
  database: readOpenclawDatabase,
};

/** The entries of all sessions in an agent's database, session by session. */
function readOpenclawDatabase(path: string): Generator<JsonObject> {
  return databaseOf(path, function* (database) {
    const sessions = database
      .prepare(
        'SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY min(created_at), session_id',
      )
      .all();
    const entries = database.prepare(
      'SELECT event_json, event_zstd FROM transcript_events WHERE session_id = ? ORDER BY seq',
    );
    for (const { session_id } of sessions)
      for (const { event_json, event_zstd } of entries.iterate(textOf(session_id))) {
        const entry = parsed(event_json ?? unpacked(event_zstd));
        if (isObject(entry)) yield entry;
      }
  });
}

/** Large entries are packed. */
function unpacked(blob: unknown): string {
  try {
    return blob instanceof Uint8Array ? zstdDecompressSync(blob).toString() : '';
  } catch {
    return '';
  }
}
