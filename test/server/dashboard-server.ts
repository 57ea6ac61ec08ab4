import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { present } from '@unrut/engine/json';
import { loadSettings } from '@unrut/ledger/config/load-settings';
import type { Ledger } from '@unrut/ledger/ledger';
import { openReading } from '@unrut/server/api/reading';
import { createApp } from '@unrut/server/create-app';
import { peopleSaid } from '@unrut/server/people-said';
import { startServer } from '@unrut/server/start-server';
import { afterAll } from 'vitest';
import { buildDashboard } from '../../scripts/build.ts';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/**
 * Builds the dashboard, as `npm run build` does, into a folder that is gone after the tests of the
 * file.
 */
export async function builtDashboard(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-dashboard-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  await buildDashboard(folder);
  return folder;
}

export interface ServedDashboard {
  url: string;
  /** Ends the server at once, and what listens to it. The ledger stays open. */
  stop(): Promise<void>;
}

export interface DashboardServer {
  dashboard: string;
  ledger: Ledger;
  path: string;
  token?: string;
  /** Default: one that is free. */
  port?: number;
}

/** A server with the dashboard, on a ledger in a file. It is closed after the tests of the file. */
export async function serveDashboard({
  dashboard,
  ledger,
  path,
  token,
  port = 0,
}: DashboardServer): Promise<ServedDashboard> {
  const reading = openReading(ledger);
  const ending = new AbortController();
  const app = createApp({
    ledger,
    dashboard,
    loopbackOnly: true,
    version: '0.0.0',
    signal: ending.signal,
    settingsIn: () => ({ guard: {} }),
    said: peopleSaid(path),
    ...present({ token }),
    reads: {
      reading,
      settings: () => loadSettings({ cwd: tmpdir(), home: homedir(), environment: {} }),
    },
  });
  const { url, close } = await startServer({ app, host: '127.0.0.1', port });
  let isOver = false;
  const stop = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    ending.abort();
    await close();
    reading.close();
  };
  closing.push(stop);
  return { url, stop };
}
