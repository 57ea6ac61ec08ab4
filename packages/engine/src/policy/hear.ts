import { statusOf } from '../detectors/detector.ts';
import type { Sighting } from './moment.ts';

/**
 * For this many steps after a stable detector spoke, detectors that yield stay silent and witnesses
 * are heard.
 */
const WITHIN = 3;

/** The sightings that count, and those of witnesses to a loop that no other detector has seen. */
export interface Hearing {
  heard: Sighting[];
  unheard: Sighting[];
}

/**
 * Detectors that yield are silent at the step where a stable detector speaks and for some steps
 * after. Witnesses are heard only then.
 */
export function hear(
  session: { spoke: number | null },
  sightings: Sighting[],
  tick: number,
): Hearing {
  if (sightings.length === 0) return { heard: sightings, unheard: sightings };
  const isWitness = ({ detector, evidence }: Sighting): boolean =>
    statusOf(detector, evidence.variant) === 'witness';
  if (
    sightings.some(
      (each) =>
        !each.detector.yields && statusOf(each.detector, each.evidence.variant) === 'stable',
    )
  )
    session.spoke = tick;
  const confirmed = session.spoke !== null && tick - session.spoke <= WITHIN;
  return {
    heard: sightings.filter((each) => (confirmed ? !each.detector.yields : !isWitness(each))),
    unheard: confirmed ? [] : sightings.filter(isWitness),
  };
}
