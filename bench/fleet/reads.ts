/** `npm run bench:fleet-reads`: how long questions take in a ledger of many sessions, against one of few. */
import { performance } from 'node:perf_hooks';
import { openPostgres } from '../../src/ledger/postgres/index.ts';
import { runJobs } from '../../src/ledger/postgres/jobs/run-jobs.ts';
import { createPostgresReports } from '../../src/ledger/postgres/reports/create-postgres-reports.ts';
import type { Reports } from '../../src/ledger/reports/reports.ts';
import { query } from '../../test/fleet/databases.ts';
import { makeSessions } from '../../test/fleet/many-sessions.ts';
import { startPostgres } from '../../test/fleet/postgres.ts';

const FEW = 10_000;
const [many = 1_000_000, events = 10, rounds = 200] = process.argv.slice(2).map(Number);
const DAY = 86_400_000;

const QUESTIONS: [name: string, ask: (reports: Reports, i: number) => Promise<unknown>][] = [
  ['sessions', (reports) => reports.sessions({ most: 50, facets: true })],
  ['older page', (reports, i) => reports.sessions({ most: 50, after: { at: Date.now() - ((i % 28) + 1) * DAY, name: 'm' } })],
  ['with a loop', (reports) => reports.sessions({ most: 50, looped: true })],
  ['search', (reports, i) => reports.sessions({ most: 50, search: `folder-${i}` })],
  [
    'one session',
    async (reports, i) =>
      reports.history(
        (await reports.sessions({ most: 1, since: 0, after: { at: Date.now() - i * 3_600_000, name: '' } })).sessions[0]!.session,
      ),
  ],
  ['signals', (reports) => reports.signals({ most: 50 })],
  ['figures', (reports) => reports.stats({ since: Date.now() - 30 * DAY, by: 'day' })],
  ['recoveries', (reports) => reports.recoveries({ since: Date.now() - 30 * DAY, most: 50 })],
  ['detectors', (reports) => reports.detectors({ since: Date.now() - 30 * DAY })],
  ['stream', async (reports) => reports.feed.after(await reports.feed.newest(), 100)],
];

const p95 = (times: number[]): number => times.sort((one, other) => one - other)[Math.floor(times.length * 0.95)]!;

const postgres = await startPostgres({ settings: ['shared_buffers = 512MB', 'max_wal_size = 4GB', 'maintenance_work_mem = 256MB'] });
const { remove } = postgres;
const closing: (() => Promise<void>)[] = [];
try {
  const reports: Reports[] = [];
  for (const sessions of [FEW, many]) {
    const database = await postgres.newDatabase();
    const began = performance.now();
    await makeSessions(database.superuser, { org: 1, sessions, events, days: 30 });
    const opened = openPostgres({ url: database.server });
    await runJobs(opened.database);
    await query(database.superuser, 'VACUUM ANALYZE');
    console.log(`${sessions} sessions, ${sessions * events} events: made in ${Math.round((performance.now() - began) / 1000)} s`);
    closing.push(opened.close);
    reports.push(createPostgresReports({ connections: opened.reads, org: 1 }));
  }
  console.log(`p95 of ${rounds} in turns, ms: ${FEW} | ${many} | ratio`);
  for (const [name, ask] of QUESTIONS) {
    const times: [number[], number[]] = [[], []];
    for (let i = 0; i < rounds; i++)
      for (const [which, each] of reports.entries()) {
        const began = performance.now();
        await ask(each, i);
        times[which as 0 | 1].push(performance.now() - began);
      }
    const [few, lots] = [p95(times[0]), p95(times[1])];
    console.log(`${name.padEnd(12)} ${few.toFixed(1).padStart(8)} ${lots.toFixed(1).padStart(8)} ${(lots / few).toFixed(2).padStart(6)}`);
  }
} finally {
  for (const close of closing) await close();
  await remove();
}
