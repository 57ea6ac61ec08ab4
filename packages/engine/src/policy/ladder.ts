import { type Detector, statusOf } from '../detectors/detector.ts';
import { type Capability, RUNGS, type Rung } from '../event.ts';
import type { Recovery } from '../recoveries/recovery.ts';
import type { Rule } from '../rule.ts';
import type { Evidence } from '../signal.ts';
import type { Forgiven } from './forgiven.ts';

/** What the ladder depends on. Fixed when the guard is created. */
export interface LadderConfig {
  recoveries: readonly Recovery[];
  /** What the host can do. */
  can: ReadonlySet<Capability>;
  /** Rungs that the preset skips, so that higher ones come a step earlier. */
  skip: ReadonlySet<Rung>;
  /** Names of irreversible recoveries that are allowed. */
  allow: ReadonlySet<string>;
  /** What people marked as false alarms. */
  forgiven?: readonly Forgiven[];
}

export const heightOf = (rung: Rung): number => RUNGS.indexOf(rung);

/** What may be doubted about evidence. */
interface Doubt {
  evidence: Evidence;
  /** The silence before it, in milliseconds. */
  gap: number;
  isOnTrial: boolean;
}

/**
 * Calls in the open world at least this far apart, in milliseconds, may be waiting on purpose: a
 * note is given, but nothing more.
 */
const SPACED = 15_000;

/** The highest rung that each doubt leaves to certainty. The lowest of those that hold counts. */
export const DOUBTS: readonly Rule<Doubt, Rung>[] = [
  { name: 'not-known-to-be-equal', when: ({ evidence }) => !evidence.equal, gives: 'hint' },
  {
    name: 'undecided-world',
    when: ({ evidence }) => evidence.world === 'undecided',
    gives: 'escalate',
  },
  { name: 'open-world', when: ({ evidence }) => evidence.world === 'open', gives: 'hint' },
  {
    name: 'spaced-like-a-wait',
    when: ({ evidence, gap }) => evidence.world === 'open' && gap >= SPACED,
    gives: 'note',
  },
  { name: 'on-trial', when: ({ isOnTrial }) => isOnTrial, gives: 'note' },
];

/**
 * The first and highest rung, as indices, that this evidence may use, given the silence before it
 * in milliseconds.
 */
export function reach(
  detector: Detector,
  evidence: Evidence,
  gap: number,
  skip: ReadonlySet<Rung>,
): { first: number; highest: number } {
  const caps = [heightOf(detector.rungs.highest)];
  if (evidence.cap !== undefined) caps.push(heightOf(evidence.cap));
  const doubt = { evidence, gap, isOnTrial: statusOf(detector, evidence.variant) === 'trial' };
  for (const { when, gives } of DOUBTS) if (when(doubt)) caps.push(heightOf(gives));
  const highest = Math.min(...caps);
  let first = Math.min(heightOf(evidence.from ?? detector.rungs.first), highest);
  // If the first rung is skipped, the ladder begins lower, not higher.
  while (first > 0 && skip.has(RUNGS[first]!)) first--;
  return { first, highest };
}

/**
 * The recovery on this rung that fits a signal best: one that names its variant, then its detector,
 * then any.
 */
export function recoveryFor(
  config: LadderConfig,
  rung: Rung,
  detector: string,
  variant: string,
): Recovery | undefined {
  if (!config.can.has(rung) || config.skip.has(rung)) return undefined;
  let best: Recovery | undefined;
  let bestFit = 0;
  for (const recovery of config.recoveries) {
    if (recovery.rung !== rung || !recovery.needs.every((need) => config.can.has(need))) continue;
    if (recovery.safety === 'irreversible' && !config.allow.has(recovery.name)) continue;
    const fit = fitOf(recovery.answers, detector, variant);
    if (fit > bestFit) {
      best = recovery;
      bestFit = fit;
    }
  }
  return best;
}

function fitOf(answers: readonly string[], detector: string, variant: string): number {
  if (answers.includes(`${detector}/${variant}`)) return 3;
  if (answers.includes(detector)) return 2;
  return answers.includes('*') ? 1 : 0;
}
