import type { HookAdapter, HookAnswer, HookMemory } from '../adapters/index.ts';
import type { AgentEvent, Json } from '../event.ts';
import { toFault } from '../fault.ts';
import { createGuard, type Guard, type GuardOptions, type Snapshot, type Verdict } from '../guard.ts';
import { textOf } from '../importers/json.ts';
import type { LedgerChange, SavedState } from '../ledger/ledger.ts';
import { entriesOf, type Origin } from '../ledger/record.ts';
import { redact } from '../redact.ts';
import type { Fault } from '../signal.ts';
import { type HookGuard, stateOf } from './kept-guards.ts';

/** A payload on its way through the guard. */
export interface HookCall {
  adapter: HookAdapter;
  payload: unknown;
  session: string;
  at: number;
  options: GuardOptions;
  saved: SavedState;
  /** The session's guard, where it is at hand and up to date. */
  kept?: HookGuard | undefined;
  /** The run of `unrut run` that the session is part of, which hears what is seen here. */
  outer?: { run: string; saved: SavedState } | undefined;
}

/** What came of it. */
export interface HookObserved {
  verdicts: Verdict[];
  answer: HookAnswer | null;
  change: LedgerChange;
  /** The guard after it. */
  guard: HookGuard;
}

/** What is kept of a session between its hooks. */
type HookState = Snapshot & { memory?: HookMemory };

/** Shows a payload to the guard as the ledger left it, and what was answered too. */
export function observeHook({ adapter, payload, session, at, options, saved, kept, outer }: HookCall): HookObserved {
  const faults: Fault[] = [];
  const { guard, memory } = kept ?? takeIn(saved, createGuard(options), faults);
  const moment = { at, memory };
  if (outer) takeIn(outer.saved, guard, faults);
  const observe = (event: AgentEvent): [AgentEvent, Verdict] => [event, guard.observe(outer ? { ...event, parent: outer.run } : event)];
  const observed = adapter.read(payload, moment).map(observe);
  const verdicts = observed.map(([, verdict]) => verdict);
  const answer = adapter.write(verdicts, payload, moment);
  observed.push(...(answer?.events ?? []).map(observe));
  if (observed[0]) observed[0][1].faults.push(...faults);
  const tells = outer && verdicts.some(({ signals }) => signals.length > 0);
  return {
    verdicts,
    answer,
    guard: { guard, memory },
    change: {
      states: [stateOf(session, { guard, memory }), ...(tells ? [guard.snapshot(outer.run) as unknown as Json] : [])],
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
export function takeIn(saved: SavedState, guard: Guard, faults: Fault[]): HookGuard {
  try {
    const state = saved.read() as HookState | null;
    if (state) guard.restore(state);
    return { guard, memory: state?.memory ?? [] };
  } catch (error) {
    faults.push(toFault('ledger', error));
    return { guard, memory: [] };
  }
}
