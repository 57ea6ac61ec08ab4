import type { Verdict } from '../../guard.ts';
import type { LedgerEntry } from '../../ledger/ledger.ts';

/** What is answered to an event. Fingerprints stay here. */
export interface RecordedVerdict extends Omit<Verdict, 'seen'> {
  /** An event of this id was here before. Nothing was changed, and this is what was said then. */
  repeated?: true;
}

/** A verdict as it is told. */
export const told = ({ seen: _, ...verdict }: Verdict): RecordedVerdict => verdict;

/** What was said of an event, by what the ledger has of it. */
export function verdictIn(entries: readonly LedgerEntry[]): RecordedVerdict {
  const of = <T>(kind: LedgerEntry['kind']): T[] => entries.filter((entry) => entry.kind === kind).map(({ data }) => data as T);
  const [planned] = of<Verdict['plan'] & { shadow: boolean }>('plan');
  const { shadow: inShadow = false, ...plan } = planned ?? {};
  const made = planned ? (plan as Verdict['plan']) : null;
  return {
    signals: of('signal'),
    plan: inShadow ? null : made,
    shadow: inShadow ? made : null,
    outcomes: of('outcome'),
    faults: of('fault'),
    step: entries[0]?.step ?? 0,
    repeated: true,
  };
}
