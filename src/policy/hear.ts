import { statusOf } from '../detectors/detector.ts';
import type { Sighting } from './decide.ts';

/** For so many steps after a detector that may speak alone has spoken, a net stays silent and a witness is heard. */
const WITHIN = 3;

/** What is heard of these sightings, and what only bears witness to a loop that nobody else has seen. */
export interface Hearing {
  heard: Sighting[];
  unheard: Sighting[];
}

/** Detectors that yield are silent beside those that may speak alone, and for some steps after them; only then witnesses are heard. */
export function hear(session: { spoke: number | null }, sightings: Sighting[], tick: number): Hearing {
  if (sightings.length === 0) return { heard: sightings, unheard: sightings };
  const isWitness = ({ detector, evidence }: Sighting): boolean => statusOf(detector, evidence.variant) === 'witness';
  if (sightings.some((each) => !each.detector.yields && statusOf(each.detector, each.evidence.variant) === 'stable')) session.spoke = tick;
  const confirmed = session.spoke !== null && tick - session.spoke <= WITHIN;
  return {
    heard: sightings.filter((each) => (confirmed ? !each.detector.yields : !isWitness(each))),
    unheard: confirmed ? [] : sightings.filter(isWitness),
  };
}
