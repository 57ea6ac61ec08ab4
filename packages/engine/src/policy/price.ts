import type { Fingerprint, Progress } from '../fingerprint/fingerprint.ts';
import { hash32 } from '../hash.ts';
import type { CallPrint } from '../prints.ts';
import { push } from '../recent.ts';
import type { LoopPrice, Signal } from '../signal.ts';
import { isBareReceipt } from './claims.ts';
import type { Due } from './ladder-table.ts';

export interface PriceState {
  steps: number;
  /** Polls and retries: they cost time, but no steps. */
  polls: number;
  /** Results that do not tell what happened: the same, but enough time with them ends a run. */
  unknown: number;
  ms: number;
  /** What the model took before these steps, in milliseconds. */
  thought: number;
  usd: number;
  tokens: number;
  /** An advised streak is open. Without one, nothing counts. */
  advised: boolean;
  /** The number of steps at which advice is due again, and the steps between advice. */
  adviseAt: number;
  interval: number;
  /** How many times a human was asked, or the agent for its report; and the last step of these. */
  asked: number;
  askedAt: number;
  /** Hashes of the moves that were already offered. */
  offered: number[];
}

const FIRST_ADVICE = 4;
const MAX_OFFERED = 12;

export const startPrice = (): PriceState => ({
  steps: 0,
  polls: 0,
  unknown: 0,
  ms: 0,
  thought: 0,
  usd: 0,
  tokens: 0,
  advised: false,
  adviseAt: FIRST_ADVICE,
  interval: FIRST_ADVICE,
  asked: 0,
  askedAt: 0,
  offered: [],
});

/** A write is neutral: it costs nothing, but alone it is no sign that the agent gets anywhere. */
const LEARNED: ReadonlySet<Progress> = new Set<Progress>([
  'novel',
  'moved',
  'falling',
  'first-look',
  'first-run',
  'screen',
]);

/**
 * What a step costs: it is in vain, it only takes time, as a wait or because its result does not tell
 * what happened, or it costs nothing.
 */
export type Cost = 'step' | 'wait' | 'unknown' | 'nothing';

/** What the detectors see in a step. */
interface Sighted {
  /** A loop of any kind. */
  repeats: boolean;
  /** The same write again, with nothing in between that could have undone it. */
  rewrites: boolean;
}

export const sightedIn = (signals: readonly Pick<Signal, 'evidence'>[]): Sighted => ({
  repeats: signals.length > 0,
  rewrites: signals.some(({ evidence }) => evidence.facts.written === true),
});

interface CostRule {
  name: string;
  when(seen: Fingerprint, sighted: Sighted): boolean;
  gives: Cost;
}

/**
 * The next item of a list, with an answer about that item: found, not there, or, if the items are
 * in a row, an error. A call that did not run has no answer, and a guess is no item.
 */
export const isListed = ({ nextItem, inRow, guess, call, result }: Fingerprint): boolean =>
  nextItem === true &&
  !guess &&
  (call?.verb === 'read' || call?.verb === 'verify' || call?.shell === true) &&
  (!result?.error || (!result.error.refusal && (result.missing || inRow === true)));

/** Equal writes in a row that tell that each did the same; after fewer it may be meant. */
const MANY_WRITES = 12;

/** A list of what is to do: what it is set to is all in the arguments. */
const keepsList = ({ target }: CallPrint): boolean => target?.startsWith('todo:') === true;

const COST_RULES: readonly CostRule[] = [
  { name: 'false-alarm', when: ({ forgiven }) => forgiven === true, gives: 'nothing' },
  {
    name: 'poll-or-retry',
    when: ({ neutral, world, result }) =>
      neutral === 'poll' ||
      neutral === 'transient-error' ||
      (world?.world === 'open' && result?.error != null),
    gives: 'wait',
  },
  {
    name: 'forgotten',
    when: ({ relook }, { repeats }) => relook === true && repeats,
    gives: 'step',
  },
  { name: 'neutral', when: ({ neutral }) => neutral !== null, gives: 'nothing' },
  { name: 'not-a-call', when: ({ result }, { repeats }) => !result && repeats, gives: 'step' },
  { name: 'no-result', when: ({ result }) => !result, gives: 'nothing' },
  {
    // What it writes is in its arguments, so it is known that nothing has changed.
    name: 'same-file-again',
    when: ({ call, result }, { rewrites }) =>
      rewrites && call?.target?.startsWith('file:') === true && result!.sameInARow > 1,
    gives: 'step',
  },
  {
    // A plan that is written down again and again with the same words.
    name: 'same-write-many-times',
    when: ({ call, result }) =>
      call?.verb === 'write' &&
      result?.error === null &&
      result.known &&
      (keepsList(call) || !isBareReceipt({ call, result })) &&
      result.sameInARow > MANY_WRITES,
    gives: 'step',
  },
  {
    name: 'write',
    when: ({ call, result }) => call?.verb === 'write' && result?.error === null,
    gives: 'nothing',
  },
  {
    name: 'look-at-own-edit',
    when: ({ ownEdit, result }) => ownEdit === true && result?.sameInARow === 1,
    gives: 'nothing',
  },
  {
    name: 'says-nothing',
    when: (seen) =>
      seen.result?.known === false ||
      seen.result?.acknowledgement === true ||
      // What an agent answers is no receipt, however short.
      (isBareReceipt(seen) && !seen.call?.shell && !seen.spawns),
    gives: 'unknown',
  },
  {
    name: 'next-item-of-a-list',
    when: isListed,
    gives: 'nothing',
  },
];

/** Adds what this step cost. Anything learned or improved starts the price again. */
export function pay(price: PriceState, seen: Fingerprint, isStep: boolean, sighted: Sighted): void {
  if (seen.progress && LEARNED.has(seen.progress)) {
    Object.assign(price, startPrice());
    return;
  }
  if (!price.advised) return;
  price.usd += seen.cost?.usd ?? 0;
  price.tokens += seen.cost?.tokens ?? 0;
  if (!isStep) return;
  const cost = COST_RULES.find(({ when }) => when(seen, sighted))?.gives ?? 'step';
  if (cost === 'nothing') return;
  if (allOf(price) > 0) {
    price.ms += seen.silence;
    price.thought += seen.thought ?? 0;
  }
  if (cost === 'step') price.steps++;
  else if (cost === 'unknown') price.unknown++;
  else price.polls++;
}

/** A state that was saved by an earlier version has no `unknown` and no `thought`. */
const allOf = ({ steps, polls, unknown }: PriceState): number => steps + polls + (unknown || 0);

/** The price, or undefined if nothing was spent. */
export const loopPriceOf = (price: PriceState): LoopPrice | undefined => {
  const { steps, usd, tokens } = price;
  return allOf(price) === 0
    ? undefined
    : {
        steps,
        minutes: Math.round(price.ms / 6000) / 10,
        ...(usd > 0 ? { usd: Math.round(usd * 1e4) / 1e4 } : {}),
        ...(tokens > 0 ? { tokens } : {}),
      };
};

/** Steps, or minutes with at least so many steps, after which something is due. */
interface Limit {
  steps: number;
  minutes: number;
  least: number;
}

/** Clean and quiet runs stay below: docs/measuring.md has the figures. */
const ASK: Limit = { steps: 12, minutes: 20, least: 6 };
const END: Limit = { steps: 30, minutes: 60, least: 12 };

/**
 * What is due at this price, or undefined. `mayEnd`: nobody is there, and the run can be stopped;
 * where it cannot, the question comes again. `mayWait`: the user asked to wait, so time alone is no
 * reason to ask.
 */
export function dueAt(price: PriceState, mayEnd: boolean, mayWait: boolean): Due | undefined {
  if (!price.advised) return undefined;
  const minutes = price.ms / 60_000;
  const withModel = minutes + price.thought / 60_000;
  const all = allOf(price);
  // Polls and retries are never a reason to stop.
  const inVain = price.steps + price.unknown;
  // If the model took the time, as every slow model does, more steps are needed.
  const isOver = (limit: Limit, count: number, factor: number): boolean =>
    price.steps >= limit.steps * factor ||
    (((minutes >= limit.minutes * factor && count >= limit.least) ||
      (withModel >= limit.minutes * factor && count >= limit.steps)) &&
      !(mayWait && inVain < limit.least));
  if (mayEnd && price.asked > 0 && inVain > price.askedAt && isOver(END, inVain, 1)) return 'end';
  // 12, 30, 60, 120 … steps; 20, 60, 120 … minutes.
  const isAskDue =
    price.asked === 0 ? isOver(ASK, all, 1) : isOver(END, all, 2 ** (price.asked - 1));
  if (isAskDue) return 'ask';
  return price.steps >= price.adviseAt ? 'advice' : undefined;
}

/** Something was said, so the next advice is due later: after twice as many steps as the last time. */
export function advised(price: PriceState, byPrice: boolean): void {
  if (byPrice) price.interval *= 2;
  price.adviseAt = price.steps + price.interval;
}

export function asked(price: PriceState): void {
  price.asked++;
  price.askedAt = price.steps + price.unknown;
}

const hashOf = (move: string): number => hash32(move.replace(/\d+/g, '#'));

/** The moves that this session was not offered since it last got anywhere. */
export const notOffered = (price: PriceState, moves: readonly string[]): string[] =>
  moves.filter((move) => !price.offered.includes(hashOf(move)));

/** Remembers the moves that a text offers. */
export function offer(price: PriceState, moves: readonly string[], text: string): void {
  for (const move of moves)
    if (text.toLowerCase().includes(move.toLowerCase()) && !price.offered.includes(hashOf(move)))
      push(price.offered, hashOf(move), MAX_OFFERED);
}
