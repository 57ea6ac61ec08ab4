/**
 * `npm run bench:fleet-reads`: how long questions take in a ledger of many sessions, against one of
 * few, while events come in.
 */
import { performance } from 'node:perf_hooks';
import type { Reports } from '@unrut/ledger/reports/reports';
import { openPostgres } from '@unrut/postgres';
import { runJobs } from '@unrut/postgres/jobs/run-jobs';
import { createPostgresReports } from '@unrut/postgres/reports/create-postgres-reports';
import { DEFAULT_DAYS, lookAfter } from '@unrut/postgres/upkeep';
import pg from 'pg';
import { query, type TestDatabase } from '../../test/fleet/databases.ts';
import { makeSessions } from '../../test/fleet/many-sessions.ts';
import { startPostgres } from '../../test/fleet/postgres.ts';
import { type Driven, drive } from './drive.ts';
import { type BenchProgram, startUnrut } from './programs.ts';

const FEW = 10_000;
const [many = 1_000_000, events = 10, rounds = 200] = process.argv.slice(2).map(Number);
const DAY = 86_400_000;
/** Background events per second, and their number of sessions. */
const PACE = 200;
const WRITTEN = 1000;

const QUESTIONS: [name: string, ask: (reports: Reports, i: number) => Promise<unknown>][] = [
  ['sessions', (reports) => reports.sessions({ most: 50, facets: true })],
  [
    'older page',
    (reports, i) =>
      reports.sessions({ most: 50, after: { at: Date.now() - ((i % 28) + 1) * DAY, name: 'm' } }),
  ],
  ['with a loop', (reports) => reports.sessions({ most: 50, looped: true })],
  ['search', (reports, i) => reports.sessions({ most: 50, search: `folder-${i}` })],
  [
    'one session',
    async (reports, i) =>
      reports.history(
        (
          await reports.sessions({
            most: 1,
            since: 0,
            after: { at: Date.now() - i * 3_600_000, name: '' },
          })
        ).sessions[0]!.session,
      ),
  ],
  ['signals', (reports) => reports.signals({ most: 50 })],
  ['figures', (reports) => reports.stats({ since: Date.now() - 30 * DAY, by: 'day' })],
  ['recoveries', (reports) => reports.recoveries({ since: Date.now() - 30 * DAY, most: 50 })],
  ['detectors', (reports) => reports.detectors({ since: Date.now() - 30 * DAY })],
  ['stream', async (reports) => reports.feed.after(await reports.feed.newest(), 100)],
];

const p95 = (times: number[]): number =>
  times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;

/** Sends events until `act` is done. Returns their latencies, by rounds of a few seconds. */
async function underLoad(server: BenchProgram, act: () => Promise<void>): Promise<Driven[]> {
  let isOver = false;
  const acting = act().finally(() => {
    isOver = true;
  });
  const turns: Driven[] = [];
  while (!isOver)
    turns.push(
      await drive({
        urlOf: () => server.url,
        first: 0,
        sessions: WRITTEN,
        events: 1,
        connections: 16,
        milliseconds: 3000,
        pace: PACE,
      }),
    );
  await acting;
  return turns;
}

const longestOf = (turns: readonly Driven[]): number =>
  Math.max(...turns.map(({ longest }) => longest));

/** Milliseconds until something new is reported. */
async function lagOf({ feed }: Reports): Promise<number> {
  const place = await feed.newest();
  const began = performance.now();
  while ((await feed.after(place, 1))?.length === 0);
  return performance.now() - began;
}

/** Drops data older than four weeks, and returns the latencies of events meanwhile. */
async function dropDays({ owner }: TestDatabase, server: BenchProgram): Promise<void> {
  const pool = new pg.Pool({ connectionString: owner });
  const before = await underLoad(
    server,
    () => new Promise((resolve) => setTimeout(resolve, 10_000)),
  );
  const took: number[] = [];
  const during = await underLoad(server, async () => {
    for (const events of [29, 28, 27]) {
      const began = performance.now();
      await lookAfter(pool, { ...DEFAULT_DAYS, events });
      took.push(performance.now() - began);
    }
  });
  await pool.end();
  console.log(
    `a day is dropped in ${took.map(Math.round).join(', ')} ms; the longest that an event waited: ${Math.round(longestOf(before))} ms before, ${Math.round(longestOf(during))} ms meanwhile`,
  );
}

const postgres = await startPostgres({
  settings: ['shared_buffers = 512MB', 'max_wal_size = 4GB', 'maintenance_work_mem = 256MB'],
});
const { remove } = postgres;
const closing: (() => Promise<void>)[] = [];
try {
  const reports: Reports[] = [];
  const databases: TestDatabase[] = [];
  for (const sessions of [FEW, many]) {
    const database = await postgres.newDatabase();
    databases.push(database);
    const began = performance.now();
    await makeSessions(database.superuser, { org: 1, sessions, events, days: 30 });
    const opened = openPostgres({ url: database.server });
    await runJobs(opened.database);
    await query(database.superuser, 'VACUUM ANALYZE');
    console.log(
      `${sessions} sessions, ${sessions * events} events: made in ${Math.round((performance.now() - began) / 1000)} s`,
    );
    closing.push(opened.close);
    reports.push(createPostgresReports({ connections: opened.reads, org: 1 }));
  }
  const large = databases[1]!;
  const server = await startUnrut(large.server);
  closing.push(async () => server.kill());
  console.log(
    `p95 of ${rounds} in turns, ${PACE} events come in each second, ms: ${FEW} | ${many} | ratio`,
  );
  const turns = await underLoad(server, async () => {
    for (const question of QUESTIONS) await time(question);
  });
  console.log(`an event waited ${Math.round(longestOf(turns))} ms at most`);
  await underLoad(server, async () => {
    const lags: number[] = [];
    for (let i = 0; i < 20; i++) lags.push(await lagOf(reports[1]!));
    console.log(
      `the stream is ${Math.round(Math.max(...lags))} ms behind at most, beside the second between two looks`,
    );
  });
  await dropDays(large, server);

  async function time([name, ask]: (typeof QUESTIONS)[number]): Promise<void> {
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < rounds; i++)
      for (const [which, each] of reports.entries()) {
        const began = performance.now();
        await ask(each, i);
        times[which as 0 | 1].push(performance.now() - began);
      }
    const [few, lots] = [p95(times[0]), p95(times[1])];
    console.log(
      `${name.padEnd(12)} ${few.toFixed(1).padStart(8)} ${lots.toFixed(1).padStart(8)} ${(lots / few).toFixed(2).padStart(6)}`,
    );
  }
} finally {
  for (const close of closing) await close();
  await remove();
}
