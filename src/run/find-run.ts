import { UnrutError } from '../errors.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { RunState } from './run-state.ts';
import { loadRunState } from './run-store.ts';

/** A run that is in the ledger. */
export interface FoundRun {
  run: string;
  state: RunState;
}

const PREFIX = 'run-';

/** A name for a new run that sorts by time. */
export const newRun = (at: number, random: string): string =>
  `${PREFIX}${new Date(at).toISOString().slice(0, 16).replace(/\D/g, '')}-${random.slice(0, 6)}`;

/** The run of this name, or else the latest that was started in this folder. Throws when there is none. */
export async function findRun(ledger: Ledger, { name, folder }: { name?: string | undefined; folder: string }): Promise<FoundRun> {
  if (name !== undefined) {
    const state = await loadRunState(ledger, name);
    if (state) return { run: name, state };
    throw new UnrutError('usage', `There is no run ${name} in the ledger. See unrut sessions for those that there are.`);
  }
  for (const { session } of await ledger.sessions()) {
    const state = session.startsWith(PREFIX) ? await loadRunState(ledger, session) : undefined;
    if (state?.folder === folder) return { run: session, state };
  }
  throw new UnrutError('usage', `No run was started in ${folder}. Start one with: unrut run PROMPT.md -- <agent command…>`);
}
