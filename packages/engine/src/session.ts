import { type CandidateMemory, startCandidates } from './candidates/memory.ts';
import type { Detector } from './detectors/detector.ts';
import { type AgentEvent, type Json, parentOf } from './event.ts';
import { type ReaderState, restoreReader, startReader } from './fingerprint/reader-state.ts';
import type { Handed, SpawnState } from './fingerprint/spawns.ts';
import { hash32 } from './hash.ts';
import { type OutcomeState, startOutcomes } from './outcome/outcome.ts';
import { type BriefState, startBrief } from './policy/deeds.ts';
import { type PolicyState, startPolicy } from './policy/policy-state.ts';
import type { Spending } from './policy/spending.ts';
import { push } from './recent.ts';
import type { Signal } from './signal.ts';
import type { Drawn } from './trial.ts';

/**
 * Everything the guard knows about one session, or about one nested agent in it. Written out it is
 * plain JSON, at most 64 KB.
 */
export interface Session {
  reader: ReaderState;
  detectors: { [name: string]: unknown };
  policy: PolicyState;
  outcomes: OutcomeState;
  /** What ranking needs: tools, recent calls, the page. */
  candidates: CandidateMemory;
  /** Hashes of the ids of events already seen. */
  ids: number[];
  /** The tick at which a stable detector that yields to no other last saw something. */
  spoke: number | null;
  /** Signals of nested agents that were not yet reported to this session. */
  fromChildren: Signal[];
  /** What the agent has done, to remind it after a compaction. */
  brief: BriefState;
  /** What was spent, if there is a budget. */
  spending?: Spending;
  /** The agents that were started here and below, once there is one. */
  spawns?: SpawnState;
  /** The task that this nested agent was started with, if that is known. */
  task?: Handed;
  /** Its arm, if it began in a trial. It never changes. */
  drawn?: Drawn;
}

function startSession(detectors: readonly Detector[]): Session {
  const session: Session = {
    reader: startReader(),
    detectors: {},
    policy: startPolicy(),
    outcomes: startOutcomes(),
    candidates: startCandidates(),
    ids: [],
    spoke: null,
    fromChildren: [],
    brief: startBrief(),
  };
  restartDetectors(session, detectors);
  return session;
}

/** Called when a real person spoke: all detectors start over. */
export function restartDetectors(session: Session, detectors: readonly Detector[]): void {
  for (const detector of detectors) session.detectors[detector.name] = detector.start();
  session.spoke = null;
}

/** Rebuilds a session from JSON. Detectors that the JSON does not know start fresh. */
function restoreSession(json: Json, detectors: readonly Detector[]): Session {
  const fresh = startSession(detectors);
  if (typeof json !== 'object' || json === null) return fresh;
  const saved = structuredClone(json) as unknown as Session;
  return {
    ...fresh,
    ...saved,
    reader: restoreReader({ ...fresh.reader, ...saved.reader }),
    detectors: { ...fresh.detectors, ...saved.detectors },
    policy: { ...fresh.policy, ...saved.policy },
    outcomes: { ...fresh.outcomes, ...saved.outcomes },
    candidates: { ...fresh.candidates, ...saved.candidates },
    brief: { ...fresh.brief, ...saved.brief },
  };
}

/** The sessions of a guard, each with its nested agents. */
export interface Sessions {
  /** The state of a session, or of a nested agent in it. Created if there is none. */
  of(session: string, agent?: string): Session;
  /** The state of a session itself, if there is one. */
  known(session: string): Session | undefined;
  has(session: string): boolean;
  /** All sessions, or one session with its nested agents, by name. */
  named(session?: string): { [name: string]: Session };
  restore(saved: { [name: string]: Json }): void;
  forget(session: string): void;
}

const AGENT = '\u0000';
/** Max states in one session, its own included. */
const MAX_AGENTS = 1000;

/** Keeps at most `most` sessions and drops the least recently used first. */
export function createSessions(detectors: readonly Detector[], most: number): Sessions {
  const sessions = new Map<string, Map<string, Session>>();

  function keep(session: string, name: string, start: () => Session): Session {
    const members = sessions.get(session) ?? new Map<string, Session>();
    const state = members.get(name) ?? start();
    use(members, name, state, MAX_AGENTS);
    use(sessions, session, members, most);
    return state;
  }

  /** Moves an entry to the end of the map; if the map is then too large, drops its first entry. */
  function use<T>(map: Map<string, T>, name: string, value: T, most: number): void {
    map.delete(name);
    map.set(name, value);
    if (map.size > most) map.delete(map.keys().next().value!);
  }

  return {
    of: (session, agent) =>
      keep(session, agent === undefined ? session : `${session}${AGENT}${agent}`, () =>
        startSession(detectors),
      ),
    known: (session) => sessions.get(session)?.get(session),
    has: (session) => sessions.has(session),
    named(session) {
      const wanted = session === undefined ? [...sessions.values()] : [sessions.get(session) ?? []];
      return Object.fromEntries(wanted.flatMap((members) => [...members]));
    },
    restore(saved) {
      for (const [name, state] of Object.entries(saved)) {
        const session = name.split(AGENT, 1)[0]!;
        sessions.get(session)?.delete(name);
        keep(session, name, () => restoreSession(state, detectors));
      }
    },
    forget: (session) => void sessions.delete(session),
  };
}

const MAX_IDS = 64;

/** Whether an event with this type and id was seen before. Remembers the id. */
export function isRepeated({ ids }: Session, { type, id }: AgentEvent): boolean {
  if (id === undefined) return false;
  const hash = hash32(`${type} ${id}`);
  if (ids.includes(hash)) return true;
  push(ids, hash, MAX_IDS);
  return false;
}

const MAX_FROM_CHILDREN = 4;

/**
 * Returns the event's signals. A top-level session's own event also brings the signals that its
 * nested runs left for it.
 */
export function reportSignals(
  sessions: Sessions,
  session: Session,
  event: AgentEvent,
  signals: Signal[],
): Signal[] {
  const parent = parentOf(event);
  if (parent === undefined) return [...signals, ...session.fromChildren.splice(0)];
  if (signals.length === 0) return signals;
  const { fromChildren } = sessions.of(parent);
  for (const signal of signals)
    push(fromChildren, { ...signal, agent: event.agent ?? event.session }, MAX_FROM_CHILDREN);
  return signals;
}
