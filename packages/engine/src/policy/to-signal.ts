import type { Detector } from '../detectors/detector.ts';
import { RUNGS } from '../event.ts';
import type { Evidence, Signal } from '../signal.ts';
import type { Streak } from './streak.ts';

/** Turns evidence into a signal with its streak and the streak's rung. */
export function toSignal(
  detector: Detector,
  evidence: Evidence,
  text: string,
  streak: Streak,
  step: number,
): Signal {
  const { variant, since, count, strength } = evidence;
  const rung = RUNGS[Math.max(0, streak.rung)]!;
  return {
    detector: detector.name,
    variant,
    step,
    since,
    count,
    strength,
    rung,
    streak: streak.id,
    evidence,
    text,
  };
}
