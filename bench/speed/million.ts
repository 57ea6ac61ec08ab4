/**
 * The memory of `unrut serve` over a million events of a thousand sessions, as many as it caches,
 * while its pages are requested:
 *
 *     node bench/speed/million.ts [events] [sessions]
 *
 * Prints the resident memory and the ledger's size by tenths, and whether every event was counted
 * once.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './median.ts';
import { nextEvents } from './server-events.ts';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
/** A session's data is bounded: after some hundred events it stops growing. */
const SESSIONS = Number(process.argv[3] ?? 1000);
const BATCH = 500;
const CONNECTIONS = 4;
const TENTHS = 10;

const home = mkdtempSync(join(tmpdir(), 'unrut-bench-million-'));
const cli = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--rate', '1000000000'], {
  cwd: home,
  env: { ...process.env, UNRUT_HOME: home },
  stdio: ['ignore', 'pipe', 'inherit'] as const,
});
const url = await new Promise<string>((resolve) =>
  server.stdout.on('data', (data: Buffer) => resolve(/http:\/\/[^,\s]+/.exec(String(data))![0])),
);

let sent = 0;

/** Sends a batch of one session after another, until as many were sent. */
async function send(until: number): Promise<void> {
  while (sent < until) {
    const session = Math.floor(sent / BATCH) % SESSIONS;
    const body = JSON.stringify(nextEvents(session, BATCH));
    sent += BATCH;
    const answer = await fetch(`${url}/v1/events`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`expected 200, got ${answer.status}: ${await answer.text()}`);
    await answer.text();
  }
}

const textOf = async (path: string): Promise<string> => (await fetch(url + path)).text();
const gauge = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, 'm').exec(text)?.[1]);
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);

const rows: { events: number; megabytes: number; most: number; ledger: number }[] = [];
try {
  const stream = new AbortController();
  const listening = fetch(`${url}/v1/stream`, { signal: stream.signal }).then(async ({ body }) => {
    for await (const _ of body!);
  });
  listening.catch(() => undefined);
  for (let tenth = 1; tenth <= TENTHS; tenth++) {
    const memory: number[] = [];
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        for (const path of ['/v1/sessions?limit=50', '/v1/stats?by=hour', '/v1/sessions/session-7'])
          await textOf(path);
        memory.push(gauge(await textOf('/metrics'), 'process_resident_memory_bytes'));
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => send((EVENTS * tenth) / TENTHS)));
    isOver = true;
    await watching;
    const row = {
      events: sent,
      megabytes: megabytes(median(memory)),
      most: megabytes(Math.max(...memory)),
      ledger: megabytes(statSync(join(home, 'ledger.db')).size),
    };
    rows.push(row);
    console.log(row);
  }
  stream.abort();
  const counted = gauge(await textOf('/metrics'), 'unrut_events_total');
  // Seven of ten events are message pieces, which are not entries.
  console.log(
    `Sent ${sent}, of which ${0.3 * sent} count; counted ${counted}. Memory of the last tenth to that of the sixth: ${(rows.at(-1)!.megabytes / rows[5]!.megabytes).toFixed(2)}`,
  );
} finally {
  server.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
}
