import { hash64 } from '../hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Fault } from '../signal.ts';

const DAY = 86_400_000;

/** Keeps a fault that belongs to no session, each once a day. A ledger that fails cannot be told of it. */
export async function recordFault(ledger: Ledger, { where, message }: Fault, at: number): Promise<void> {
  try {
    await ledger.append([
      { id: `${where}/${hash64(message)}/${Math.floor(at / DAY)}`, session: '', at, kind: 'fault', step: 0, data: { where, message } },
    ]);
  } catch {
    // A hook has nobody else to tell.
  }
}
