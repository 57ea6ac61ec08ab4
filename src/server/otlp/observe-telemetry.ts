import type { AgentEvent, Json } from '../../event.ts';
import { toFault } from '../../fault.ts';
import { createGuard, type Guard, type GuardOptions, type Snapshot, type Verdict } from '../../guard.ts';
import type { Ledger, LedgerChange, LedgerEntry, SavedState } from '../../ledger/ledger.ts';
import { entriesOf, type Origin } from '../../ledger/record.ts';
import type { Happened } from './telemetry-session.ts';

/** What happened in one session, and which program told of it. */
export interface Observation {
  session: string;
  host: string | undefined;
  happened: readonly Happened[];
}

const NOT_LOOKED_AT: Verdict = { signals: [], plan: null, shadow: null, outcomes: [], faults: [], step: 0, seen: null };

/**
 * Shows what happened to the session's guard, and writes down what it saw, in one step of the ledger. Nobody is told, so plans are those of
 * a shadow, and what became of them says nothing about them.
 */
export async function observeTelemetry(ledger: Ledger, options: GuardOptions, { session, host, happened }: Observation): Promise<void> {
  const origin: Origin = host === undefined ? {} : { host };
  const aside = { ...origin, aside: true };
  const onlyKept = (event: AgentEvent): LedgerEntry[] => entriesOf(event, NOT_LOOKED_AT, '', aside);

  function look(guard: Guard, { event, lateAt }: Happened, version: string): LedgerEntry[] {
    // A person who is heard late can end a loop, but not make one.
    if (lateAt !== undefined && event.type !== 'user-spoke') return onlyKept({ ...event, at: lateAt });
    return entriesOf(event, { ...guard.observe(event), outcomes: [] }, version, origin);
  }

  const observe = ([saved]: readonly SavedState[]): LedgerChange => {
    const state = saved!.read() as (Snapshot & { memory?: unknown }) | null;
    // Hooks tell of the session too, and before: what telemetry adds is the cost.
    if (state?.memory !== undefined) return { entries: happened.flatMap(({ event }) => (event.cost ? onlyKept(bill(event)) : [])) };
    const guard = createGuard({ ...options, shadow: true });
    const entries: LedgerEntry[] = [];
    try {
      if (state) guard.restore(state);
    } catch (error) {
      const fault: Verdict = { ...NOT_LOOKED_AT, faults: [toFault('ledger', error)] };
      entries.push(...happened.slice(0, 1).flatMap(({ event }) => entriesOf(event, fault, '', origin).slice(1)));
    }
    entries.push(...happened.flatMap((each, i) => look(guard, each, `${saved!.version}.${i}`)));
    return { states: [guard.snapshot(session) as unknown as Json], entries };
  };
  await ledger.update([session], observe, { repeatable: true });
}

/** What a model's turn cost, and nothing else of it. */
const bill = ({ session, agent, at, id, cost }: AgentEvent): AgentEvent => ({
  type: 'text-added',
  channel: 'answer',
  text: '',
  session,
  at,
  ...(agent === undefined ? {} : { agent }),
  id: `${id} cost`,
  ...(cost === undefined ? {} : { cost }),
});
