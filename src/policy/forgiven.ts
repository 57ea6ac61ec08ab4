import { RUNGS, type Rung } from '../event.ts';
import type { Evidence } from '../signal.ts';

/** What a person has called a false alarm. Of what is given, everything must fit. */
export interface Forgiven {
  /** Fingerprints, of which one must be among those that repeat. */
  keys?: readonly string[];
  /** The tool; for shells the program and subcommand, such as `npm test`. */
  tool?: string;
  /** The names of the detectors that saw it. */
  detectors?: readonly string[];
  /** Nothing is said of it any more; else no more than a note. */
  silent: boolean;
}

const LESS: Rung = 'note';

/** The evidence with no more force than a person has left it; null where nothing is to be said. */
export function leniently(
  forgiven: readonly Forgiven[] | undefined,
  detector: string,
  evidence: Evidence,
  tool: string | undefined,
): Evidence | null {
  if (!forgiven || forgiven.length === 0) return evidence;
  const fitting = forgiven.filter(
    (each) =>
      (each.keys === undefined || each.keys.some((key) => evidence.keys.includes(key))) &&
      (each.tool === undefined || each.tool === tool) &&
      (each.detectors === undefined || each.detectors.includes(detector)),
  );
  if (fitting.length === 0) return evidence;
  if (fitting.some(({ silent }) => silent)) return null;
  return { ...evidence, cap: evidence.cap !== undefined && RUNGS.indexOf(evidence.cap) < RUNGS.indexOf(LESS) ? evidence.cap : LESS };
}
