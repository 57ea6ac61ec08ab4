import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { gooseTranscript, readGooseDatabase } from './transcript.ts';

const TOLD = [
  '0 person "the test fails, please fix add.js"',
  '1 thinks "Let me look at both files first."',
  '1 says "I look at both files."',
  '2 calls developer__shell {"command":"cat add.js"}',
  '3 calls developer__shell {"command":"cat test.mjs"}',
  '2 developer__shell returns "export const add = (a, b) => a - b;\\n"',
  `3 developer__shell returns "import { add } from './add.js';\\n"`,
  '4 calls shell {"command":"node test.mjs"}',
  '4 shell returns "FAIL add(1, 2) = -1" error true exit 1',
  '5 calls run_tests {"name":"add"}',
  `5 run_tests returns "-32002: Tool 'run_tests' not found" error true refused by unknown-tool`,
  '6 calls unknown {}',
  expect.stringMatching(/^6 unknown returns "-32602: .*" error true refused by schema$/),
  '7 calls shell {"command":"rm -rf build"}',
  expect.stringMatching(/^7 shell returns "The user has declined .*" error true refused by user$/),
  '8 says "I could not fix it."',
];

interface Session {
  id: string;
  working_dir: string;
  session_type: string;
  conversation: {
    id: string;
    role: string;
    created: number;
    content: unknown;
    metadata: unknown;
  }[];
}
const session = recordsOf('goose.json')[0] as Session;

describe("goose's sessions", () => {
  behavesWell(
    gooseTranscript,
    ['goose.json', 'goose-lines.jsonl'],
    [
      { working_dir: '/', conversation: [null, 3, {}, { role: 'user' }] },
      {
        role: 'user',
        created: 1,
        content: [null, {}, { type: 'toolResponse' }, { type: 'toolResponse', toolResult: 'x' }],
      },
      {
        role: 'assistant',
        created: 1,
        content: [{ type: 'toolRequest' }, { type: 'toolRequest', toolCall: { value: 3 } }],
      },
    ],
  );

  it('have the texts, calls and results, and nothing that is meant for the model alone', () => {
    expect(outline(importFixture(gooseTranscript, 'goose.json'))).toEqual(TOLD);
  });

  it('put parallel calls into one batch, and know the time in seconds', () => {
    const { events } = importFixture(gooseTranscript, 'goose.json');
    expect(
      events
        .flatMap(({ event }) => (event.type === 'call-proposed' ? [event.batch] : []))
        .slice(0, 3),
    ).toEqual(['m2', 'm2', 'm4']);
    expect(events[0]!.event).toMatchObject({ session: '20261116_1', at: 1_794_800_201_000 });
  });

  it('of a nested agent know no person', () => {
    const { events } = importRecords(gooseTranscript, [{ ...session, session_type: 'sub_agent' }]);
    expect(events.map(({ event }) => event.type)).not.toContain('user-spoke');
  });

  it('of old versions are lines', () => {
    expect(outline(importFixture(gooseTranscript, 'goose-lines.jsonl'))).toEqual([
      '0 person "the test fails, please fix add.js"',
      '1 says "I run it."',
      '2 calls developer__shell {"command":"node test.mjs"}',
      '2 developer__shell returns "FAIL add(1, 2) = -1"',
      '3 says "It fails."',
    ]);
  });

  it('are read alike from the database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-goose-'));
    const path = join(folder, 'sessions.db');
    const database = new DatabaseSync(path);
    database.exec(`
      CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '', session_type TEXT NOT NULL DEFAULT 'user',
        working_dir TEXT NOT NULL, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
      CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL REFERENCES sessions(id),
        role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
        tokens INTEGER, metadata_json TEXT);`);
    database
      .prepare('INSERT INTO sessions (id, session_type, working_dir) VALUES (?,?,?)')
      .run(session.id, session.session_type, session.working_dir);
    const insert = database.prepare(
      'INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp, metadata_json) VALUES (?,?,?,?,?,?)',
    );
    for (const { id, role, content, created, metadata } of session.conversation)
      insert.run(id, session.id, role, JSON.stringify(content), created, JSON.stringify(metadata));
    database.close();

    const records = [...readGooseDatabase(path)];
    rmSync(folder, { recursive: true });
    expect(gooseTranscript.recognises(records)).toBe(true);
    expect(outline(importRecords(gooseTranscript, records))).toEqual(TOLD);
  });
});
