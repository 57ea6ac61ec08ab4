import { runHook } from './run-hook.ts';

// What agents start at each hook: `unrut hook`, and nothing else.
void runHook({ shadow: process.argv.includes('--shadow') }).then((code) => {
  // Leaves the ledger as it is: what Node and SQLite would do on the way out takes longer than the hook, and the next one can do without.
  process.exit(code);
});
