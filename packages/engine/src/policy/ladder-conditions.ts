import type { Rung } from '../event.ts';
import type { Evidence } from '../signal.ts';

/** What is known when a streak may move: certainty, budget, and what the host can do. */
export interface LadderFacts {
  /** Index into RUNGS of the streak's last plan; -1 before the first. */
  rung: number;
  /** Certainty: what repeats, whether it is known to be equal, and in which world. */
  evidence: Evidence;
  /** Its rung rose at this very step, or in the same response of the model. */
  hasJustRisen: boolean;
  attended: boolean;
  /** The guard sees only some of the agent's calls. */
  partial: boolean;
  /** Index into RUNGS of the highest rung that certainty allows. */
  highest: number;
  /** One of its calls was blocked before. */
  wasBlocked: boolean;
  /** Occurrences on its current rung, with a call that is proposed now. */
  occurrences(): number;
  /** Occurrences known to be equal since the streak began. */
  inVain(): number;
  /** Something moved forward in the last ten steps. */
  isGettingOn(): boolean;
  /** The host can do it, the preset does not skip it, and a recovery fits. */
  hasRecovery(rung: Rung): boolean;
  /** The budget of forceful plans is not used up, for the session and for this target. */
  affords(rung: Rung): boolean;
  /** The rung that is open above the streak's own, or null. */
  nextOpen(): Rung | null;
}

/** A named question about the facts. */
export interface Condition {
  name: string;
  /** What it says if it holds, for the docs. */
  says: string;
  holds(facts: LadderFacts, rung: Rung): boolean;
}

/** Occurrences before a stop, so that a person has time to look and the model has time to react. */
const BEFORE_STOP = 3;
/** A retry gets advice at the third failure, and again at the sixth. */
const RETRIES = 3;
/** Nothing is stopped before its eighth repeat; the third is the first one seen. */
const LEAST_IN_VAIN = 6;

/** How many more occurrences a rung needs. */
export function paceOf(rung: Rung, { equal, world }: Evidence): number {
  if (rung === 'stop') return BEFORE_STOP;
  if (world === 'open') return RETRIES;
  return equal && world !== 'undecided' ? 1 : 2;
}

export const available: Condition = {
  name: 'available',
  says: 'the host can do it, and a recovery fits',
  holds: (facts, rung) => facts.hasRecovery(rung),
};

export const closedWorld: Condition = {
  name: 'closed-world',
  says: 'the answer changes only through what the guard sees',
  holds: ({ evidence: { world = 'closed' } }) => world === 'closed',
};

export const affordable: Condition = {
  name: 'affordable',
  says: 'the budget of forceful plans is not used up',
  holds: (facts, rung) => facts.affords(rung),
};

export const seesAllCalls: Condition = {
  name: 'sees-all-calls',
  says: 'the guard sees all calls, so it knows that the run makes no progress',
  holds: ({ partial }) => !partial,
};

export const oftenEnough: Condition = {
  name: 'often-enough',
  says: 'seen once more if it is certain, twice if not, three times in the open world',
  holds: (facts, rung) =>
    facts.hasJustRisen ||
    facts.occurrences() >= (facts.rung < 0 ? 1 : paceOf(rung, facts.evidence)),
};

export const oftenEnoughToStop: Condition = {
  name: 'often-enough-to-stop',
  says: `seen ${BEFORE_STOP} times more`,
  holds: (facts) => facts.occurrences() >= BEFORE_STOP,
};

export const inVain: Condition = {
  name: 'in-vain',
  says: `seen ${LEAST_IN_VAIN} times with equal results, which is the eighth repeat`,
  holds: (facts) => facts.inVain() >= LEAST_IN_VAIN,
};

export const notGettingOn: Condition = {
  name: 'not-getting-on',
  says: 'nothing moved forward in the last ten steps',
  holds: (facts) => !facts.isGettingOn(),
};
