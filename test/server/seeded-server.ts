import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import { type LedgerReading, openReading } from '@unrut/server/api/reading';
import { type AppOptions, createApp } from '@unrut/server/create-app';
import { peopleSaid } from '@unrut/server/people-said';
import { startServer } from '@unrut/server/start-server';
import type { Hono } from 'hono';
import { afterAll } from 'vitest';
import type { StreamOptions } from '../../packages/server/src/api/entry-stream.ts';
import { newPath } from '../ledger-files.ts';
import { type Answer, ask } from './request.ts';
import { type Seeded, seedLedger } from './seeded-ledger.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

export interface SeededServer extends Seeded {
  url: string;
  app: Hono;
  reading: LedgerReading;
  /** A request that looks, and its answer. */
  look(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** What it looks at, as JSON. */
  json<T>(path: string): Promise<T>;
  /** Ends what continues for ever, then the server. */
  stop(): Promise<void>;
}

/** A server on a seeded ledger. It is closed after the tests of the file. */
export async function seededServer(
  options: Partial<AppOptions> = {},
  stream: StreamOptions = {},
): Promise<SeededServer> {
  const seeded = await seedLedger(newPath());
  const { ledger, path } = seeded;
  const reading = openReading(ledger);
  const ending = new AbortController();
  const settings = () =>
    loadSettings({
      cwd: dirname(path),
      home: homedir(),
      environment: { UNRUT_DETECTORS_CYCLE_LAPS: '4' },
    });
  const app = createApp({
    ledger,
    loopbackOnly: true,
    version: '0.0.0',
    settingsIn: () => ({ guard: {} }),
    signal: ending.signal,
    said: peopleSaid(path),
    reads: { reading, settings, stream },
    ...options,
  });
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    ending.abort();
    stopped ??= close();
    return stopped;
  };
  closing.push(stop, reading.close, ledger.close);
  const look = (where: string, headers = {}): Promise<Answer> =>
    ask(url + where, { method: 'GET', headers });
  return {
    ...seeded,
    url,
    app,
    reading,
    look,
    stop,
    json: async (where) => JSON.parse((await look(where)).text),
  };
}
