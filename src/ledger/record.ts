import { type AgentEvent, type Json, parentOf, whyNotAnEvent } from '../event.ts';
import { toFault } from '../fault.ts';
import { hash64 } from '../fingerprint/hash.ts';
import { createGuard, type GuardOptions, type Snapshot, type Verdict } from '../guard.ts';
import { redact } from '../redact.ts';
import type { Ledger, LedgerEntry, SavedState } from './ledger.ts';
import { seenBriefly } from './seen-briefly.ts';

/** A guard whose sessions outlive the process: state and record are in a ledger. */
export interface RecordedGuard {
  /** As `guard.observe`, one event at a time for each session. A ledger that fails is a fault in the verdict, never an exception. */
  observe(event: AgentEvent): Promise<Verdict>;
}

/** Of how many sessions the version last seen is remembered; of others the state is loaded again. */
const MOST_VERSIONS = 1000;

/** With each event takes in what other processes have saved of its session, and saves the new state with what was seen and done, in one step. */
export function recordTo(ledger: Ledger, options: GuardOptions = {}): RecordedGuard {
  const guard = createGuard(options);
  const turns = new Map<string, Promise<unknown>>();
  const versions = new Map<string, number>();

  /** The guard may be ahead of a ledger that fails; only a state that is another's is taken in. */
  function catchUp(session: string, saved: SavedState): void {
    const seen = versions.get(session) ?? 0;
    if (saved.version === seen && (seen === 0 || guard.knows(session))) return;
    guard.forget(session);
    versions.set(session, saved.version);
    if (saved.version > 0) guard.restore(saved.read() as unknown as Snapshot);
  }

  function remember(session: string, version: number): void {
    versions.delete(session);
    versions.set(session, version);
    if (versions.size > MOST_VERSIONS) versions.delete(versions.keys().next().value!);
  }

  async function observe(event: AgentEvent): Promise<Verdict> {
    const sessions = sessionsOf(event);
    if (sessions.length === 0) return guard.observe(event);
    const faults: Verdict['faults'] = [];
    let observed: Verdict | undefined;
    try {
      const saved = await ledger.update(sessions, (before) => {
        for (const [i, session] of sessions.entries()) {
          try {
            catchUp(session, before[i]!);
          } catch (error) {
            faults.push(toFault('ledger', error));
          }
        }
        observed = guard.observe(event);
        return {
          states: sessions.map((session) => guard.snapshot(session) as unknown as Json),
          entries: entriesOf(event, observed, before[0]!.version),
        };
      });
      for (const [i, session] of sessions.entries()) remember(session, saved[i]!);
    } catch (error) {
      faults.push(toFault('ledger', error));
    }
    const verdict = observed ?? guard.observe(event);
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
const sessionsOf = (event: AgentEvent): string[] => (whyNotAnEvent(event) === undefined ? sessionsIn(event) : []);

/** The same, for what is known to be an event. */
export function sessionsIn(event: AgentEvent): string[] {
  const parent = parentOf(event);
  return parent === undefined || parent === event.session ? [event.session] : [event.session, parent];
}

/** Where an event comes from, as far as its adapter knows. */
export interface Origin {
  /** The name of the agent's program. */
  host?: string;
  /** The last part of the folder that it works in. */
  folder?: string;
}

/** What the ids of an event's entries begin with. Without an id of its own an event counts each time it comes. */
export function idsUnder({ type, session, at, agent = '', id }: AgentEvent, version: number | string): string {
  return `${session}/${agent}/${id === undefined ? `${type}:${at}:${version}` : keptId(type, id)}/`;
}

/** Digits at the end of an id that stay as they are; more could be a secret. */
const MOST_DIGITS = 4;

/** A hash of an id, with its count behind it: ids that count up stay neighbours, and an index of them changes in one place only. */
function keptId(type: string, id: string): string {
  let end = id.length;
  while (end > 0 && id.length - end < MOST_DIGITS && isDigit(id.charCodeAt(end - 1))) end--;
  return hash64(`${type} ${id.slice(0, end)}`) + id.slice(end);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * What is worth keeping of an event and its verdict: no arguments, no results, no text of the agent's, only short redacted labels of them.
 * `version` is that of the state before it, which no other event of the session has.
 */
export function entriesOf(event: AgentEvent, verdict: Verdict, version: number | string, origin: Origin = {}): LedgerEntry[] {
  if (verdict.faults.some((fault) => fault.where === 'event')) return [];
  const { session, at, agent } = event;
  const beginning = idsUnder(event, version);
  const entry = (kind: LedgerEntry['kind'], suffix: string, data: object): LedgerEntry => ({
    id: `${beginning}${suffix}`,
    session,
    ...(agent === undefined ? {} : { agent }),
    at,
    kind,
    step: verdict.step,
    data: data as { [field: string]: Json },
  });
  const plan = verdict.plan ?? verdict.shadow;
  return [
    isPiece(event) ? entry('piece', 'event', {}) : entry('event', 'event', { ...eventData(event, verdict), ...origin }),
    ...verdict.signals.map((signal, i) => entry('signal', `signal${i}`, plain(signal))),
    ...(plan ? [entry('plan', plan.id, plain({ ...plan, shadow: verdict.plan === null }))] : []),
    ...verdict.outcomes.map((outcome) => entry('outcome', `${outcome.plan}:${outcome.outcome}`, plain(outcome))),
    ...verdict.faults.map((fault, i) => entry('fault', `fault${i}`, fault)),
  ];
}

/** Text that is a message only with what follows: models stream dozens of them for each call. */
const isPiece = (event: AgentEvent): boolean => event.type === 'text-added' && !event.done && !event.cost;

const eventData = (event: AgentEvent, { seen }: Verdict): object => ({
  ...(event.type === 'plan-performed' ? { plan: redact(event.plan), rung: event.rung, failed: event.failed === true } : {}),
  type: event.type,
  ...('call' in event ? { tool: redact(event.call.tool) } : {}),
  ...(event.cost ? { cost: plausible(event.cost) } : {}),
  ...('refusedBy' in event && typeof event.refusedBy === 'string' ? { refusedBy: redact(event.refusedBy) } : {}),
  ...(seen ? { seen: seenBriefly(seen) } : {}),
});

/** Without fields that are undefined, and apart from what the guard goes on with. */
const plain = (data: object): object => JSON.parse(JSON.stringify(data)) as object;

/** More than any event costs: a number beyond it is a mistake that no sum would recover from. */
const MOST = { tokens: 1e9, usd: 1e5 };

/** Whoever sends an event may put anything there. What cannot be a cost is left out. */
const plausible = (cost: NonNullable<AgentEvent['cost']>): AgentEvent['cost'] =>
  Object.fromEntries(
    (['tokens', 'usd'] as const).flatMap((name) => {
      const value: unknown = cost[name];
      return typeof value === 'number' && value >= 0 && value <= MOST[name] ? [[name, value]] : [];
    }),
  );
