import { learnedFrom, type RecoveryRow, recoveryRows } from '@unrut/engine/outcome/learned-from';
import type { ContextEntry, Ledger, LedgerEntry } from './ledger.ts';

/** The ledger topic that stores when learning was last reset. */
export const LEARNED = 'unrut/learned';
/** Learning uses at most this many of the newest outcomes. */
export const MAX_OUTCOMES = 5000;

/**
 * Success of recoveries by failure, from outcomes since a time and since learning was last reset.
 */
export async function recoveriesIn(ledger: Ledger, since = 0): Promise<RecoveryRow[]> {
  return recoveryRows(await outcomesIn(ledger, since));
}

/** Success rates for `createGuard({ learned })`, from the outcomes in a ledger. */
export async function learnedIn(ledger: Ledger): Promise<Record<string, number>> {
  return learnedFrom(await outcomesIn(ledger, 0));
}

/**
 * Resets learning: outcomes recorded before `at` (epoch milliseconds) no longer count, but stay in
 * the ledger.
 */
export async function forgetLearned(ledger: Ledger, at: number): Promise<void> {
  const mark: ContextEntry = {
    id: `${LEARNED}/${at}`,
    session: '',
    timestamp: at,
    entryType: 'reset',
    topic: LEARNED,
    content: 'What was learned of recoveries was forgotten.',
    relatedTasks: [],
    confidence: 1,
    metadata: {},
  };
  await ledger.update([], () => ({ context: [mark] }));
}

async function outcomesIn(ledger: Ledger, since: number): Promise<LedgerEntry[]> {
  const [reset] = await ledger.context({ topics: [LEARNED], last: 1 });
  return ledger.entries({
    kind: 'outcome',
    since: Math.max(since, reset?.timestamp ?? 0),
    last: MAX_OUTCOMES,
  });
}
