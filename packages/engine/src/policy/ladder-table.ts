import { RUNGS, type Rung } from '../event.ts';
import type { Rule } from '../rule.ts';
import {
  affordable,
  available,
  type Condition,
  closedWorld,
  inVain,
  type LadderFacts,
  notGettingOn,
  oftenEnough,
  oftenEnoughToStop,
  seesAllCalls,
} from './ladder-conditions.ts';

/**
 * The ladder as data: where a streak can be, what moves it, and what each move depends on. The rest
 * of this folder reads events into it; `npm run format` draws it in docs/ladder.md.
 */

/** Where a streak can be, in the words of the docs. */
export const STREAK_STATES = {
  seen: 'Something repeats. Nothing was said yet.',
  told: 'The agent got a note.',
  hinted: 'The agent got a hint with next steps.',
  blocked: 'A call was blocked, an action on a screen replaced, or a task redirected.',
  asked: 'A human was asked; in an unattended run, the agent was asked for a report.',
  ending: 'The agent was asked for its last report. Every call is blocked until it gives it.',
  stopped: 'The run was stopped.',
  faded: 'The agent got on with something else. If the loop returns, it resumes where it was.',
  forgiven: 'The user has spoken. If the loop returns, it resumes lower than it was.',
} as const;

export type StreakState = keyof typeof STREAK_STATES;

/** What moves a streak. */
export const STREAK_EVENTS = {
  repeats: 'a detector sees it again in a result, a text or a task',
  proposed: 'a call that is part of it is proposed',
  call: 'any call is proposed or has finished',
  price: 'the price since the last progress calls for it',
  changed: 'a call that is part of it returns another result than before',
  progress: 'a step brings progress, and the streak is not seen in it',
  'user-spoke': 'the user speaks',
} as const;

export type StreakEvent = keyof typeof STREAK_EVENTS;

/** One rung of the ladder: a streak on a lower one may climb to it. */
export interface Climb {
  rung: Rung;
  to: StreakState;
  /** A call is blocked or replaced before it runs; everything else is said when it has. */
  on: 'repeats' | 'proposed';
  /** If one of these does not hold, the rung is left out and the next one is tried. */
  open: readonly Condition[];
  /** Until all of these hold, the streak waits where it is. */
  due: readonly Condition[];
}

/** From the least force to the most. A streak climbs to the first that is open, once it is due. */
export const CLIMBS: readonly Climb[] = [
  { rung: 'note', to: 'told', on: 'repeats', open: [available], due: [oftenEnough] },
  { rung: 'hint', to: 'hinted', on: 'repeats', open: [available], due: [oftenEnough] },
  {
    rung: 'substitute',
    to: 'blocked',
    on: 'proposed',
    open: [available, affordable],
    due: [oftenEnough],
  },
  {
    rung: 'block',
    to: 'blocked',
    on: 'proposed',
    open: [closedWorld, available, affordable],
    due: [oftenEnough],
  },
  {
    rung: 'redirect',
    to: 'blocked',
    on: 'repeats',
    open: [available, affordable],
    due: [oftenEnough],
  },
  { rung: 'escalate', to: 'asked', on: 'repeats', open: [available], due: [oftenEnough] },
  {
    rung: 'stop',
    to: 'stopped',
    on: 'repeats',
    open: [seesAllCalls, available],
    due: [oftenEnoughToStop, inVain, notGettingOn],
  },
];

export const climbTo = (rung: Rung): Climb => CLIMBS[RUNGS.indexOf(rung)]!;

export const isOpen = (facts: LadderFacts, rung: Rung): boolean =>
  climbTo(rung).open.every(({ holds }) => holds(facts, rung));

export const isDue = (facts: LadderFacts, rung: Rung): boolean =>
  climbTo(rung).due.every(({ holds }) => holds(facts, rung));

/** Where a move leads: `back` is the state of the streak's last plan, `gone` forgets the streak. */
type MoveTo = StreakState | 'same' | 'back' | 'gone';

/** A move of a streak that is not a climb. */
export interface Transition<Question> extends Rule<Question, MoveTo> {
  from: readonly StreakState[];
  on: StreakEvent;
  /** When it holds, for the docs. */
  says: string;
}

/** Every state in which a streak is open: something may repeat, and it has not ended. */
export const OPEN_STATES = ['seen', 'told', 'hinted', 'blocked', 'asked', 'stopped'] as const;

/** Free plans: they repeat or prepare something, and the streak keeps its rung. */
export const ASIDES = {
  blockAgain: {
    name: 'block-again',
    from: ['blocked', 'asked', 'stopped'],
    on: 'proposed',
    says: 'it was blocked before, and no rung but the stop is left above',
    when: (facts) =>
      facts.wasBlocked &&
      Math.min(facts.rung, facts.highest) >= RUNGS.indexOf('block') &&
      (facts.hasJustRisen || [null, 'stop'].includes(facts.nextOpen())),
    gives: 'same',
  },
  requestReport: {
    name: 'request-report',
    from: ['told', 'hinted', 'blocked', 'asked'],
    on: 'repeats',
    says: 'nobody can be asked, and the next occurrence would be the stop',
    when: (facts) =>
      !facts.attended && facts.rung >= 0 && facts.nextOpen() === 'stop' && isDue(facts, 'stop'),
    gives: 'ending',
  },
} as const satisfies Record<string, Transition<LadderFacts>>;

/** What the price calls for: advice, a human or a report, or the end of an unattended run. */
export type Due = 'advice' | 'ask' | 'end';

/** The plans that the price calls for, the most fitting first. They are free, too. */
export const BY_PRICE: Readonly<Record<Due, Transition<unknown> & { rungs: readonly Rung[] }>> = {
  advice: byPrice('advise-by-price', '4, 8, 16 … steps after the last advice', ['hint', 'note']),
  ask: byPrice('ask-by-price', '12 steps or 20 minutes, and at 30, 60, 120 …', [
    'escalate',
    'hint',
    'note',
  ]),
  end: byPrice(
    'stop-by-price',
    'unattended, and the host can stop: 30 steps or 60 minutes; the run ends',
    ['stop'],
  ),
};

function byPrice(
  name: string,
  says: string,
  rungs: readonly Rung[],
): Transition<unknown> & { rungs: readonly Rung[] } {
  return { name, from: OPEN_STATES, on: 'price', says, when: () => true, gives: 'same', rungs };
}

/** What is known of a call while the agent's last report is due. */
interface CallAtEnd {
  /** The call may have brought something, or the streak has ended. */
  hasMoved: boolean;
  /** The call belongs to the response in which the report was requested. */
  isSameResponse: boolean;
  isOwnCall: boolean;
  /** Other calls that were blocked since. */
  refused: number;
}

/** How many calls that are not part of the loop are blocked while the agent's report is due. */
const MAX_REFUSED = 4;

/** After the report was requested. The first that holds decides. */
export const AT_END: readonly Transition<CallAtEnd>[] = [
  {
    name: 'called-off',
    from: ['ending'],
    on: 'call',
    says: 'it brings something new',
    when: ({ hasMoved }) => hasMoved,
    gives: 'back',
  },
  {
    name: 'calls-on',
    from: ['ending'],
    on: 'call',
    says: `in a later response, it is part of the loop or the ${MAX_REFUSED + 1}th other one`,
    when: ({ isSameResponse, isOwnCall, refused }) =>
      !isSameResponse && (isOwnCall || refused >= MAX_REFUSED),
    gives: 'stopped',
  },
  {
    name: 'waits-for-report',
    from: ['ending'],
    on: 'call',
    says: 'otherwise: it is blocked',
    when: () => true,
    gives: 'same',
  },
];

/** Steps of progress after which a streak has ended. Fewer may be a short detour. */
const ENDS_AFTER = 3;

/** A streak that has ended comes back on the rung that it was left with. */
export const RETURNING: readonly Transition<unknown>[] = [
  {
    name: 'returns',
    from: ['faded', 'forgiven'],
    on: 'repeats',
    says: 'always; it may climb at once',
    when: () => true,
    gives: 'back',
  },
];

/** What is known of a streak that may end. */
interface Leaving {
  on: StreakEvent;
  /** All its evidence was capped at a note, so nothing of it is kept. */
  onlyAdvice: boolean;
  /** Steps with progress since it was last seen. */
  progress: number;
}

/** How a streak ends. The first that holds decides; without one it stays. */
export const LEAVING: readonly Transition<Leaving>[] = [
  {
    name: 'another-result',
    from: OPEN_STATES,
    on: 'changed',
    says: 'always',
    when: ({ on }) => on === 'changed',
    gives: 'gone',
  },
  {
    name: 'was-only-advice',
    from: OPEN_STATES,
    on: 'progress',
    says: 'its evidence allows no more than a note',
    when: ({ on, onlyAdvice }) => on === 'progress' && onlyAdvice,
    gives: 'gone',
  },
  {
    name: 'got-on',
    from: OPEN_STATES,
    on: 'progress',
    says: `for the ${ENDS_AFTER}rd time`,
    when: ({ on, progress }) => on === 'progress' && progress >= ENDS_AFTER,
    gives: 'faded',
  },
  {
    name: 'user-spoke',
    from: [...OPEN_STATES, 'ending', 'faded'],
    on: 'user-spoke',
    says: 'always',
    when: ({ on, onlyAdvice }) => on === 'user-spoke' && !onlyAdvice,
    gives: 'forgiven',
  },
  {
    name: 'user-spoke-about-advice',
    from: OPEN_STATES,
    on: 'user-spoke',
    says: 'its evidence allows no more than a note',
    when: ({ on }) => on === 'user-spoke',
    gives: 'gone',
  },
];
