import type { HookAdapter, HookAnswer, HookMemory } from '../adapters/index.ts';
import type { AgentEvent, Json } from '../event.ts';
import { toFault } from '../fault.ts';
import { createGuard, type GuardOptions, type Snapshot, type Verdict } from '../guard.ts';
import { textOf } from '../importers/json.ts';
import type { LedgerChange, SavedState } from '../ledger/ledger.ts';
import { entriesOf, type Origin } from '../ledger/record.ts';
import { redact } from '../redact.ts';
import type { Fault } from '../signal.ts';

/** A payload on its way through the guard. */
export interface HookCall {
  adapter: HookAdapter;
  payload: unknown;
  session: string;
  at: number;
  options: GuardOptions;
  saved: SavedState;
}

/** What came of it. */
export interface HookObserved {
  verdicts: Verdict[];
  answer: HookAnswer | null;
  change: LedgerChange;
}

/** What is kept of a session between its hooks. */
type HookState = Snapshot & { memory?: HookMemory };

/** Shows a payload to the guard as the ledger left it, and what was answered too. */
export function observeHook({ adapter, payload, session, at, options, saved }: HookCall): HookObserved {
  const guard = createGuard(options);
  const faults: Fault[] = [];
  const memory = takeIn(saved, (state) => guard.restore(state), faults);
  const moment = { at, memory };
  const observe = (event: AgentEvent): [AgentEvent, Verdict] => [event, guard.observe(event)];
  const observed = adapter.read(payload, moment).map(observe);
  const verdicts = observed.map(([, verdict]) => verdict);
  const answer = adapter.write(verdicts, payload, moment);
  observed.push(...(answer?.events ?? []).map(observe));
  if (observed[0]) observed[0][1].faults.push(...faults);
  return {
    verdicts,
    answer,
    change: {
      states: [{ ...guard.snapshot(session), memory } as unknown as Json],
      entries: observed.flatMap(([event, verdict], i) => entriesOf(event, verdict, `${saved.version}.${i}`, originOf(adapter, payload))),
    },
  };
}

const originOf = ({ name: host }: HookAdapter, payload: unknown): Origin => {
  const folder = redact(
    textOf((payload as { cwd?: unknown }).cwd)
      .split(/[\\/]/)
      .at(-1) ?? '',
  );
  return { host, ...(folder === '' ? {} : { folder }) };
};

/** Gives the guard its state back. One that cannot be read is a fault, and the session begins anew. */
function takeIn(saved: SavedState, restore: (state: HookState) => void, faults: Fault[]): HookMemory {
  try {
    const state = saved.read() as HookState | null;
    if (state) restore(state);
    return state?.memory ?? [];
  } catch (error) {
    faults.push(toFault('ledger', error));
    return [];
  }
}
