import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { RestPrint } from '../fingerprint/rest.ts';
import { overlap } from '../fingerprint/sketch.ts';
import { beginningOf, type Paragraph } from '../fingerprint/text-print.ts';
import { sentence, WE } from '../recoveries/wording.ts';
import { type Budget, budgetLeft } from './budget.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';

/** Turns in a row that ended alike, without progress in between. */
export interface TurnEnding {
  count: number;
  key: number;
  shape: number;
  vocabulary: number[];
  /** It said that nothing is left to do, or that it waits. */
  idle: boolean;
  /** Only that was alike in the turns so far, not their words. */
  reworded: boolean;
}

/** The third ending is reported to the user; the fifth ends the run. */
const ASK_AT = 3;
const STOP_AT = 5;

const VOCABULARY = 16;
/** Fewer words say too little to be compared by how many they share. */
const FEW = 4;
/** As for messages with nothing tried in between. */
const ALIKE = 0.6;

interface Endings {
  endings: TurnEnding | null;
  budget: Budget;
  next: number;
}

/**
 * Counts turns that end alike: something sends the agent back to work, and it has nothing to do.
 * Returns the plan that is due, or null.
 */
export function atEnding(
  state: Endings,
  seen: Fingerprint,
  { can, skip, attended, partial }: LadderConfig & { attended: boolean; partial: boolean },
): Plan | null {
  if (isMoving(seen)) state.endings = null;
  const message = seen.text?.message;
  if (!seen.rest || !message) return null;
  state.endings = nextEnding(state.endings, message, isIdle(seen.rest));
  const { count } = state.endings;
  if (count < ASK_AT || seen.forgiven || isWaiting(seen.rest)) return null;
  const isAllowed = (rung: Rung): boolean => can.has(rung) && !skip.has(rung);
  const mayStop = count >= STOP_AT && !partial && isAllowed('stop');
  if (!mayStop && !(count === ASK_AT && isAllowed('escalate'))) return null;
  const passage = beginningOf(message);
  const how = state.endings.reworded ? 'with nothing left to do' : 'with the same message';
  const what = `${count} turns in a row ended ${how}${passage ? ` (the last: ${passage})` : ''}, and nothing was done in between`;
  return {
    id: `p${state.next++}`,
    reason: 'endings/alike',
    budgetLeft: budgetLeft(state.budget),
    streak: '',
    recovery: 'end-turns',
    ...(mayStop ? stopping(what, count) : asking(what, attended)),
  };
}

type PlanParts = Pick<Plan, 'rung' | 'toModel' | 'toHuman' | 'action'>;

const stopping = (what: string, count: number): PlanParts => ({
  rung: 'stop',
  toModel: `${WE} stopped the run: ${what}.`,
  toHuman: `Unrut stopped the run: ${what}. To go on, tell the agent what is left to do, and look at ${SENDER}.`,
  action: { stop: { code: 'loop', detector: 'endings', count }, resumable: true },
});

const asking = (what: string, attended: boolean): PlanParts => ({
  rung: 'escalate',
  toModel: `${WE}: ${what}. If nothing is left to do, say so once and call no more tools.`,
  toHuman: `Unrut: ${what}. Please look at ${SENDER}, or tell the agent what is left to do.`,
  action: { ask: attended, report: sentence(`${what}.`) },
});

const SENDER = 'what sends it back to work (a goal, a Stop hook, a script)';

const isIdle = ({ nothingLeft, waitsForOthers }: RestPrint): boolean =>
  nothingLeft || waitsForOthers;

/** The user asked to wait for others. An agent that has nothing left to do does not wait. */
const isWaiting = ({ mayWait, nothingLeft }: RestPrint): boolean => mayWait && !nothingLeft;

/** Something was done, has changed, or is waited for. */
const isMoving = ({ progress, neutral, world, changed, job, rest }: Fingerprint): boolean =>
  progress !== null ||
  neutral === 'wait' ||
  neutral === 'poll' ||
  world?.world === 'open' ||
  changed !== undefined ||
  job === true ||
  rest?.waiting === true;

function nextEnding(
  last: TurnEnding | null,
  { key, shape, vocabulary }: Paragraph,
  idle: boolean,
): TurnEnding {
  const words = vocabulary.slice(0, VOCABULARY);
  const isSame =
    last !== null &&
    (last.key === key ||
      last.shape === shape ||
      (Math.min(words.length, last.vocabulary.length) >= FEW &&
        overlap(words, last.vocabulary, VOCABULARY) >= ALIKE));
  const isReworded = last !== null && !isSame && last.idle && idle;
  const now = { key, shape, vocabulary: words, idle };
  return isSame || isReworded
    ? { ...now, count: last.count + 1, reworded: last.reworded || isReworded }
    : { ...now, count: 1, reworded: false };
}
