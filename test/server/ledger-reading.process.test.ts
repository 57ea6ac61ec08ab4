import { renameSync } from 'node:fs';
import { summarize } from '@unrut/ledger/figures/session-figures';
import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { openLedgerRows } from '@unrut/ledger/sqlite/ledger-rows';
import { createLiveTimelines, type LiveTimeline } from '@unrut/ledger/views/live-timelines';
import { reportsOf } from '@unrut/ledger/views/tally-reports';
import { timelineOf } from '@unrut/ledger/views/timeline';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createTallies,
  type LedgerTallies,
} from '../../packages/ledger/src/views/ledger-tallies.ts';
import { newPath } from '../ledger-files.ts';
import { record } from './seeded-ledger.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Read {
  path: string;
  ledger: Ledger;
  tallies: LedgerTallies;
  rows: ReturnType<typeof openLedgerRows>;
}

/**
 * A ledger, and what reads it. The clock of the reader goes on by ten seconds each time it is
 * asked.
 */
function open(path = newPath()): Read {
  const ledger = createSqliteLedger({ path });
  const rows = openLedgerRows(path);
  let time = 0;
  const tallies = createTallies(rows, () => (time += 10_000));
  closing.push(() => rows.close(), ledger.close);
  return { path, ledger, tallies, rows };
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

describe('figures of a ledger', () => {
  test('are the same whether it is read at once or as it grows', async () => {
    const { path, ledger, tallies } = open();
    for (const session of ['a', 'b', 'c']) {
      await fails(ledger, session);
      await tallies.catchUp();
    }
    const afresh = createTallies(openLedgerRows(path));
    await afresh.catchUp();
    expect(
      JSON.stringify([...tallies.sessions].map(([name, { summary }]) => [name, summary])),
    ).toBe(JSON.stringify([...afresh.sessions].map(([name, { summary }]) => [name, summary])));
    expect(tallies.sessions.get('a')!.summary).toMatchObject({
      tokens: 70,
      wasted: { steps: 3, tokens: 30 },
    });
  });

  test('of a ledger with many entries are read in slices, and none is left out', async () => {
    const { ledger, tallies } = open();
    await fails(ledger, 'a');
    const [entry] = await ledger.entries({ kind: 'event', last: 1 });
    for (let i = 0; i < 4; i++)
      await ledger.append(
        Array.from({ length: 500 }, (_, n) => ({
          ...entry!,
          id: `${i} ${n}`,
          session: `many-${n % 7}`,
        })),
      );
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await Promise.all([tallies.catchUp(), tallies.catchUp()]);
    clearInterval(counting);
    const events = [...tallies.sessions].flatMap(([name, { hours }]) =>
      name === 'a' ? [] : [...hours.values()].map(({ events }) => events),
    );
    expect(events.reduce((sum, count) => sum + count, 0)).toBe(2000);
    expect(turns).toBeGreaterThan(0);
  });

  test('forget what was deleted, and count a session anew that begins again', async () => {
    const { ledger, tallies } = open();
    for (const session of ['a', 'b', 'c']) await fails(ledger, session);
    await tallies.catchUp();
    await ledger.forget('b');
    await tallies.catchUp();
    expect([...tallies.sessions.keys()]).toEqual(['a', 'c']);
    // The newest entries are gone, so that their places are given again.
    await ledger.forget('c');
    await record(ledger, { session: 'c', lines: reads(0, 2), until: Date.now() + 60_000 });
    await tallies.catchUp();
    expect(tallies.sessions.get('c')!.summary).toEqual(
      summarize('c', await ledger.entries({ session: 'c' })),
    );
    await ledger.forget('a');
    await record(ledger, { session: 'a', lines: reads(0, 2), until: Date.now() + 60_000 });
    await tallies.catchUp();
    expect(tallies.sessions.get('a')!.summary).toEqual(
      summarize('a', await ledger.entries({ session: 'a' })),
    );
  });

  test('are those of the file that is there now', async () => {
    const { path, ledger, tallies } = open();
    expect(await tallies.catchUp()).toBeUndefined();
    await fails(ledger, 'before');
    await tallies.catchUp();
    await ledger.close();
    renameSync(path, `${path}.aside`);
    const next = open(path);
    await fails(next.ledger, 'after');
    await tallies.catchUp();
    expect([...tallies.sessions.keys()]).toEqual(['after']);
  });

  test('of a file that is not there are none', async () => {
    const rows = openLedgerRows(newPath());
    const tallies = createTallies(rows);
    await tallies.catchUp();
    expect(tallies.sessions.size).toBe(0);
    expect({ last: rows.last(), newest: rows.newest({ kind: 'signal', most: 5 }) }).toEqual({
      last: 0,
      newest: [],
    });
  });
});

/** Reads the moments of sessions that are there. */
function timelines(
  ledger: Ledger,
  path: string,
  mostEntries = 40_000,
): (session: string) => Promise<LiveTimeline> {
  const reports = reportsOf(ledger, path, { mostEntries });
  closing.push(reports.close);
  const look = createLiveTimelines(reports);
  return async (session) => (await look(session))!;
}

describe('the moments of a session', () => {
  test('grow with it, and those that were given stay as they are', async () => {
    const { ledger, path } = open();
    const timeline = timelines(ledger, path);
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
    const { ledger, path } = open();
    await record(ledger, { session: 'long', lines: reads(0, 30), until: Date.now() });
    const { moments, cut } = await timelines(ledger, path, 20)('long');
    expect(cut).toBe(true);
    expect(moments.map(({ step }) => step)).toEqual(Array.from({ length: 10 }, (_, i) => 20 + i));
    expect((await timelines(ledger, path)('long')).cut).toBe(false);
  });

  test('are gone when the session is', async () => {
    const { ledger, path } = open();
    const timeline = timelines(ledger, path);
    await fails(ledger, 'a');
    expect((await timeline('a')).moments).not.toEqual([]);
    await ledger.forget('a');
    expect(await timeline('a')).toBeUndefined();
  });
});
