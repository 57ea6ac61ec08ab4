import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { LedgerEntry } from '../../src/ledger/ledger.ts';
import { createSqliteLedger } from '../../src/ledger/sqlite/index.ts';
import { ledgerPath } from '../../src/ledger/sqlite/ledger-path.ts';
import type { Agent, Place } from './agents/agent.ts';
import { PATH } from './install-agent.ts';

/** Where a run has its own copy of the package, which may be broken. */
export const programsOf = ({ home }: Place): string => join(home, 'unrut');

export const ledgerOf = ({ home }: Place): string => ledgerPath({ home, variables: {}, platform: process.platform });

/** Connects an agent as a person does: by `unrut install`. */
export const installUnrut =
  (agent: Agent, ...options: string[]) =>
  async (place: Place): Promise<void> => {
    cpSync(inject('programs'), programsOf(place), { recursive: true });
    await unrut(place, 'install', agent.name, ...options);
  };

/** Runs a command of this package. Throws unless it ends well. */
export async function unrut(place: Place, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('node', [join(programsOf(place), 'cli.js'), ...args], {
    cwd: place.project,
    env: { PATH, HOME: place.home },
  });
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
