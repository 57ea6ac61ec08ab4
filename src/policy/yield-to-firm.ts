import type { Sighting } from './decide.ts';

/** A net stays silent this many steps after another detector spoke. */
const YIELDS_FOR = 3;

/** What is heard of these sightings: detectors that yield are silent beside the others, and for some steps after them. */
export function yieldToFirm(session: { spoke: number | null }, sightings: Sighting[], tick: number): Sighting[] {
  if (sightings.length === 0) return sightings;
  const firm = sightings.filter(({ detector }) => !detector.yields);
  if (firm.length > 0) session.spoke = tick;
  return session.spoke !== null && tick - session.spoke <= YIELDS_FOR ? firm : sightings;
}
