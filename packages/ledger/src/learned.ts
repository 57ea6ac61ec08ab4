import { learnedFrom, type RecoveryRow, recoveryRows } from '@unrut/engine/outcome/learned-from';
import type { ContextEntry, Ledger, LedgerEntry } from './ledger.ts';

/** The topic under which a ledger keeps when learning began again. */
export const LEARNED = 'unrut/learned';
/** The newest outcomes are what is learned from. */
export const MAX_OUTCOMES = 5000;

/**
 * What works after which failure, by what was recorded since a time, and since learning last began
 * again.
 */
export async function recoveriesIn(ledger: Ledger, since = 0): Promise<RecoveryRow[]> {
  return recoveryRows(await outcomesIn(ledger, since));
}

/** Shares of success for `createGuard({ learned })`, by what a ledger has recorded. */
export async function learnedIn(ledger: Ledger): Promise<Record<string, number>> {
  return learnedFrom(await outcomesIn(ledger, 0));
}

/**
 * Learning begins again: what was recorded before this time counts no more, and stays. `at` is in
 * epoch milliseconds.
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
