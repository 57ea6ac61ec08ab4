import { parsed } from '@unrut/engine/json';
import { notify } from '@unrut/ledger/notify/notify';
import type { LedgerDrivers } from '@unrut/ledger/open-ledger';
import { statusLineFor } from '@unrut/ledger/people/status';
import { runCompanion } from './fast/companion.ts';
import { startCompanion } from './fast/start-companion.ts';
import { calledWith, type HookResponse } from './hook-request.ts';
import { print } from './print.ts';
import { FOR_INPUT, readStandardInput } from './read-standard-input.ts';
import { runHook } from './run-hook.ts';

/** Results of the launcher. */
export interface Launched {
  /** The companion's address, and the file to start it. */
  companion: string;
  launcher: string;
  /** The payload, if it has been read. */
  input?: string | undefined;
}

/** The program that the launcher loads. */
export interface HookProgram {
  /**
   * Answers a hook in this process, and starts a companion for later ones. Returns the exit code.
   */
  answerHere(launched: Launched): Promise<number>;
  /** Prints one line about a session, for a status line. Returns the exit code. */
  statusLine(): Promise<number>;
  /** Runs as a companion until it is no longer needed. */
  stay(launched: Launched): Promise<void>;
  /** Sends the notifications that a companion decided on. */
  tell(response: HookResponse): void;
}

/** The program, with drivers for ledgers other than files. */
export const createHookProgram = (drivers: LedgerDrivers): HookProgram => ({
  answerHere: ({ companion, launcher, input }) =>
    runHook({
      ...calledWith(process.argv.slice(2)),
      input,
      drivers,
      startCompanion: () => startCompanion(launcher, companion),
    }),
  async statusLine() {
    print(`${await statusLineFor(parsed((await readStandardInput(FOR_INPUT)) ?? ''), drivers)}\n`);
    return 0;
  },
  stay: ({ companion }) => runCompanion({ path: companion, drivers }),
  tell({ tell }) {
    for (const escalation of tell?.escalations ?? []) notify(tell?.notify, escalation);
  },
});
