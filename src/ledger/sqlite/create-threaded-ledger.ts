import type { Ledger, LedgerEntry } from '../ledger.ts';
import { type Change, ledgerFault, openLedger, prepared } from './create-sqlite-ledger.ts';
import { startWriter } from './ledger-writer.ts';
import { createTurns } from './turns.ts';
import type { WriterData } from './writer-thread.ts';

/** Changes that are made and not yet written: so many states are in memory twice. */
const MOST_UNDER_WAY = 4;
/** How often a change is made for the writer, when other processes are faster. */
const TRIES = 3;

/**
 * A ledger in a file for a program that has other things to do: what may be made again is made by this thread and written by another, so that
 * this one waits neither for the disk nor for other processes. Until the other has begun, and when it has ended, this one writes. `program` is the
 * module that the other runs.
 */
export function createThreadedLedger(options: WriterData['ledger'], program: URL): Ledger {
  const ledger = openLedger(options);
  const writer = startWriter(program, { ledger: options }, (reason) => {
    ledger.append([lostFault(reason, Date.now())]).catch(() => undefined);
  });
  const inTurn = createTurns(MOST_UNDER_WAY);

  async function write(sessions: readonly string[], change: Change): Promise<number[]> {
    for (let tries = 0; tries < TRIES && writer.isThere(); tries++) {
      const versions = await writer.write(prepared(sessions, ledger.saved(sessions), change));
      if (versions) return versions;
    }
    return ledger.update(sessions, change);
  }

  const update: Ledger['update'] = async (sessions, change, how = {}) =>
    how.repeatable && writer.isThere() ? inTurn(sessions, () => write(sessions, change)) : ledger.update(sessions, change, how);

  return {
    ...ledger,
    update,
    append: async (entries) => void (await update([], () => ({ entries }), { repeatable: true })),
    async close() {
      await writer.close();
      await ledger.close();
    },
  };
}

const lostFault = (reason: string, at: number): LedgerEntry =>
  ledgerFault(`thread ${at}`, `The thread that writes the ledger has ended: ${reason}. The server goes on without it.`, at);
