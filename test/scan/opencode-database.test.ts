import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  opencodeTranscript,
  readOpencodeDatabase,
} from '../../packages/agents/src/hosts/opencode/transcript.ts';
import { importFixture, importRecords, outline, recordsOf } from '../importers/import-file.ts';

/** As OpenCode 1.18.33 makes them, without indices and foreign keys. */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE session (
    id text PRIMARY KEY, project_id text NOT NULL, workspace_id text, parent_id text, slug text NOT NULL, directory text NOT NULL, path text,
    title text NOT NULL, version text NOT NULL, share_url text, summary_additions integer, summary_deletions integer, summary_files integer,
    summary_diffs text, metadata text, cost real DEFAULT 0 NOT NULL, tokens_input integer DEFAULT 0 NOT NULL,
    tokens_output integer DEFAULT 0 NOT NULL, tokens_reasoning integer DEFAULT 0 NOT NULL, tokens_cache_read integer DEFAULT 0 NOT NULL,
    tokens_cache_write integer DEFAULT 0 NOT NULL, revert text, permission text, agent text, model text, time_created integer NOT NULL,
    time_updated integer NOT NULL, time_compacting integer, time_archived integer);
  CREATE TABLE message (
    id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (
    id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL,
    data text NOT NULL);`;

interface Exported {
  info: {
    id: string;
    parentID?: string;
    slug: string;
    directory: string;
    title: string;
    version: string;
    time: { created: number };
  };
  messages: {
    info: Record<string, unknown> & { id: string; time: { created: number } };
    parts: { id: string }[];
  }[];
}

const folder = mkdtempSync(join(tmpdir(), 'unrut-opencode-'));
const path = join(folder, 'opencode.db');
let writer: DatabaseSync;

function insert({ info, messages }: Exported): void {
  const { id: session, parentID, slug, directory, title, version, time } = info;
  writer
    .prepare(
      'INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created, time_updated) VALUES (?,?,?,?,?,?,?,?,?)',
    )
    .run(
      session,
      'global',
      parentID ?? null,
      slug,
      directory,
      title,
      version,
      time.created,
      time.created,
    );
  for (const message of messages.toReversed()) {
    const { id, sessionID: _, ...data } = message.info;
    const { created } = message.info.time;
    writer
      .prepare('INSERT INTO message VALUES (?,?,?,?,?)')
      .run(id, session, created, created, JSON.stringify(data));
    for (const part of message.parts.toReversed()) {
      const {
        id: partId,
        sessionID: _,
        messageID: __,
        ...rest
      } = part as { id: string; sessionID?: string; messageID?: string };
      writer
        .prepare('INSERT INTO part VALUES (?,?,?,?,?,?)')
        .run(partId, id, session, created, created, JSON.stringify(rest));
    }
  }
}

beforeAll(() => {
  writer = new DatabaseSync(path);
  writer.exec(SCHEMA);
  for (const fixture of ['opencode-compacted.json', 'opencode-nested.json', 'opencode.json'])
    insert(recordsOf(fixture)[0] as Exported);
});

afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

describe("OpenCode's database", () => {
  it('holds what the export prints, the oldest session first, while OpenCode has it open', () => {
    const fixtures = ['opencode.json', 'opencode-nested.json', 'opencode-compacted.json'];
    const records = [...readOpencodeDatabase(path)];
    expect(opencodeTranscript.recognises(records)).toBe(true);
    expect(records.map((record) => outline(importRecords(opencodeTranscript, [record])))).toEqual(
      fixtures.map((fixture) => outline(importFixture(opencodeTranscript, fixture))),
    );
    expect(records.map(({ messages }) => messages)).toEqual(
      fixtures.map((fixture) => (recordsOf(fixture)[0] as Exported).messages),
    );
  });

  it('is read on when a row is broken', () => {
    writer.exec('BEGIN');
    writer
      .prepare(
        'INSERT INTO session (id, project_id, slug, directory, title, version, time_created, time_updated) VALUES (?,?,?,?,?,?,?,?)',
      )
      .run('ses_0', 'p', 's', 'd', 't', 'v', 1, 1);
    writer
      .prepare('INSERT INTO message VALUES (?,?,?,?,?)')
      .run('msg_0', 'ses_0', 1, 1, '{"role":"assis');
    writer.exec('COMMIT');
    const records = [...readOpencodeDatabase(path)];
    expect(records).toHaveLength(4);
    expect(importRecords(opencodeTranscript, records).unknown).toEqual(['message']);
    writer.exec("DELETE FROM session WHERE id = 'ses_0'; DELETE FROM message WHERE id = 'msg_0'");
  });

  it('is not taken for one when it is something else', () => {
    const other = join(folder, 'other.db');
    writeFileSync(other, 'no database at all, but long enough to be looked into'.repeat(40));
    expect(() => [...readOpencodeDatabase(other)]).toThrow('not a database');
  });
});
