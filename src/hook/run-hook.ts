import { readFileSync, writeSync } from 'node:fs';
import { createSqliteLedger } from '../ledger/sqlite/create-sqlite-ledger.ts';
import { answerHook } from './answer-hook.ts';

/** How a hook process was called. */
export interface HookOptions {
  /** Record only. */
  shadow: boolean;
}

/** One hook process: reads a payload from standard input, prints the answer, and gives the exit code. Never throws, and says nothing of faults. */
export async function runHook({ shadow }: HookOptions): Promise<number> {
  try {
    const text = readFileSync(0, 'utf8');
    const ledger = createSqliteLedger({ wait: 1500 });
    const settings = { guard: shadow ? { shadow } : {} };
    const { stdout, exitCode } = await answerHook(text, { environment: process.env, ledger, settings, at: Date.now() });
    if (stdout !== '') writeSync(1, stdout);
    await ledger.close();
    return exitCode;
  } catch {
    return 0;
  }
}
