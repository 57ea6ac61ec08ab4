import type { Ledger } from '../ledger.ts';
import { openLedger, prepared } from './create-sqlite-ledger.ts';
import { startWriter } from './ledger-writer.ts';
import type { WriterData } from './writer-thread.ts';

/**
 * A ledger in a file for a program that has other things to do: a change that is repeatable is made by this thread and written by another, so
 * that this one waits neither for the disk nor for other processes. `program` is the module that the other thread runs.
 */
export function createThreadedLedger(options: WriterData['ledger'], program: URL): Ledger {
  const ledger = openLedger(options);
  const writer = startWriter(program, { ledger: options });
  return {
    ...ledger,
    async update(sessions, change, how = {}) {
      if (!how.repeatable || !writer.isThere()) return ledger.update(sessions, change, how);
      const versions = await writer.write(prepared(sessions, ledger.saved(sessions), change));
      // Somebody else was faster.
      return versions ?? ledger.update(sessions, change);
    },
    async close() {
      await writer.close();
      await ledger.close();
    },
  };
}
