import { RUNGS, type Rung } from '../event.ts';
import type { Evidence } from '../signal.ts';

/** What a person marked as a false alarm. All given fields must match. */
export interface Forgiven {
  /** Fingerprints. At least one must be among those that repeat. */
  keys?: readonly string[];
  /** The tool; for shells the program and subcommand, such as `npm test`. */
  tool?: string;
  /** Names of the detectors that saw it. */
  detectors?: readonly string[];
  /** True: nothing is said about it any more. False: at most a note. */
  silent: boolean;
}

const LESS: Rung = 'note';

/** The evidence with its cap lowered as a person asked; null if nothing is to be said. */
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
  return {
    ...evidence,
    cap:
      evidence.cap !== undefined && RUNGS.indexOf(evidence.cap) < RUNGS.indexOf(LESS)
        ? evidence.cap
        : LESS,
  };
}
