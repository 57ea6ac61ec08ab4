import { type AgentEvent, parentOf } from '../../event.ts';
import { createGuard, type GuardOptions, type Verdict } from '../../guard.ts';
import { type HookGuard, type KeptGuards, stateOf } from '../../hook/kept-guards.ts';
import { takeIn } from '../../hook/observe-hook.ts';
import type { Ledger, LedgerChange, LedgerEntry, SavedState } from '../../ledger/ledger.ts';
import { entriesOf, idsUnder, sessionsIn } from '../../ledger/record.ts';
import { RepeatedEntry } from '../../ledger/repeated-entry.ts';
import type { Fault } from '../../signal.ts';
import { type RecordedVerdict, told, verdictIn } from './recorded-verdict.ts';

/** Where events are recorded, and by what rules they are judged. */
export interface Recording {
  ledger: Ledger;
  guards: KeptGuards;
  options: GuardOptions;
}

/**
 * Shows events to the guards of their sessions, in order, and keeps states and record in one step of the ledger: all of them or none.
 * An event whose id was here before changes nothing. Throws when the ledger cannot be used.
 */
export async function recordEvents(events: readonly AgentEvent[], recording: Recording): Promise<RecordedVerdict[]> {
  try {
    return await record(events, recording);
  } catch (error) {
    if (!(error instanceof RepeatedEntry)) throw error;
    // Longer ago than the guard remembers: the ledger knows which.
    const before = await recordedBefore(events, recording.ledger);
    const isNew = (_: unknown, i: number): boolean => before[i] === undefined;
    const verdicts = await record(events.filter(isNew), recording);
    return before.map((verdict) => verdict ?? verdicts.shift()!);
  }
}

/** A session while events are shown to it. */
interface Held extends HookGuard {
  /** Of the state that it began with. */
  version: number;
  /** Not told yet. */
  faults: Fault[];
}

async function record(events: readonly AgentEvent[], { ledger, guards, options }: Recording): Promise<RecordedVerdict[]> {
  const sessions = [...new Set(events.flatMap(sessionsIn))];
  let held: Map<string, Held> | undefined;
  let verdicts: Verdict[] = [];

  function hold(session: string, saved: SavedState): Held {
    const faults: Fault[] = [];
    // What was kept has moved on by the first call.
    const kept = held ? undefined : guards.take(session, saved.version, options);
    return { ...(kept ?? takeIn(saved, createGuard(options), faults)), version: saved.version, faults };
  }

  function observe(saved: readonly SavedState[]): LedgerChange {
    const holding = new Map(sessions.map((session, i) => [session, hold(session, saved[i]!)]));
    held = holding;
    verdicts = events.map((event) => observeIn(holding, event));
    const once: LedgerEntry[] = [];
    for (const [i, event] of events.entries()) {
      const verdict = verdicts[i]!;
      if (!isRepeated(verdict)) once.push(...entriesOf(event, verdict, `${holding.get(event.session)!.version}.${i}`));
    }
    return { states: sessions.map((session) => stateOf(session, holding.get(session)!)), once };
  }

  const versions = await ledger.update(sessions, observe, { repeatable: true });
  for (const [i, session] of sessions.entries()) {
    const { guard, memory } = held!.get(session)!;
    guards.keep(session, versions[i]!, options, { guard, memory });
  }
  if (!verdicts.some(isRepeated)) return verdicts.map(told);
  const before = await recordedBefore(events, ledger);
  return verdicts.map((verdict, i) => (isRepeated(verdict) ? (before[i] ?? told(verdict)) : told(verdict)));
}

function observeIn(held: ReadonlyMap<string, Held>, event: AgentEvent): Verdict {
  const { guard, faults } = held.get(event.session)!;
  const verdict = reporting(guard, event, (parent) => held.get(parent)!.guard);
  verdict.faults.push(...faults.splice(0));
  return verdict;
}

/** A session that reports to another is shown that one's state, and what it adds to it goes back. */
function reporting(guard: HookGuard['guard'], event: AgentEvent, guardOf: (session: string) => HookGuard['guard']): Verdict {
  const parent = parentOf(event) ?? event.session;
  if (parent === event.session) return guard.observe(event);
  const outer = guardOf(parent);
  guard.restore(outer.snapshot(parent));
  const verdict = guard.observe(event);
  outer.restore(guard.snapshot(parent));
  guard.forget(parent);
  return verdict;
}

/** The guard has seen this id, and did not look at the event. */
const isRepeated = ({ seen, faults }: Verdict): boolean => seen === null && faults.length === 0;

/** What was said of each event whose id the ledger knows. */
async function recordedBefore(events: readonly AgentEvent[], ledger: Ledger): Promise<(RecordedVerdict | undefined)[]> {
  const beginnings = events.map((event) => (event.id === undefined ? undefined : idsUnder(event, '')));
  const entries = await ledger.entries({ under: beginnings.filter((beginning) => beginning !== undefined) });
  return beginnings.map((beginning) => {
    const found = beginning === undefined ? [] : entries.filter(({ id }) => id.startsWith(beginning));
    return found.length > 0 ? verdictIn(found) : undefined;
  });
}
