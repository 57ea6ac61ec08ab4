import { spawn } from 'node:child_process';
import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { type AppOptions, createApp } from '@unrut/server/create-app';
import { startServer } from '@unrut/server/start-server';
import { afterAll, expect } from 'vitest';
import type { ToldVerdict } from '../../packages/server/src/events/record-events.ts';
import { ask } from './request.ts';

export { lookup } from './lookup.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A server in this process, on a ledger in a file. It is closed after the tests of the file. */
export async function served(
  path: string,
  options: Partial<AppOptions> = {},
): Promise<{ url: string; ledger: Ledger }> {
  const ledger = options.ledger ?? createSqliteLedger({ path });
  const app = createApp({
    ledger,
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: true,
    version: '0.0.0',
    ...options,
  });
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  closing.push(close, ledger.close);
  return { url, ledger };
}

/** `unrut serve` as a process of its own. `kill` ends it as a crash does, and waits for its end. */
export async function startProgram(
  cli: string,
  home: string,
  port = 0,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<{ url: string; port: number; pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [cli, 'serve', '--port', String(port), ...args], {
    env: { ...process.env, UNRUT_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  closing.push(kill);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) =>
      resolve(/http:\/\/[^,\s]+/.exec(data.toString())![0]),
    );
    child.stderr.on('data', (data: Buffer) => reject(new Error(data.toString())));
  });
  return { url, port: Number(new URL(url).port), pid: child.pid!, kill };
}

/** What a server answers to a body of events. */
export async function tellEvents(url: string, body: unknown, query = ''): Promise<ToldVerdict[]> {
  const { status, text } = await ask(`${url}/v1/events${query}`, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect(status, text).toBe(200);
  return JSON.parse(text).verdicts;
}
