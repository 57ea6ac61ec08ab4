import { notify } from '../notify/notify.ts';
import { runCompanion } from './companion.ts';
import type { Answer } from './hook-request.ts';
import { rehearse } from './rehearse.ts';
import { runHook } from './run-hook.ts';
import { startCompanion } from './start-companion.ts';

/** Handed over by the launcher: what V8 makes of this program is kept when it ends. */
declare const UNRUT_IS_KEPT: boolean;
/** The payload, where the launcher has read it already. */
declare const UNRUT_INPUT: string | undefined;
/** What the companion said, where somebody is still to be told. */
declare const UNRUT_ANSWERED: Answer | undefined;
/** Where the process is found that answers the hooks to come, and the file that is started for it. */
declare const UNRUT_COMPANION: string;
declare const UNRUT_PROGRAM: string;

// What agents start at each hook: `unrut hook`, and nothing else.
void (process.argv.includes('--companion') ? stay() : answer())
  // Leaves the ledger as it is: what Node and SQLite would do on the way out takes longer than the hook, and the next one can do without.
  .then((code) => process.exit(code));

async function answer(): Promise<number> {
  if (UNRUT_ANSWERED) return tell(UNRUT_ANSWERED);
  const code = await runHook({
    shadow: process.argv.includes('--shadow'),
    input: UNRUT_INPUT,
    startCompanion: () => startCompanion(UNRUT_PROGRAM, UNRUT_COMPANION),
  });
  if (UNRUT_IS_KEPT) await rehearse();
  return code;
}

async function stay(): Promise<number> {
  await runCompanion({ path: UNRUT_COMPANION });
  return 0;
}

function tell({ exitCode, tell }: Answer): number {
  for (const escalation of tell?.escalations ?? []) notify(tell?.notify, escalation);
  return exitCode;
}
