import { UnrutError } from '@unrut/engine/errors';
import type { Ledger } from '@unrut/ledger/ledger';
import type { RunState } from './run-state.ts';
import { loadRunState } from './run-store.ts';

/** A run found in the ledger. */
export interface FoundRun {
  run: string;
  state: RunState;
}

const PREFIX = 'run-';
const MAX_NAMED = 5;

/** A name for a new run. Names sort by time. */
export const newRun = (at: number, random: string): string =>
  `${PREFIX}${new Date(at).toISOString().slice(0, 16).replace(/\D/g, '')}-${random.slice(0, 6)}`;

/**
 * Finds the run with this name or prefix, or the latest run started in this folder. Throws if there
 * is none.
 */
export async function findRun(
  ledger: Ledger,
  { name, folder }: { name?: string | undefined; folder: string },
): Promise<FoundRun> {
  const runs = (await ledger.sessions())
    .map(({ session }) => session)
    .filter((session) => session.startsWith(PREFIX));
  if (name !== undefined) {
    const run = theOne(runs, name);
    const state = await loadRunState(ledger, run);
    if (state) return { run, state };
    throw new UnrutError('usage', `Unknown run \`${name}\`. Run unrut show --list for the list.`);
  }
  for (const run of runs) {
    const state = await loadRunState(ledger, run);
    if (state?.folder === folder) return { run, state };
  }
  throw new UnrutError(
    'usage',
    `No run was started in ${folder}. Start one with: unrut run PROMPT.md -- <agent command…>`,
  );
}

function theOne(runs: readonly string[], name: string): string {
  const found = runs.filter((run) => run.startsWith(name));
  if (found.length < 2 || found.includes(name)) return found.length === 1 ? found[0]! : name;
  throw new UnrutError(
    'usage',
    `${found.length} runs start with ${name}: ${found.slice(0, MAX_NAMED).join(', ')}. Give more of the name.`,
  );
}
