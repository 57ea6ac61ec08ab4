import { runHook } from './run-hook.ts';

// The file that agents start at each hook: `unrut hook`, and nothing else.
void runHook({ shadow: process.argv.includes('--shadow') }).then((code) => {
  process.exitCode = code;
});
