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
  /** The tick at which a detector that yields to none last spoke. */
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
  const { moving: written, ...still } = structuredClone(json) as unknown as Session & { moving?: Session };
  // A version that knows nothing of two parts has written all that moves beside it.
  const moving = still.policy === undefined ? written : undefined;
  const saved = { ...still, ...moving };
  return {
    ...fresh,
    ...saved,
    reader: restoreReader({ ...fresh.reader, ...still.reader, ...moving?.reader }),
    detectors: { ...fresh.detectors, ...still.detectors, ...moving?.detectors },
    policy: { ...fresh.policy, ...saved.policy },
    outcomes: { ...fresh.outcomes, ...saved.outcomes },
    candidates: { ...fresh.candidates, ...saved.candidates },
  };
}

/** The fields of a session as JSON text that text of the model's does not change. Many pieces come between two calls: this is written once for them. */
export function stillText({ candidates, reader, detectors }: Session, moving: readonly string[]): string {
  const { text: _, steps: __, ticks: ___, lastAt: ____, ...stillReader } = reader;
  const still = Object.entries(detectors).filter(([name]) => !moving.includes(name));
  return JSON.stringify({ candidates, reader: stillReader, detectors: Object.fromEntries(still) });
}

/** The whole session as JSON text. What moves stands at the end, so that most of a longer text stays the same. `moving` are the detectors that see text. */
export function sessionText(session: Session, still: string, moving: readonly string[]): string {
  const { candidates: _, reader, detectors, ...fields } = session;
  const { text, steps, ticks, lastAt } = reader;
  const ofDetectors = Object.fromEntries(moving.map((name) => [name, detectors[name]]));
  return `${still.slice(0, -1)},"moving":${JSON.stringify({ ...fields, detectors: ofDetectors, reader: { steps, ticks, lastAt, text } })}}`;
}
