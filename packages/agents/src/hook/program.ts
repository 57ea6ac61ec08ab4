import { parsed } from '@unrut/engine/json';
import { notify } from '@unrut/ledger/notify/notify';
import { runCompanion } from './fast/companion.ts';
import { startCompanion } from './fast/start-companion.ts';
import type { HookResponse } from './hook-request.ts';
import { statusLineFor } from './person/status.ts';
import { print } from './print.ts';
import { FOR_INPUT, readStandardInput } from './read-standard-input.ts';
import { runHook } from './run-hook.ts';

/** What the launcher has found out already. */
export interface Launched {
  /** Where a companion is found, and the file that is started for it. */
  companion: string;
  launcher: string;
  /** The payload, where it has been read. */
  input?: string | undefined;
}

/**
 * Answers a hook in this process, and leaves a companion behind for those to come. Gives the exit
 * code.
 */
export const answerHere = ({ companion, launcher, input }: Launched): Promise<number> =>
  runHook({
    shadow: process.argv.includes('--shadow'),
    input,
    startCompanion: () => startCompanion(launcher, companion),
  });

/** Prints one line about a session, for a status line. Gives the exit code. */
export async function statusLine(): Promise<number> {
  print(`${await statusLineFor(parsed((await readStandardInput(FOR_INPUT)) ?? ''))}\n`);
  return 0;
}

/** Stays as a companion until it is no longer needed. */
export const stay = ({ companion }: Launched): Promise<void> => runCompanion({ path: companion });

/** Tells people what a companion has decided that they should hear. */
export function tell({ tell }: HookResponse): void {
  for (const escalation of tell?.escalations ?? []) notify(tell?.notify, escalation);
}
