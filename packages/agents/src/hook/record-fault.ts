import { hash64 } from '@unrut/engine/hash';
import type { Fault } from '@unrut/engine/signal';
import type { Ledger } from '@unrut/ledger/ledger';

const DAY = 86_400_000;

/** Records a fault without a session, each at most once a day. False if the ledger fails. */
export async function recordFault(
  ledger: Ledger,
  { where, message }: Fault,
  at: number,
): Promise<boolean> {
  try {
    await ledger.append([
      {
        id: `${where}/${hash64(message)}/${Math.floor(at / DAY)}`,
        session: '',
        at,
        kind: 'fault',
        step: 0,
        data: { where, message },
      },
    ]);
    return true;
  } catch {
    return false;
  }
}
