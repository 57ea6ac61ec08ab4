import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, rounded } from './median.ts';
import type { Load, Round } from './server-load.ts';

const ROUNDS = 21;
const MILLISECONDS = 1000;
/**
 * Each waits for its answer before it asks again. Two requests of a session are under way, as when
 * an agent streams text and calls a tool.
 */
const CONNECTIONS = 64;
const SESSIONS = 32;
const MANY_SESSIONS = 1000;
const MINUTE = 60_000;

/** The ways in which events are sent; the first is the measure of the others. */
const WAYS = [
  { way: 'an empty handler', path: '/empty', events: 1 },
  { way: 'single events', path: '/v1/events', events: 1 },
  { way: 'batches of 100', path: '/v1/events', events: 100 },
  {
    way: 'single events, one at a time in each session',
    path: '/v1/events',
    events: 1,
    connections: SESSIONS,
  },
];

/** Starts a program of this folder. It speaks by messages, and ends with this one. */
function start(file: string, ...args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: ['--expose-gc'] });
}

async function answerOf<T>(child: ChildProcess, question?: object): Promise<T> {
  if (question) child.send(question);
  const [answer] = await once(child, 'message');
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer as T;
}

/** Servers and a load, each a process of its own, and a folder for ledgers. */
async function together<T>(
  act: (parts: {
    server(name: string): Promise<{ child: ChildProcess; port: number }>;
    load: ChildProcess;
  }) => T,
) {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-bench-'));
  const load = start('server-load.ts');
  const children = [load];
  const server = async (name: string) => {
    const child = start('server-process.ts', join(folder, name));
    children.push(child);
    return { child, port: await answerOf<number>(child) };
  };
  try {
    return await act({ server, load });
  } finally {
    const ends = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(ends);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Events each second over HTTP into a ledger in a file, in turns with an empty handler: the same
 * program, middleware and JSON, nothing after it.
 */
export function measureServer() {
  return together(async ({ server, load }) => {
    const ports = {
      '/empty': (await server('empty.db')).port,
      '/v1/events': (await server('ledger.db')).port,
    };
    const loads: Load[][] = WAYS.map(() => []);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [i, { path, events, connections = CONNECTIONS }] of WAYS.entries()) {
        const port = ports[path as keyof typeof ports];
        const asked: Round = {
          port,
          path,
          events,
          connections,
          sessions: SESSIONS,
          milliseconds: MILLISECONDS,
        };
        const took = await answerOf<Load>(load, asked);
        // The first round is for the compiler.
        if (round > 0) loads[i]!.push(took);
      }
    }
    const ratio = (i: number, j: number): number =>
      median(loads[i]!.map(({ rate }, round) => rate / loads[j]![round]!.rate));
    return WAYS.map(({ way }, i) => ({
      way,
      'events per second': Math.round(median(loads[i]!.map(({ rate }) => rate))),
      '× empty': rounded(ratio(i, 0)),
      '× single': rounded(ratio(i, 1)),
      'p50 in ms': rounded(median(loads[i]!.map(({ p50 }) => p50))),
      'p99 in ms': rounded(median(loads[i]!.map(({ p99 }) => p99))),
    }));
  });
}

/**
 * Memory of a server that gets single events of 1,000 sessions in turns, as fast as it takes them.
 * Each session has some history first: a short one still grows.
 */
export function measureSessions() {
  return together(async ({ server, load }) => {
    const { child, port } = await server('ledger.db');
    const common = { port, path: '/v1/events', connections: CONNECTIONS, sessions: MANY_SESSIONS };
    const run = (round: Pick<Round, 'events' | 'milliseconds' | 'requests'>) =>
      answerOf<Load>(load, { ...common, ...round });
    const megabytes = async () => Math.round(await answerOf<number>(child, {}));
    await run({ events: 100, milliseconds: Number.MAX_SAFE_INTEGER, requests: 2 * MANY_SESSIONS });
    await run({ events: 1, milliseconds: MINUTE / 3 });
    const third = await megabytes();
    const { rate } = await run({ events: 1, milliseconds: (MINUTE * 2) / 3 });
    const end = await megabytes();
    return {
      sessions: MANY_SESSIONS,
      'events per second': Math.round(rate),
      'MB after a third': third,
      'MB after a minute': end,
      ratio: rounded(end / third),
    };
  });
}
