import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntryKind, LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { bundledPrograms } from '../bundled-programs.ts';

/** A home of its own for each test file, so that no config or ledger of this machine takes part. */
export const home: string = mkdtempSync(join(tmpdir(), 'unrut-mcp-home-'));

export const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  UNRUT_HOME: join(home, 'unrut'),
  // Each process reads the same programs.
  NODE_COMPILE_CACHE: join(tmpdir(), 'unrut-compile-cache'),
});

/** The command of a server behind the proxy. */
export const proxied = (server: readonly string[], ...options: readonly string[]): string[] => [
  process.execPath,
  bundledPrograms().cli,
  'mcp',
  ...options,
  ...(server.length > 0 ? ['--', ...server] : []),
];

/** The entries recorded by the proxies of this file. */
export async function recorded(kind?: EntryKind): Promise<LedgerEntry[]> {
  const ledger = createSqliteLedger({ path: join(home, 'unrut/ledger.db') });
  try {
    return await ledger.entries(kind === undefined ? {} : { kind });
  } finally {
    await ledger.close();
  }
}

export const removeHome = (): void => rmSync(home, { recursive: true, force: true });
