import { hash64 } from '../fingerprint/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Fault } from '../signal.ts';

/** Keeps a fault that belongs to no session, each only once. A ledger that fails cannot be told of it. */
export async function recordFault(ledger: Ledger, { where, message }: Fault, at: number): Promise<void> {
  try {
    await ledger.append([{ id: `${where}/${hash64(message)}`, session: '', at, kind: 'fault', step: 0, data: { where, message } }]);
  } catch {
    // A hook has nobody else to tell.
  }
}
