import { type CandidateMemory, startCandidates } from './candidates/memory.ts';
import type { Detector } from './detectors/detector.ts';
import type { Json } from './event.ts';
import { type ReaderState, restoreReader, startReader } from './fingerprint/reader.ts';
import { type OutcomeState, startOutcomes } from './outcome/outcome.ts';
import { type PolicyState, startPolicy } from './policy/decide.ts';
import type { Signal } from './signal.ts';

/** Everything the guard knows of one session, or of one nested agent in it. Plain JSON once it is written out, at most 64 KB. */
export interface Session {
  reader: ReaderState;
  detectors: { [name: string]: unknown };
  policy: PolicyState;
  outcomes: OutcomeState;
  /** What ranking knows: tools, recent calls, the page. */
  candidates: CandidateMemory;
  /** Hashes of the ids of events already seen. */
  ids: number[];
  /** The step at which a detector that yields to none last spoke. */
  spoke: number | null;
  /** Signals of nested agents that this session has not been told yet. */
  fromChildren: Signal[];
}

export function startSession(detectors: readonly Detector[]): Session {
  const session: Session = {
    reader: startReader(),
    detectors: {},
    policy: startPolicy(),
    outcomes: startOutcomes(),
    candidates: startCandidates(),
    ids: [],
    spoke: null,
    fromChildren: [],
  };
  restartDetectors(session, detectors);
  return session;
}

/** A real person spoke: the detectors begin again. */
export function restartDetectors(session: Session, detectors: readonly Detector[]): void {
  for (const detector of detectors) session.detectors[detector.name] = detector.start();
  session.spoke = null;
}

/** A session as it comes back from JSON; detectors that are new since then start afresh. */
export function restoreSession(json: Json, detectors: readonly Detector[]): Session {
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
  };
}
