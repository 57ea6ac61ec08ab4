import { renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sessionFiguresOf } from '@unrut/ledger/figures/count-session';
import type { Ledger } from '@unrut/ledger/ledger';
import { onlyFigures } from '@unrut/ledger/reports/reports';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { createLiveTimelines, type LiveTimeline } from '@unrut/ledger/views/live-timelines';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { afterEach, describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { record } from './seeded-ledger.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function open(path = newPath(), mostEntries = 40_000): { path: string; ledger: Ledger } {
  const ledger = createSqliteLedger({ path, mostEntries });
  closing.push(ledger.close);
  return { path, ledger };
}

const FAILING = 'Bash {"command":"make"} -> exit 1 "cc: error: no such file" x4';
const reads = (from: number, count: number): string[] =>
  Array.from(
    { length: count },
    (_, i) =>
      `Read {"file_path":"/home/dev/project/${from + i}.ts"} -> "export const part = ${from + i};"`,
  );

const fails = (ledger: Ledger, session: string): Promise<void> =>
  record(ledger, {
    session,
    lines: [FAILING, ...reads(0, 3)],
    until: Date.now(),
    cost: { tokens: 10, usd: 0.1 },
  });

const rowsIn = async ({ reports }: Ledger) =>
  (await reports!.sessions({ most: 50 })).sessions.map(onlyFigures);
const namesIn = async (ledger: Ledger): Promise<string[]> =>
  (await rowsIn(ledger)).map(({ session }) => session).sort();

const LATER_TABLES = [
  ...['counts', 'loops', 'hours', 'tool_hours', 'detector_hours', 'plan_hours'],
  ...['cause_sessions', 'incident_changes', 'incidents'],
];

/** Makes a file what the version before would have made of it: without figures and incidents. */
function takeFiguresOut(path: string): void {
  const database = new DatabaseSync(path);
  const all = (sql: string) => database.prepare(sql).all() as { name: string }[];
  const isOld = new Set(['session', 'touched', 'first', 'last', 'events', 'signals']);
  for (const { name } of all(
    "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'sessions' AND sql IS NOT NULL AND name <> 'sessions_by_touched'",
  ))
    database.exec(`DROP INDEX ${name}`);
  for (const { name } of all("SELECT name FROM pragma_table_info('sessions')"))
    if (!isOld.has(name)) database.exec(`ALTER TABLE sessions DROP COLUMN ${name}`);
  for (const table of LATER_TABLES) database.exec(`DROP TABLE ${table}`);
  database.exec('ALTER TABLE upkeep DROP COLUMN mark');
  database.exec('PRAGMA user_version = 2');
  database.close();
}

describe('figures of a ledger', () => {
  test('are those of its entries, as it grows', async () => {
    const { ledger } = open();
    for (const session of ['a', 'b', 'c']) {
      await fails(ledger, session);
      for (const row of await rowsIn(ledger))
        expect(row).toEqual(
          sessionFiguresOf(row.session, await ledger.entries({ session: row.session })),
        );
    }
    expect(await ledger.reports!.session('a')).toMatchObject({
      tokens: 70,
      wasted: { steps: 3, tokens: 30 },
    });
  });

  test('of a ledger of the version before are counted once, and nothing of it is lost', async () => {
    const { ledger, path } = open();
    for (const session of ['a', 'b', 'c']) await fails(ledger, session);
    const before = {
      rows: await rowsIn(ledger),
      entries: await ledger.entries(),
    };
    await ledger.close();
    takeFiguresOut(path);
    const next = open(path).ledger;
    // Who continues with a session counts what it had.
    await record(next, { session: 'b', lines: reads(20, 1), until: Date.now() + 60_000 });
    await next.forget('c');
    const rows = await rowsIn(next);
    expect(rows.find(({ session }) => session === 'a')).toEqual(
      before.rows.find(({ session }) => session === 'a'),
    );
    expect(rows.find(({ session }) => session === 'b')).toMatchObject({ steps: 8 });
    await next.close();
    takeFiguresOut(path);
    const again = open(path).ledger;
    expect((await again.reports!.stats({ since: 0, by: 'day' })).steps).toBe(15);
    expect(await rowsIn(again)).toEqual(rows);
    const kept = before.entries.filter(({ session }) => session !== 'c');
    expect(await again.entries()).toEqual(expect.arrayContaining(kept));
  });

  test('forget what was deleted, and count a session again that begins again', async () => {
    const { ledger } = open();
    for (const session of ['a', 'b', 'c']) await fails(ledger, session);
    await ledger.forget('b');
    expect(await namesIn(ledger)).toEqual(['a', 'c']);
    for (const session of ['c', 'a']) {
      await ledger.forget(session);
      await record(ledger, { session, lines: reads(0, 2), until: Date.now() + 60_000 });
      expect(onlyFigures((await ledger.reports!.session(session))!)).toEqual(
        sessionFiguresOf(session, await ledger.entries({ session })),
      );
    }
    await ledger.forget();
    expect(await ledger.reports!.stats({ since: 0, by: 'day' })).toMatchObject({
      sessions: 0,
      steps: 0,
    });
  });

  test('are those of the file that is there now', async () => {
    const { path, ledger } = open();
    expect(await namesIn(ledger)).toEqual([]);
    await fails(ledger, 'before');
    renameSync(path, `${path}.aside`);
    await fails(ledger, 'after');
    expect(await namesIn(ledger)).toEqual(['after']);
  });
});

/** Reads the moments of sessions that are there. */
function timelines({ reports }: Ledger): (session: string) => Promise<LiveTimeline> {
  const look = createLiveTimelines(reports!);
  return async (session) => (await look(session))!;
}

describe('the moments of a session', () => {
  test('grow with it, and those that were given stay as they are', async () => {
    const { ledger } = open();
    const timeline = timelines(ledger);
    await fails(ledger, 'a');
    const first = await timeline('a');
    const kept = JSON.stringify(first);
    await record(ledger, {
      session: 'a',
      lines: ['user "Go on."', ...reads(10, 2)],
      until: Date.now() + 60_000,
    });
    const { moments } = await timeline('a');
    expect(JSON.stringify(first)).toBe(kept);
    expect(moments).toEqual(timelineOf(await ledger.entries({ session: 'a' })));
    expect(moments.length).toBeGreaterThan(first.moments.length);
  });

  test('are the newest where there are too many', async () => {
    const { ledger, path } = open(newPath(), 20);
    await record(ledger, { session: 'long', lines: reads(0, 30), until: Date.now() });
    const { moments, cut } = await timelines(ledger)('long');
    expect(cut).toBe(true);
    expect(moments.map(({ step }) => step)).toEqual(Array.from({ length: 10 }, (_, i) => 20 + i));
    expect((await timelines(open(path).ledger)('long')).cut).toBe(false);
  });

  test('are gone when the session is', async () => {
    const { ledger } = open();
    const timeline = timelines(ledger);
    await fails(ledger, 'a');
    expect((await timeline('a')).moments).not.toEqual([]);
    await ledger.forget('a');
    expect(await timeline('a')).toBeUndefined();
  });
});
