import type { Ledger } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { type AppOptions, createApp } from '@unrut/server/create-app';
import { startServer } from '@unrut/server/start-server';
import { onTestFinished } from 'vitest';
import { newPath } from '../ledger-files.ts';

/** A server that takes telemetry. */
export interface OtlpServer {
  url: string;
  ledger: Ledger;
  /** Observes all that was sent. */
  settle(): Promise<void>;
}

export async function serveOtlp(options: Partial<AppOptions> = {}): Promise<OtlpServer> {
  const ledger = createSqliteLedger({ path: newPath() });
  const closing: (() => Promise<void>)[] = [];
  const onClose = (close: () => Promise<void>): void => void closing.push(close);
  const app = createApp({
    ledger,
    settingsIn: () => ({ guard: {} }),
    loopbackOnly: true,
    version: '0.0.0',
    onClose,
    ...options,
  });
  const settle = async (): Promise<void> => {
    for (const close of closing) await close();
  };
  const { url, close } = await startServer({ app, host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await close();
    await settle();
    await ledger.close();
  });
  return { url, ledger, settle };
}
