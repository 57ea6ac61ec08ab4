import { rehearse } from './rehearse.ts';
import { runHook } from './run-hook.ts';

/** Handed over by the launcher: what V8 makes of this program is kept when it ends. */
declare const UNRUT_IS_KEPT: boolean;

// What agents start at each hook: `unrut hook`, and nothing else.
void runHook({ shadow: process.argv.includes('--shadow') })
  .then(async (code) => {
    if (UNRUT_IS_KEPT) await rehearse();
    return code;
  })
  // Leaves the ledger as it is: what Node and SQLite would do on the way out takes longer than the hook, and the next one can do without.
  .then((code) => process.exit(code));
