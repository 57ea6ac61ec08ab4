import type { AgentEvent } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';
import { emptyVerdict, type GuardOptions, type Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';
import type { LedgerEntry } from '@unrut/ledger/ledger';
import { entriesOf } from '@unrut/ledger/record';
import type { Recorder } from '@unrut/ledger/recorder';
import type { Happened } from './telemetry-session.ts';

/** An event of a session, and its reporter. */
export interface TelemetryRecorded {
  session: string;
  origin: EventOrigin;
  happened: readonly Happened[];
}

/** Plans are not delivered, so outcomes say nothing about them. */
const kept = (verdict: Verdict): Verdict => ({ ...verdict, outcomes: [] });

/**
 * Passes telemetry events to the session's guard, and records the verdicts. `options` must be for
 * shadow mode. Throws if the ledger cannot be used.
 */
export async function observeTelemetry(
  recorder: Pick<Recorder, 'transaction'>,
  options: GuardOptions,
  { session, origin, happened }: TelemetryRecorded,
): Promise<void> {
  const aside = { ...origin, aside: true };
  const onlyKept = (event: AgentEvent): LedgerEntry[] =>
    entriesOf(event, emptyVerdict(), '', aside);
  const { error } = await recorder.transaction({ sessions: [session], guard: options }, (step) => {
    // If hooks report the session, they reported it earlier: telemetry adds only the cost.
    const isToldOf = step.memory(session) !== undefined;
    for (const { event, lateAt } of happened) {
      if (isToldOf) step.add({ entries: event.cost ? onlyKept(bill(event)) : [] });
      // A user message that arrives late can end a loop, but not start one.
      else if (lateAt !== undefined && event.type !== 'user-spoke')
        step.add({ entries: onlyKept({ ...event, at: lateAt }) });
      else step.observe(event, { origin, kept });
    }
  });
  if (error !== undefined) throw error;
}

/** The cost of a model response, without its content. */
const bill = ({ session, agent, at, id, cost }: AgentEvent): AgentEvent => ({
  type: 'text-added',
  channel: 'answer',
  text: '',
  session,
  at,
  ...present({ agent }),
  id: `${id} cost`,
  ...present({ cost }),
});
