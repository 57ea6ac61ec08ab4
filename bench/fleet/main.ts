import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hash32 } from '@unrut/engine/hash';
import { query } from '../../test/fleet/databases.ts';
import { makeSessions } from '../../test/fleet/many-sessions.ts';
import { startPostgres } from '../../test/fleet/postgres.ts';
import { median } from '../speed/median.ts';
import { type Drive, type Driven, drive } from './drive.ts';
import { type BenchProgram, cpuOfPostgres, startBare, startUnrut } from './programs.ts';

// Prints ratios that were measured in turns in this one run, and which bars of a fleet hold.
// Seconds are never a pass mark.
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '21' },
    seconds: { type: 'string', default: '3' },
    sessions: { type: 'string', default: '1000' },
    many: { type: 'string', default: '1000000' },
  },
});
const [rounds, seconds, sessions, many] = [
  values.rounds,
  values.seconds,
  values.sessions,
  values.many,
].map(Number) as [number, number, number, number];
const CONNECTIONS = 64;
const BATCH = 100;
/** Events that each session begins with, so that its state has its usual size. */
const WARM = 20;

const postgres = await startPostgres({
  settings: ['max_wal_size = 2GB', 'checkpoint_timeout = 1h'],
});
const database = await postgres.newDatabase();
const bareDatabase = postgres.url(await postgres.emptyDatabase(), 'unrut_owner');
const sqlite = await startUnrut(join(mkdtempSync(join(tmpdir(), 'unrut-bench-')), 'ledger.db'));
const bare = await startBare(bareDatabase);
const alone = await startUnrut(database.server);
const [hashedOne, hashedTwo] = [
  await startUnrut(database.server),
  await startUnrut(database.server),
];
const [anyOne, anyTwo] = [await startUnrut(database.server), await startUnrut(database.server)];

/**
 * The measurements of a round, with the CPU time per event of servers and database, and the bytes
 * of the database's log.
 */
interface Turn extends Driven {
  cpu: number;
  database: number;
  wal: number;
}

type Way = (session: number, request: number) => BenchProgram;

async function walOf(): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    database.superuser,
    "SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS bytes",
  );
  return Number(row!.bytes);
}

/** Each way has sessions of its own, so that none finds them with another's servers. */
interface Ways {
  programs: readonly BenchProgram[];
  way: Way;
  place: number;
}

const given = ({ way, place }: Ways, events: number): Omit<Drive, 'milliseconds'> => ({
  urlOf: (session, request) => way(session, request).url,
  first: place * sessions,
  sessions,
  events,
  connections: CONNECTIONS,
});

async function turn(by: Ways, events: number, more: { pace?: number } = {}): Promise<Turn> {
  const { programs } = by;
  const before = {
    cpu: cpuOf(programs),
    database: cpuOfPostgres(postgres.folder),
    wal: await walOf(),
  };
  const driven = await drive({ ...given(by, events), milliseconds: seconds * 1000, ...more });
  return {
    ...driven,
    cpu: (cpuOf(programs) - before.cpu) / driven.events,
    database: (cpuOfPostgres(postgres.folder) - before.database) / driven.events,
    wal: ((await walOf()) - before.wal) / driven.events,
  };
}

const cpuOf = (programs: readonly BenchProgram[]): number =>
  programs.reduce((sum, each) => sum + each.cpu(), 0);
const hashed: Way = (session) => (hash32(`session-${session}`) % 2 === 0 ? hashedOne : hashedTwo);
const anywhere: Way = (session, request) =>
  hash32(`${session} ${request}`) % 2 === 0 ? anyOne : anyTwo;

const ways: Record<'sqlite' | 'bare' | 'postgres' | 'hashed' | 'anywhere', Ways> = {
  sqlite: { programs: [sqlite], way: () => sqlite, place: 0 },
  bare: { programs: [bare], way: () => bare, place: 1 },
  postgres: { programs: [alone], way: () => alone, place: 2 },
  hashed: { programs: [hashedOne, hashedTwo], way: hashed, place: 3 },
  anywhere: { programs: [anyOne, anyTwo], way: anywhere, place: 4 },
};

for (const way of Object.values(ways))
  await drive({ ...given(way, WARM), milliseconds: 600_000, requests: sessions });
// Servers notice which sessions are sent anywhere when each has met the other server.
await drive({ ...given(ways.anywhere, 1), milliseconds: 600_000, requests: 4 * sessions });
await query(database.superuser, 'CHECKPOINT');

const single: Record<string, Turn[]> = {};
const batches: Record<string, Turn[]> = {};
for (let round = 0; round < rounds; round++) {
  for (const [name, way] of Object.entries(ways)) {
    single[name] = [...(single[name] ?? []), await turn(way, 1)];
    if (name === 'hashed' || name === 'anywhere') continue;
    batches[name] = [...(batches[name] ?? []), await turn(way, BATCH)];
  }
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
}
const of = (turns: Record<string, Turn[]>, name: string, what: keyof Turn): number =>
  median(turns[name]!.map((each) => each[what]));
/** The median of the ratios of each round. */
const ratio = (turns: Record<string, Turn[]>, what: keyof Turn, name: string, by: string): number =>
  median(turns[name]!.map((each, i) => each[what] / turns[by]![i]![what]));
const half = await turn(ways.postgres, 1, { pace: of(single, 'postgres', 'rate') / 2 });
const bareHalf = of(single, 'bare', 'p50');
const stale = await staleShare();
const large = await manySessions();

interface Bar {
  measure: string;
  measured: number;
  bar: string;
  holds: boolean;
}
const atLeast = (measure: string, measured: number, bar: number): Bar => ({
  measure,
  measured,
  bar: `≥ ${bar}`,
  holds: measured >= bar,
});
const atMost = (measure: string, measured: number, bar: number): Bar => ({
  measure,
  measured,
  bar: `≤ ${bar}`,
  holds: measured <= bar,
});

const bars: Bar[] = [
  atLeast('single events, rate against SQLite', ratio(single, 'rate', 'postgres', 'sqlite'), 0.75),
  atLeast('batches of 100, rate against SQLite', ratio(batches, 'rate', 'postgres', 'sqlite'), 0.9),
  atLeast(
    'single events, rate against a bare INSERT',
    ratio(single, 'rate', 'postgres', 'bare'),
    0.5,
  ),
  atLeast(
    'batches of 100, rate against a bare INSERT',
    ratio(batches, 'rate', 'postgres', 'bare'),
    0.13,
  ),
  atMost(
    'database CPU per single event, against a bare INSERT',
    ratio(single, 'database', 'postgres', 'bare'),
    0.8,
  ),
  atMost('WAL per single event, KB', of(single, 'postgres', 'wal') / 1024, 2),
  atMost('WAL per event in batches, KB', of(batches, 'postgres', 'wal') / 1024, 0.7),
  atLeast('two servers hashed, rate against one', ratio(single, 'rate', 'hashed', 'postgres'), 0.9),
  atMost(
    'two servers hashed, CPU per event against one',
    ratio(single, 'cpu', 'hashed', 'postgres'),
    1.2,
  ),
  atLeast(
    'two servers anywhere, rate against hashed',
    ratio(single, 'rate', 'anywhere', 'hashed'),
    0.4,
  ),
  atMost('two servers anywhere, stale sessions per request', stale, 0.1),
  atMost(
    'p99 at half of the highest rate, beyond 4 × p50 of a bare INSERT, ms',
    half.p99 - 4 * bareHalf,
    50,
  ),
  atMost(`memory of a server with ${many} sessions in the ledger, MB`, large.memory / 2 ** 20, 350),
  atMost(`ready after its start with ${many} sessions, against an empty ledger`, large.ready, 2),
];

console.log(
  `node ${process.version}; ${rounds} rounds of ${seconds} s in turns, ${sessions} sessions, ${CONNECTIONS} connections; medians`,
);
console.table(
  bars.map(({ measured, ...rest }) => ({ ...rest, measured: Number(measured.toPrecision(3)) })),
);
console.log(
  'Events each second, and milliseconds of processor time for each event: what other programs do on the machine changes the first',
);
console.table(
  Object.fromEntries(
    Object.keys(ways).map((name) => [
      name,
      { ...shownOf(single, name, 'single'), ...shownOf(batches, name, 'batches') },
    ]),
  ),
);
mkdirSync('bench/out', { recursive: true });
writeFileSync(
  'bench/out/fleet.json',
  `${JSON.stringify({ rounds, seconds, sessions, many, bars, single, batches }, null, 2)}\n`,
);
for (const { programs } of Object.values(ways)) for (const program of programs) program.kill();
await postgres.remove();

function shownOf(
  turns: Record<string, Turn[]>,
  name: string,
  kind: string,
): Record<string, number> {
  if (!turns[name]) return {};
  const milliseconds = (what: 'cpu' | 'database'): number =>
    Number((1000 * of(turns, name, what)).toPrecision(3));
  return {
    [kind]: Math.round(of(turns, name, 'rate')),
    [`${kind}, servers`]: milliseconds('cpu'),
    [`${kind}, database`]: milliseconds('database'),
  };
}

/** Sessions that turned out to be stale in each request that went anywhere. */
async function staleShare(): Promise<number> {
  const staleIn = async (): Promise<number> => {
    const texts = await Promise.all(
      [anyOne, anyTwo].map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
    );
    return texts.reduce(
      (sum, text) => sum + Number(/^unrut_ledger_stale_total (\d+)/m.exec(text)![1]),
      0,
    );
  };
  const before = await staleIn();
  const { events } = await turn(ways.anywhere, 1);
  return ((await staleIn()) - before) / events;
}

/** A server whose ledger has many sessions. */
async function manySessions(): Promise<{ memory: number; ready: number }> {
  const [few, lots] = [await postgres.newDatabase(), await postgres.newDatabase()];
  await makeSessions(lots.superuser, { org: 1, sessions: many, events: 1, days: 30 });
  const empty = await readyAfter(few.server);
  const full = await readyAfter(lots.server);
  return { memory: full.memory, ready: full.took / empty.took };
}

/**
 * Milliseconds until a new server is ready, and its memory after lists and figures were asked for.
 */
async function readyAfter(ledger: string): Promise<{ took: number; memory: number }> {
  const began = performance.now();
  const server = await startUnrut(ledger);
  while ((await fetch(`${server.url}/readyz`)).status !== 200);
  const took = performance.now() - began;
  for (const path of ['/v1/sessions', '/v1/stats?since=7d', '/metrics'])
    await (await fetch(server.url + path)).text();
  const memory = server.memory();
  server.kill();
  return { took, memory };
}
