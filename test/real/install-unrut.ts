import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine } from '@unrut/engine/machine';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { createSqliteLedger } from '@unrut/ledger/sqlite';
import { ledgerPath } from '@unrut/ledger/sqlite/ledger-path';
import { inject, onTestFinished } from 'vitest';
import { userConfigFolder } from '../../packages/ledger/src/config/find-config.ts';
import type { Agent, Place } from './agents/agent.ts';
import { PATH } from './install-agent.ts';

/** Where a run has its own copy of the package, which may be broken. */
export const programsOf = ({ home }: Place): string => join(home, 'unrut');

const machineOf = ({ home }: Place): Machine => ({
  home,
  variables: {},
  platform: process.platform,
});

export const ledgerOf = (place: Place): string => ledgerPath(machineOf(place));

export const configFolderOf = (place: Place): string => userConfigFolder(machineOf(place));

/** Connects an agent as a person does: by `unrut install`. */
export const installUnrut =
  (agent: Pick<Agent, 'name'>, ...options: string[]) =>
  async (place: Place): Promise<void> => {
    bringUnrut(place);
    await unrut(place, 'install', agent.name, ...options);
  };

/**
 * Puts the proxy before the servers of an MCP client's config, as a person does: by `unrut install
 * --mcp`.
 */
export async function installProxy(place: Place, config: string): Promise<void> {
  bringUnrut(place);
  await unrut(place, 'install', '--mcp', config);
}

/** Connects an agent to a server of its own, and gives what ends it. */
export async function installServer(
  agent: Agent,
  place: Place,
  environment: Record<string, string> = {},
): Promise<() => Promise<void>> {
  bringUnrut(place);
  const server = spawn('node', [join(programsOf(place), 'cli.js'), 'serve', '--port', '0'], {
    cwd: place.project,
    env: { PATH, HOME: place.home, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const end = () => {
    server.kill();
    return ended;
  };
  onTestFinished(end);
  const printed = await Promise.race([once(server.stdout, 'data'), ended]);
  const [url] = /http:[^\s,]+/.exec(String(printed)) ?? [];
  if (url === undefined)
    throw new Error(`Expected unrut serve to say where it listens, got ${printed}.`);
  await unrut(place, 'install', agent.name, '--http', url);
  return end;
}

const bringUnrut = (place: Place): void =>
  cpSync(inject('programs'), programsOf(place), { recursive: true });

/** Runs a command of this package. Throws unless it ends well. */
export async function unrut(place: Place, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    'node',
    [join(programsOf(place), 'cli.js'), ...args],
    {
      cwd: place.project,
      env: { PATH, HOME: place.home },
    },
  );
  return stdout;
}

/** What was written down of a run. */
export async function recordedIn(place: Place): Promise<LedgerEntry[]> {
  const ledger = createSqliteLedger({ path: ledgerOf(place) });
  try {
    return await ledger.entries();
  } finally {
    await ledger.close();
  }
}
