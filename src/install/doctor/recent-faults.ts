import { textOf } from '../../json.ts';
import type { LedgerEntry } from '../../ledger/ledger.ts';

/** What of the faults in a ledger still says something. */
export interface RecentFaults {
  /** What went wrong inside, oldest first. */
  faults: string[];
  /** How many payloads were not understood: whoever sends them is not known, and nothing broke. */
  notUnderstood: number;
}

/** How far back a fault counts, in milliseconds: what is older may have been mended long ago. */
export const RECENT = 24 * 3_600_000;

/** What `answerHook` says of a payload that no known agent sends, and what Node says of one that is no JSON. */
const GARBAGE = /^expected what a known agent hands to its hooks|\bJSON\b/;

/** Sorts faults. Those of the config do not count: what is wrong there now is told by the config itself. */
export function recentFaults(entries: readonly LedgerEntry[], now: number): RecentFaults {
  const recent = entries.filter(({ at, data }) => at > now - RECENT && data.where !== 'config');
  const isGarbage = ({ data }: LedgerEntry): boolean => data.where === 'hook' && GARBAGE.test(textOf(data.message));
  return {
    faults: recent.filter((entry) => !isGarbage(entry)).map(({ data }) => textOf(data.message)),
    notUnderstood: recent.filter(isGarbage).length,
  };
}
