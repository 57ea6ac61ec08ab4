import { type AgentEvent, type Json, whyNotAnEvent } from '../event.ts';
import { toFault } from '../fault.ts';
import { hash64 } from '../fingerprint/hash.ts';
import { createGuard, type GuardOptions, parentOf, type Snapshot, type Verdict } from '../guard.ts';
import { redact } from '../redact.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

/** A guard whose sessions outlive the process: state and record are in a ledger. */
export interface RecordedGuard {
  /** As `guard.observe`, one event at a time for each session. A ledger that fails is a fault in the verdict, never an exception. */
  observe(event: AgentEvent): Promise<Verdict>;
}

/** Loads a session's state when it is first met, and after each event saves it with what was seen and done. */
export function recordTo(ledger: Ledger, options: GuardOptions = {}): RecordedGuard {
  const guard = createGuard(options);
  const turns = new Map<string, Promise<unknown>>();
  let sequence = 0;

  async function observe(event: AgentEvent): Promise<Verdict> {
    const faults: Verdict['faults'] = [];
    const attempt = async (what: () => Promise<void>): Promise<void> => {
      try {
        await what();
      } catch (error) {
        faults.push(toFault('ledger', error));
      }
    };
    const sessions = sessionsOf(event);
    for (const session of sessions) {
      if (guard.knows(session)) continue;
      await attempt(async () => {
        const saved = await ledger.loadState(session);
        if (saved !== null) guard.restore(saved as unknown as Snapshot);
      });
    }
    const verdict = guard.observe(event);
    await attempt(async () => {
      await ledger.append(entriesOf(event, verdict, ++sequence));
      for (const session of sessions) await ledger.saveState(session, guard.snapshot(session) as unknown as Json);
    });
    return faults.length > 0 ? { ...verdict, faults: [...verdict.faults, ...faults] } : verdict;
  }

  return {
    observe(event) {
      const session = sessionsOf(event).at(-1) ?? '';
      const turn = (turns.get(session) ?? Promise.resolve()).then(() => observe(event));
      turns.set(session, turn);
      void turn.finally(() => {
        if (turns.get(session) === turn) turns.delete(session);
      });
      return turn;
    },
  };
}

/** The session of an event, and the one that it reports to, last. None for what is no event. */
function sessionsOf(event: AgentEvent): string[] {
  if (whyNotAnEvent(event) !== undefined) return [];
  const parent = parentOf(event);
  return parent === undefined || parent === event.session ? [event.session] : [event.session, parent];
}

/** What is worth keeping of an event and its verdict: no arguments, no results, no text of the agent's. */
export function entriesOf(event: AgentEvent, verdict: Verdict, sequence: number): LedgerEntry[] {
  if (verdict.faults.some((fault) => fault.where === 'event')) return [];
  const { session, at, agent } = event;
  // Without an id of its own an event counts each time it comes.
  const name = event.id === undefined ? `${event.type}:${at}:${sequence}` : hash64(`${event.type} ${event.id}`);
  const entry = (kind: LedgerEntry['kind'], suffix: string, data: object): LedgerEntry => ({
    id: `${session}/${agent ?? ''}/${name}/${suffix}`,
    session,
    ...(agent === undefined ? {} : { agent }),
    at,
    kind,
    step: verdict.step,
    data: JSON.parse(JSON.stringify(data)) as { [field: string]: Json },
  });
  const plan = verdict.plan ?? verdict.shadow;
  return [
    entry('event', 'event', {
      ...(event.type === 'plan-performed' ? { plan: event.plan, rung: event.rung, failed: event.failed ?? false } : {}),
      type: event.type,
      ...('call' in event ? { tool: redact(event.call.tool) } : {}),
      ...(event.cost ? { cost: event.cost } : {}),
    }),
    ...verdict.signals.map((signal, i) => entry('signal', `signal${i}`, signal)),
    ...(plan ? [entry('plan', plan.id, { ...plan, shadow: verdict.plan === null })] : []),
    ...verdict.outcomes.map((outcome) => entry('outcome', `${outcome.plan}:${outcome.outcome}`, outcome)),
    ...verdict.faults.map((fault, i) => entry('fault', `fault${i}`, fault)),
  ];
}
