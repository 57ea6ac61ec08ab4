import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync } from 'node:zlib';
import { isObject, type JsonObject } from '@unrut/engine/json';
import {
  contentsOf,
  type ImportedFile,
  recordsOf,
  SAMPLES,
} from '@unrut/test/importers/import-file';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importFile } from './import-file.ts';
import { scanFile } from './scan-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-db-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function database(
  schema: string,
  rows: [sql: string, ...values: (string | number | null | Uint8Array)[]][],
): string {
  const path = join(folder, 'a.db');
  const db = new DatabaseSync(path);
  db.exec(schema);
  for (const [sql, ...values] of rows) db.prepare(sql).run(...values);
  db.close();
  return path;
}

async function read(
  path: string,
): Promise<{ format: string | undefined; failure: string | undefined } & ImportedFile> {
  const events: ImportedFile['events'] = [];
  const { format, failure, unknown } = await importFile(path, {
    onEvent: ({ step, event }) => void events.push({ step, event }),
  });
  return { format, failure, events, unknown: [...unknown.keys()] };
}
const document = (fixture: string): JsonObject => recordsOf(fixture)[0] as JsonObject;
const text = (value: unknown): string => JSON.stringify(value);

describe('a database holds what its agent tells of the same run', () => {
  it('Crush', async () => {
    const { session, messages, ...rest } = document('crush.json');
    const path = database(
      'CREATE TABLE sessions (id, parent_session_id, title, prompt_tokens, completion_tokens, cost, created_at); CREATE TABLE messages (id, session_id, role, parts, model, created_at)',
      [
        [
          'INSERT INTO sessions VALUES (?, NULL, ?, ?, ?, ?, 1)',
          String(session),
          String(rest.title),
          200,
          40,
          0.01,
        ],
        ...(messages as JsonObject[]).map((each, i): [string, ...(string | number)[]] => [
          'INSERT INTO messages VALUES (?, ?, ?, ?, NULL, ?)',
          `m${i}`,
          String(session),
          String(each.role),
          text(each.parts),
          Number(each.created_at),
        ]),
      ],
    );
    const file = await read(path);
    expect(file).toMatchObject({ format: 'crush', failure: undefined, unknown: [] });
    expect(contentsOf(file)).toEqual(SAMPLES['crush.json']);
  });

  it('reads only the chats of Cursor', async () => {
    const { composerId, bubbles, name } = document('cursor-chat.json');
    const all = (bubbles as JsonObject[]).filter(isObject);
    const path = database(
      'CREATE TABLE ItemTable (key, value); CREATE TABLE cursorDiskKV (key, value)',
      [
        ['INSERT INTO ItemTable VALUES (?, ?)', 'cursorAuth/accessToken', 'secret'],
        [
          'INSERT INTO cursorDiskKV VALUES (?, ?)',
          `composerData:${composerId}`,
          text({
            name,
            fullConversationHeadersOnly: all.map(({ bubbleId, type }) => ({ bubbleId, type })),
          }),
        ],
        [
          'INSERT INTO cursorDiskKV VALUES (?, ?)',
          'composerData:empty',
          text({ composerId: 'empty', fullConversationHeadersOnly: [] }),
        ],
        ...all.map((bubble): [string, string, string] => [
          'INSERT INTO cursorDiskKV VALUES (?, ?)',
          `bubbleId:${composerId}:${bubble.bubbleId}`,
          text(bubble),
        ]),
      ],
    );
    const file = await read(path);
    expect(file).toMatchObject({ format: 'cursor-chat', failure: undefined, unknown: [] });
    expect(contentsOf(file)).toEqual(SAMPLES['cursor-chat.json']);
  });

  it('OpenClaw, whose large entries are packed', async () => {
    const entries = recordsOf('openclaw.jsonl').map(text);
    const path = database(
      'CREATE TABLE transcript_events (session_id, seq, event_json, created_at, event_zstd)',
      entries.map((entry, i) =>
        i % 5 === 4
          ? [
              'INSERT INTO transcript_events VALUES (?, ?, NULL, 1, ?)',
              's',
              i,
              zstdCompressSync(entry),
            ]
          : ['INSERT INTO transcript_events VALUES (?, ?, ?, 1, NULL)', 's', i, entry],
      ),
    );
    const file = await read(path);
    expect(file).toMatchObject({ format: 'openclaw', failure: undefined, unknown: [] });
    expect(contentsOf(file)).toEqual(SAMPLES['openclaw.jsonl']);
  });

  it('OpenCode, whose sessions are each in a folder of their own', async () => {
    const row = (id: string): [string, ...(string | number | null)[]][] => [
      ['INSERT INTO session VALUES (?, NULL, ?, ?, ?, 1)', id, `/home/ann/${id}`, 'Hello', '1.18'],
      [
        'INSERT INTO message VALUES (?, ?, ?, 1)',
        `m-${id}`,
        id,
        text({ role: 'user', time: { created: 1 } }),
      ],
      [
        'INSERT INTO part VALUES (?, ?, ?, ?)',
        `p-${id}`,
        id,
        `m-${id}`,
        text({ type: 'text', text: `"Look at ${id}"` }),
      ],
    ];
    const path = database(
      'CREATE TABLE session (id, parent_id, directory, title, version, time_created); CREATE TABLE message (id, session_id, data, time_created); CREATE TABLE part (id, session_id, message_id, data)',
      ['shop', 'billing'].flatMap(row),
    );
    const { trajectories } = await scanFile(path, {});
    expect(trajectories.map(({ id, repository, prompt }) => [id, repository, prompt])).toEqual([
      ['billing', 'billing', 'Look at billing'],
      ['shop', 'shop', 'Look at shop'],
    ]);
  });

  it('Zed, packed or not', async () => {
    const thread = readFileSync(
      new URL('../../../../test/fixtures/transcripts/zed.json', import.meta.url),
    );
    for (const [type, data] of [
      ['json', thread],
      ['zstd', zstdCompressSync(thread)],
    ] as const) {
      rmSync(join(folder, 'a.db'), { force: true });
      const path = database('CREATE TABLE threads (id, summary, updated_at, data_type, data)', [
        ['INSERT INTO threads VALUES (?, ?, ?, ?, ?)', 'z1', 'x', 'now', type, data],
      ]);
      const file = await read(path);
      expect(file).toMatchObject({ format: 'zed', failure: undefined, unknown: [] });
      expect(contentsOf(file)).toEqual(SAMPLES['zed.json']);
    }
  });

  const CHECKPOINTS =
    'CREATE TABLE checkpoints (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)';
  const INSERT = 'INSERT INTO checkpoints VALUES (?, ?, ?, NULL, ?, ?, NULL)';
  it("LangGraph's saver", async () => {
    const states = recordsOf('langchain-messages-states.jsonl') as { values: object }[];
    const path = database(
      CHECKPOINTS,
      states.map(({ values }, i): [string, ...string[]] => [
        INSERT,
        'thread-1',
        '',
        String(900 - i),
        'json',
        text({ channel_values: values }),
      ]),
    );
    const file = await read(path);
    expect(file).toMatchObject({ format: 'langchain-messages', failure: undefined, unknown: [] });
    expect(contentsOf(file)).toEqual(SAMPLES['langchain-messages-states.jsonl']);
  });

  it("LangGraph's saver in Python says what to do", async () => {
    const path = database(CHECKPOINTS, [[INSERT, 'thread-1', '', '1', 'msgpack', 'x']]);
    expect((await read(path)).failure).toContain(
      'its checkpoints are packed (msgpack); give the messages as JSON',
    );
  });

  it('Phoenix', async () => {
    const spans = recordsOf('otel-spans-phoenix.jsonl') as (JsonObject & { context: JsonObject })[];
    const path = database(
      'CREATE TABLE traces (id INTEGER PRIMARY KEY, trace_id); CREATE TABLE spans (id INTEGER PRIMARY KEY, trace_rowid, span_id, parent_id, name, span_kind, start_time, end_time, attributes, events, status_code, status_message)',
      [
        ['INSERT INTO traces VALUES (1, ?)', String(spans[0]!.context.trace_id)],
        ...spans.map((span): [string, ...(string | null)[]] => [
          'INSERT INTO spans (trace_rowid, span_id, parent_id, name, span_kind, start_time, end_time, attributes, events, status_code, status_message) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          String(span.context.span_id),
          span.parent_id === null ? null : String(span.parent_id),
          ...[span.name, span.span_kind, span.start_time, span.end_time].map(String),
          text(span.attributes),
          '[]',
          ...[span.status_code, span.status_message].map(String),
        ]),
      ],
    );
    const file = await read(path);
    expect(file).toMatchObject({ format: 'otel-spans', failure: undefined, unknown: [] });
    expect(contentsOf(file)).toEqual(SAMPLES['otel-spans-phoenix.jsonl']);
  });
});

it('a database of something else is named, with those that are known', async () => {
  const path = database('CREATE TABLE bookmarks (url)', [
    ['INSERT INTO bookmarks VALUES (?)', 'x'],
  ]);
  expect((await read(path)).failure).toMatch(
    /not of an agent whose tables are known \(.*Cursor.*Crush.*Zed.*otel-spans/,
  );
});
