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
import { hermesTranscript, readHermesDatabase } from './transcript.ts';

const TOLD = [
  '0 person "Mend the build."',
  '1 thinks "First see what fails."',
  '1 says "I run the tests."',
  '2 calls terminal {"command":"npm test"}',
  '3 calls read_file {"path":"src/page.ts"}',
  '2 terminal returns "1 failed: page.test.ts" exit 1',
  expect.stringMatching(/^3 read_file returns .*File not found.* error true$/),
  '4 calls terminal {"command":"npm run build"}',
  '4 terminal returns "built in 2 s" exit 0',
  '5 says "The build is mended."',
];

describe("Hermes Agent's sessions", () => {
  behavesWell(
    hermesTranscript,
    ['hermes.jsonl'],
    [
      { id: 's', source: 'cli', started_at: 1, messages: [{ role: 3 }, 4, { role: 'tool' }] },
      { id: 's', source: 'cli', started_at: 1, messages: [{ role: 'assistant', tool_calls: '{' }] },
    ],
  );

  it('are read as they are exported, without what was undone', () => {
    expect(outline(importFixture(hermesTranscript, 'hermes.jsonl'))).toEqual(TOLD);
  });

  it('tell a call of no tool that there is, and not a file that speaks of one', () => {
    const read = (content: string) =>
      outline(
        importRecords(hermesTranscript, [
          {
            id: 's',
            source: 'cli',
            started_at: 1,
            messages: [
              { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'ssh' } }] },
              { role: 'tool', tool_call_id: 'c', content },
            ],
          },
        ]),
      ).at(-1);
    const unknown = "Tool 'ssh' does not exist. Available tools: terminal";
    expect(read(unknown)).toMatch(/ error true refused by unknown-tool$/);
    expect(read(`The log says: ${unknown}`)).not.toContain('error');
  });

  it('are read from the database', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-hermes-'));
    const path = join(folder, 'state.db');
    const db = new DatabaseSync(path);
    db.exec(
      'CREATE TABLE sessions (id, source, model, started_at); CREATE TABLE messages (id, session_id, role, content, tool_call_id, tool_calls, tool_name, timestamp, reasoning, active)',
    );
    const [session] = recordsOf('hermes.jsonl') as Record<string, never>[];
    const { id, messages } = session as unknown as { id: string; messages: never[] };
    db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?)').run(id, 'cli', 'm', 1);
    for (const message of messages) {
      const row = message as Record<string, string | number | null | undefined>;
      db.prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
        row.id ?? null,
        id,
        row.role ?? null,
        row.content ?? null,
        row.tool_call_id ?? null,
        row.tool_calls === undefined ? null : JSON.stringify(row.tool_calls),
        row.tool_name ?? null,
        row.timestamp ?? null,
        row.reasoning ?? null,
        row.active ?? 1,
      );
    }
    db.close();
    const records = [...readHermesDatabase(path)];
    rmSync(folder, { recursive: true });
    expect(outline(importRecords(hermesTranscript, records))).toEqual(TOLD);
  });
});
