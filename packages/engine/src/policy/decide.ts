import { type Candidate, movesOf } from '../candidates/candidate.ts';
import type { Trouble } from '../candidates/candidates-for.ts';
import { type Detector, movesAfter, statusOf } from '../detectors/detector.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Action, Recovery, Situation } from '../recoveries/recovery.ts';
import type { Evidence, Fault, Signal } from '../signal.ts';
import { attemptPart } from './attempt-part.ts';
import { affords, type Budget, budgetLeft, spend, startBudget } from './budget.ts';
import { type Claims, isFresh, standing, stillHolds, updateClaims, worldOfKeys } from './claims.ts';
import { atEnding, type TurnEnding } from './endings.ts';
import { leniently } from './forgiven.ts';
import { type Forward, isGettingOn, mayHaveBrought, noteForward } from './forward.ts';
import { forgetHolds, type Hammering, holdBack, isHammered, noteAway } from './hammering.ts';
import { holdStart } from './hold-start.ts';
import { BEFORE_STOP, heightOf, type LadderConfig, paceOf, reach, recoveryFor } from './ladder.ts';
import type { Plan } from './plan.ts';
import {
  advised,
  asked,
  type Due,
  dueAt,
  isListed,
  loopPriceOf,
  notOffered,
  offer,
  type PriceState,
  pay,
  sightedIn,
  startPrice,
} from './price.ts';
import { mayTell, type Spoken } from './spoken.ts';
import {
  climb,
  endAll,
  endChanged,
  fade,
  findStreak,
  isOccurrence,
  type Occasion,
  occur,
  openStreak,
  raise,
  type Streak,
} from './streak.ts';
import { toSignal } from './to-signal.ts';

export interface PolicyState {
  streaks: Streak[];
  budget: Budget;
  /** Results that are known. */
  claims: Claims;
  told: Spoken;
  forward: Forward;
  /**
   * The streak for which the run is about to be stopped after the agent's report. `refused` counts
   * other calls refused since.
   */
  ending: { streak: string; tick: number; batch: string; refused: number } | null;
  /** What was spent since the last progress. */
  price: PriceState;
  /** Calls that servers turned away. */
  hammering: Hammering;
  /** How the last turns ended, if nothing was achieved since. */
  endings: TurnEnding | null;
  /** The number of the next streak or plan. */
  next: number;
}

export const startPolicy = (): PolicyState => ({
  streaks: [],
  budget: startBudget(),
  claims: [],
  told: [],
  forward: [],
  ending: null,
  price: startPrice(),
  hammering: [],
  endings: null,
  next: 1,
});

export interface PolicyConfig extends LadderConfig {
  attended: boolean;
  /** The guard sees only some of the agent's calls. */
  partial: boolean;
  learned: Situation['learned'];
  detectors: ReadonlyMap<string, Detector>;
}

/** What a detector saw at this event. */
export interface Sighting {
  detector: Detector;
  evidence: Evidence;
}

export interface Decision {
  signals: Signal[];
  plan: Plan | null;
  faults: Fault[];
}

/** A plan that could be made now. */
interface Option {
  signal: Signal;
  streak: Streak;
  detector: Detector;
  recovery: Recovery;
  action: Action;
  toModel: string;
  toHuman: string;
  candidates: Candidate[];
  height: number;
  /**
   * It is free and does not raise the streak's rung: it repeats an earlier plan, or prepares for
   * the stop.
   */
  isAside?: true;
  /** It asks for the agent's report, because the run is about to be stopped. */
  isEnding?: boolean;
  /** What the price calls for, if that is the reason. */
  due?: Due;
  /** The moves that it may offer. */
  moves: readonly string[];
}

/** Everything that one event's decision needs. */
interface Turn {
  state: PolicyState;
  seen: Fingerprint;
  config: PolicyConfig;
  rank: Ranker;
  faults: Fault[];
  /** Streaks whose next rung is to refuse a call that has not been proposed yet. */
  waiting: Set<Streak>;
}

/** Returns ranked next actions for the trouble that a plan is about. */
export type Ranker = (trouble: Trouble) => Candidate[];

const BLOCK = heightOf('block');
const ESCALATE = heightOf('escalate');
const STOP = heightOf('stop');

/**
 * Places what was seen on the ladder, and makes at most one plan: the least force that was not yet
 * tried on this streak.
 */
export function decide(
  state: PolicyState,
  sightings: readonly Sighting[],
  seen: Fingerprint,
  config: PolicyConfig,
  rank: Ranker = () => [],
  isStep = seen.type !== 'call-proposed' && seen.type !== 'action-proposed',
): Decision {
  const turn: Turn = { state, seen, config, rank, faults: [], waiting: new Set() };
  noteAway(state.hammering, seen);
  const placed = sightings.flatMap((sighting) => place(turn, sighting) ?? []);
  // What was advised before goes on, although something was learned in between.
  if (placed.some(isAdvised)) state.price.advised = true;
  pay(state.price, seen, isStep, sightedIn(placed.map(({ signal }) => signal)));
  if (hasChanged(seen)) endChanged(state.streaks, seen.call!.key, seen.tick);
  if (seen.progress) fade(state.streaks, seen.tick);
  noteForward(state.forward, seen);
  const proposed = seen.type === 'call-proposed' || seen.type === 'action-proposed';
  const held = proposed
    ? (holdBack(state, seen, config) ?? holdStart(state, placed, seen, config))
    : atEnding(state, seen, config);
  // Nobody but a person reads what is said when a turn has ended.
  const option = held || seen.rest ? null : chooseOption(turn, placed, proposed, isStep);
  const plan = withInsisting(turn, placed, held ?? (option && makePlan(turn, option)));
  if (!proposed || plan?.rung !== 'block') updateClaims(state.claims, seen);
  for (const each of placed) setRung(turn, each);
  return { signals: placed.map(({ signal }) => signal), plan, faults: turn.faults };
}

/** Whether a call brought another result than before. */
const hasChanged = ({ call, result, neutral }: Fingerprint): boolean =>
  call !== undefined &&
  result?.known === true &&
  result.sameInARow === 1 &&
  neutral !== 'transient-error';

function chooseOption(
  turn: Turn,
  placed: readonly Placed[],
  proposed: boolean,
  isStep: boolean,
): Option | null {
  const end = theEnd(turn, proposed);
  if (end) return end;
  if (proposed) return due(turn);
  const urgent = mostUrgent(nextOptions(turn, placed)) ?? lastWord(turn, placed);
  return withPrice(turn, placed, urgent, isStep);
}

/** Tells on which rung a signal's streak is, and what the loop has cost. */
function setRung({ state, seen, config }: Turn, { signal, streak, detector }: Placed): void {
  const { first } = reach(detector, signal.evidence, seen.gap, config.skip);
  signal.rung = RUNGS[detector.everyTime || streak.rung < 0 ? first : streak.rung]!;
  const price = loopPriceOf(state.price);
  if (price) signal.price = price;
}

/** A signal and the streak that it belongs to. */
type Placed = Pick<Option, 'signal' | 'streak' | 'detector'>;

const isAdvised = ({ streak, detector, signal }: Placed): boolean =>
  streak.rung >= 0 && !detector.everyTime && statusOf(detector, signal.variant) === 'stable';

const occasionOf = ({ tick, batch, call }: Fingerprint): Occasion => ({
  tick,
  batch,
  key: call?.key ?? '',
});

/**
 * Puts a sighting into words and adds it to the streak that it shares something with, or to a new
 * one.
 */
function place(
  { state, seen, config, faults }: Turn,
  { detector, evidence: found }: Sighting,
): Placed | null {
  const world =
    worldOfKeys(state.claims, found.keys, seen) ??
    (seen.neutral === 'transient-error' ? seen.world?.world : undefined);
  const evidence: Evidence = {
    ...found,
    ...(world === undefined ? {} : { world }),
    ...(found.variant === 'transient' && isHammered(state.hammering, seen)
      ? { from: 'hint', cap: 'hint' }
      : {}),
    // The next item of a list that is not there, or fails, is an answer about that item.
    ...(isListed(seen) && (seen.result?.missing || seen.inRow) && !found.equal
      ? { cap: 'note' }
      : {}),
  };
  const text = attemptPart(detector.name, faults, () => detector.explain(evidence));
  if (text === undefined) return null;
  const streak =
    findStreak(state.streaks, evidence) ?? openStreak(state.streaks, `s${state.next++}`);
  const { highest } = reach(detector, evidence, seen.gap, config.skip);
  const isFirst = streak.raised < seen.tick;
  raise(
    state.streaks,
    streak,
    { detector: detector.name, evidence, text },
    seen.tick,
    highest === 0,
  );
  occur(streak, occasionOf(seen), evidence.equal === true);
  if (isFirst) {
    if (streak.probation === seen.tick) streak.renewed++;
    streak.refused = 0;
  }
  return { streak, detector, signal: toSignal(detector, evidence, text, streak, seen.step) };
}

/**
 * Within a streak, the least force; among streaks, the one that has climbed highest; among equals,
 * the strongest evidence.
 */
function mostUrgent(options: readonly Option[]): Option | null {
  const ofStreak = new Map<Streak, Option>();
  let best: Option | null = null;
  for (const option of options) {
    if (option.detector.everyTime) best ??= option;
    const other = ofStreak.get(option.streak);
    const isLess =
      !other ||
      option.height < other.height ||
      (option.height === other.height && isSurer(option, other));
    if (isLess && !option.detector.everyTime) ofStreak.set(option.streak, option);
  }
  for (const option of ofStreak.values())
    if (
      !best ||
      option.height > best.height ||
      (option.height === best.height && isSurer(option, best))
    )
      best = option;
  return best;
}

const isSurer = (one: Option, other: Option): boolean =>
  one.signal.strength > other.signal.strength;

/**
 * How many occurrences a refusal waits for a proposal. A call that is proposed under another name
 * never comes.
 */
const MAX_WAIT = 2;
/**
 * How many times a refusal is put off because the last result is too old. It then holds 32 times as
 * long as at first.
 */
const MAX_RENEWED = 5;

/**
 * The options for what was seen. While a refusal waits for its call, nothing more forceful is an
 * option.
 */
function nextOptions(turn: Turn, placed: readonly Placed[]): Option[] {
  const options = placed.flatMap((each) => nextOption(turn, each, null) ?? []);
  return options.filter(({ streak, height }) => height < BLOCK || !turn.waiting.has(streak));
}

/** The option on the next rung of this streak that the host, the detector and the budget allow. */
function nextOption(turn: Turn, placed: Placed, proposed: Situation['proposed']): Option | null {
  const { seen, config } = turn;
  const { signal, streak, detector } = placed;
  const { highest } = reach(detector, signal.evidence, seen.gap, config.skip);
  const first = firstRung(turn, placed);
  // Within one step (a long message, a call already refused) or one response, evidence counts as
  // fresh only if its count has doubled.
  const isHeld = hasJustRisen(streak, seen);
  if (!detector.everyTime && isHeld && signal.count < 2 * streak.countAtRise) return null;
  const lowest = detector.everyTime ? first : Math.max(first, streak.rung + 1);
  for (let height = lowest; height <= highest; height++) {
    if (!isOpen(turn, placed, height)) continue;
    if (!detector.everyTime && !isDue(turn, placed, proposed, height)) return null;
    if (isPreventive(RUNGS[height]!) && !proposed) {
      if (!waitsForCall(turn, placed)) continue;
      turn.waiting.add(streak);
      return null;
    }
    const option = optionAt(turn, placed, proposed, height);
    if (option) return option;
  }
  return null;
}

/** Where the rung to begin with is not to be had, the ladder begins as it usually does. */
function firstRung(turn: Turn, placed: Placed): number {
  const { signal, detector } = placed;
  const { first } = reach(detector, signal.evidence, turn.seen.gap, turn.config.skip);
  return signal.evidence.from === undefined || isOpen(turn, placed, first)
    ? first
    : Math.min(first, heightOf(detector.rungs.first));
}

/** Whether the streak has occurred often enough for this rung. */
function isDue(
  turn: Turn,
  placed: Placed,
  proposed: Situation['proposed'],
  height: number,
): boolean {
  const { streak, signal } = placed;
  const occurrences = occurrencesOf(turn, placed, proposed);
  if (height === STOP)
    return occurrences >= paceOf(height, signal.evidence) && !isTooEarly(turn, placed, proposed);
  const pace = streak.rung < 0 ? 1 : paceOf(height, signal.evidence);
  return hasJustRisen(streak, turn.seen) || occurrences >= pace;
}

/**
 * A refusal waits until the call is proposed again. A call that is not proposed, or that ran on
 * probation, cannot be refused.
 */
function waitsForCall(turn: Turn, placed: Placed): boolean {
  const { streak } = placed;
  if (!turn.seen.announced) return false;
  return streak.probation === turn.seen.tick
    ? streak.aged === true && streak.renewed < MAX_RENEWED
    : occurrencesOf(turn, placed, null) <= MAX_WAIT;
}

const hasJustRisen = ({ rose, roseIn }: Streak, { tick, batch }: Fingerprint): boolean =>
  rose >= tick || (batch !== '' && roseIn === batch);

/**
 * How many times the streak has occurred on its current rung, including a call that is proposed
 * now.
 */
const occurrencesOf = (turn: Turn, placed: Placed, proposed: Situation['proposed']): number =>
  (placed.signal.evidence.equal ? placed.streak.equal : placed.streak.all).count +
  oneMore(turn, placed, proposed);

const oneMore = (
  { seen }: Turn,
  { streak, signal }: Placed,
  proposed: Situation['proposed'],
): number =>
  proposed && isOccurrence(streak, occasionOf(seen), signal.evidence.equal === true) ? 1 : 0;

/**
 * Nothing is stopped before its eighth repeat (the third is the first one seen), and nobody who
 * makes progress is stopped.
 */
const isTooEarly = (
  turn: Turn,
  placed: Placed,
  proposed: Situation['proposed'],
  ahead = 0,
): boolean =>
  placed.streak.inVain + oneMore(turn, placed, proposed) + ahead < LEAST_IN_VAIN ||
  goesOn(turn, placed.streak, ahead);
const LEAST_IN_VAIN = 6;

/**
 * Whether the agent makes progress, apart from what the repeated call returned when the loop began.
 */
function goesOn(
  { state: { forward, claims }, seen }: Turn,
  { refused }: Streak,
  ahead: number,
): boolean {
  const times =
    seen.result?.sameInARow ?? claims.find(([key]) => key === seen.call?.key)?.[1].times ?? 0;
  return isGettingOn(forward, seen.step + ahead, times + refused, seen.call?.key);
}

/** Whether the host has a recovery on this rung that the budget allows. */
function isOpen(
  { state, config }: Turn,
  { signal, streak, detector }: Placed,
  height: number,
): boolean {
  const rung = RUNGS[height]!;
  // A guard that sees only some of the calls cannot know that the run makes no progress.
  if (config.partial && rung === 'stop') return false;
  const { world = 'closed' } = signal.evidence;
  if (rung === 'block' && world !== 'closed') return false;
  const recovery = recoveryFor(config, rung, detector.name, signal.variant);
  return (
    recovery !== undefined && affords(state.budget, rung, recovery.name, streak.target ?? streak.id)
  );
}

/** What the recovery of this rung would do; null if it has nothing to offer. */
function optionAt(
  turn: Turn,
  placed: Placed,
  proposed: Situation['proposed'],
  height: number,
  isEnding = false,
  due?: Due,
): Option | null {
  const { config, rank, faults, state } = turn;
  const { signal, streak, detector } = placed;
  const recovery = recoveryFor(config, RUNGS[height]!, detector.name, signal.variant);
  if (!recovery) return null;
  const { attended, learned } = config;
  return (
    attemptPart(recovery.name, faults, () => {
      const anyCall = detector.yields === true;
      const waits = movesWhileWaiting(turn, placed);
      const candidates =
        recovery.ranks && !isEnding && !waits ? rank({ keys: signal.evidence.keys, anyCall }) : [];
      const all = waits ?? movesOf(candidates, movesAfter(detector, signal.evidence), anyCall);
      const moves = due === 'advice' ? notOffered(state.price, all) : all;
      const situation: Situation = {
        signal,
        moves,
        tried: [...streak.tried],
        attended,
        learned,
        proposed,
        isEnding,
        byPrice: due !== undefined,
      };
      const action = recovery.plan(situation, recovery.options);
      if (!action) return null;
      const [toModel, toHuman] = [recovery.toModel(situation), recovery.toHuman(situation)];
      return { ...placed, recovery, height, isEnding, action, candidates, moves, toModel, toHuman };
    }) ?? null
  );
}

/** What to do about something that changes by itself; undefined if the detector knows better. */
function movesWhileWaiting(
  { seen: { job, result, call } }: Turn,
  { detector, signal: { variant, evidence } }: Placed,
): readonly string[] | undefined {
  const { world, keys } = evidence;
  if (world !== 'open' || !call || !keys.includes(call.key)) return undefined;
  if (job) return WAIT_FOR_STARTED;
  const isKnown = result?.error || !evidence.equal || detector.advises?.includes(variant);
  return isKnown ? undefined : WAIT_FOR_CHANGE;
}
const WAIT_FOR_STARTED = [
  'give what you started time: wait longer in one call, then ask again',
  'read its output, to see whether it still runs',
  'do something else meanwhile, or end your turn and say what you are waiting for',
];
const WAIT_FOR_CHANGE = [
  'wait longer in one call before you ask again',
  'do something else meanwhile',
  'end your turn and say what you are waiting for',
];

/**
 * A refusal or substitute is made when the call is proposed again, if it is the next rung of a
 * streak that has not ended.
 */
function due(turn: Turn): Option | null {
  const { state, seen } = turn;
  const { call } = seen;
  if (!call) return null;
  const claim = standing(state.claims, call.key, seen.at);
  const { instead } = call;
  const proposed = {
    key: call.key,
    label: call.label,
    times: claim?.times ?? 0,
    ...(instead ? { instead } : {}),
  };
  for (const streak of state.streaks) {
    if (streak.ended || !streak.last.some(({ evidence }) => evidence.keys.includes(call.key)))
      continue;
    const placed = placedAgain(turn, streak).filter(({ signal }) =>
      signal.evidence.keys.includes(call.key),
    );
    const next = mostUrgent(placed.flatMap((each) => nextOption(turn, each, proposed) ?? []));
    const refusal =
      next ??
      placed.map((each) => refusalAgain(turn, each, proposed)).find((each) => each !== null);
    if (!refusal || !isPreventive(RUNGS[refusal.height]!)) continue;
    // A host that offers a substitute has already looked at the current state.
    if (
      RUNGS[refusal.height] === 'substitute' ||
      (claim && stillHolds(streak, claim, turn.config.partial))
    )
      return refusal;
    streak.probation = seen.tick;
    streak.aged = claim !== null && !isFresh(streak.renewed, claim);
  }
  return null;
}

/** What was last seen of a streak, as signals for this event. */
const placedAgain = ({ config, seen }: Turn, streak: Streak): Placed[] =>
  streak.last.flatMap(({ detector: name, evidence, text }): Placed[] => {
    const detector = config.detectors.get(name);
    if (!detector || detector.everyTime) return [];
    const left = leniently(config.forgiven, name, evidence, seen.call?.tool);
    return left
      ? [{ streak, detector, signal: toSignal(detector, left, text, streak, seen.step) }]
      : [];
  });

/**
 * Refuses a call again for free: in the same response, while the streak waits for the stop, or if
 * there is no higher rung.
 */
function refusalAgain(turn: Turn, placed: Placed, proposed: Situation['proposed']): Option | null {
  const { seen, config } = turn;
  const { signal, streak, detector } = placed;
  if (streak.rung < BLOCK || !streak.tried.some(({ rung }) => rung === 'block')) return null;
  const { highest } = reach(detector, signal.evidence, seen.gap, config.skip);
  const next = nextOpen(turn, placed, highest);
  if (highest < BLOCK || (next !== null && next !== STOP && !hasJustRisen(streak, seen)))
    return null;
  const option = optionAt(
    turn,
    placed,
    proposed,
    BLOCK,
    next === STOP && isLastBeforeStop(turn, placed, proposed),
  );
  return option && { ...option, isAside: true };
}

function nextOpen(turn: Turn, placed: Placed, highest: number): number | null {
  for (let height = placed.streak.rung + 1; height <= highest; height++)
    if (isOpen(turn, placed, height)) return height;
  return null;
}

/** If nobody can be asked, the last occurrence before the stop is used to request the report. */
const isLastBeforeStop = (turn: Turn, placed: Placed, proposed: Situation['proposed']): boolean =>
  !turn.config.attended &&
  occurrencesOf(turn, placed, proposed) >= BEFORE_STOP - 1 &&
  !isTooEarly(turn, placed, proposed, 1);

/**
 * If the last call before the stop could not be refused, the request for the report comes with its
 * result.
 */
function lastWord(turn: Turn, placed: readonly Placed[]): Option | null {
  const { seen, config, state } = turn;
  for (const each of placed) {
    const { highest } = reach(each.detector, each.signal.evidence, seen.gap, config.skip);
    if (
      !seen.call ||
      state.ending ||
      each.streak.rung < 0 ||
      nextOpen(turn, each, highest) !== STOP ||
      !isLastBeforeStop(turn, each, null)
    )
      continue;
    const option = optionAt(turn, each, null, ESCALATE, true);
    if (option) return { ...option, isAside: true };
  }
  return null;
}

/** How many calls that are not part of the loop are refused while the agent's report is due. */
const MAX_REFUSED = 4;

/**
 * After the report was requested, every call is refused, and an agent that keeps calling is
 * stopped. Progress cancels the stop.
 */
function theEnd(turn: Turn, proposed: boolean): Option | null {
  const { state, seen } = turn;
  const { ending } = state;
  const { call } = seen;
  if (!ending || !call || seen.neutral === 'own') return null;
  const streak = state.streaks.find(({ id }) => id === ending.streak);
  if (!streak || streak.ended || mayHaveBrought(seen)) {
    state.ending = null;
    return null;
  }
  const placed = placedAgain(turn, streak).find(({ signal }) => signal.evidence.equal);
  if (!placed) return null;
  const isSameResponse = seen.tick <= ending.tick || seen.batch === ending.batch;
  const isOver =
    !isSameResponse && (streak.keys.includes(call.key) || ending.refused >= MAX_REFUSED);
  if (isOver) {
    // Some hosts cannot stop before a call. They stop after it.
    if (!proposed) state.ending = null;
    return optionAt(turn, placed, null, STOP);
  }
  if (!proposed) return null;
  ending.refused++;
  const option = optionAt(
    turn,
    placed,
    { key: call.key, label: call.label, times: 0 },
    BLOCK,
    true,
  );
  return option && { ...option, isAside: true };
}

/** The streak's own option, or what the price calls for if that is more force. */
function withPrice(
  turn: Turn,
  placed: readonly Placed[],
  own: Option | null,
  isStep: boolean,
): Option | null {
  const { state, seen, config } = turn;
  const { price } = state;
  const due =
    isStep && !seen.forgiven ? dueAt(price, config.attended, seen.mayWait === true) : undefined;
  if (due === undefined) return own;
  const about = pricedStreak(turn, placed);
  if (!about) return own;
  const spent = {
    ...about,
    signal: { ...about.signal, text: spentWords(about.signal.text, price) },
  };
  for (const height of HEIGHTS[due]) {
    if (own && (due === 'advice' || own.height >= height)) return own;
    if (height === STOP && config.partial) continue;
    const option = optionAt(turn, spent, null, height, false, due);
    if (!option) continue;
    if (own && !own.isAside) rise(own, seen);
    return { ...option, isAside: true, due };
  }
  return own;
}

/** The rungs that the price may use, the one that is called for first. */
const HEIGHTS: Readonly<Record<Due, readonly number[]>> = {
  advice: [heightOf('hint'), heightOf('note')],
  ask: [ESCALATE, heightOf('hint'), heightOf('note')],
  end: [STOP],
};

/**
 * The streak that the price is about: one seen now, otherwise the last one that was advised. Not one
 * that people marked as a false alarm, and not one on trial.
 */
function pricedStreak(turn: Turn, placed: readonly Placed[]): Placed | undefined {
  const { state, config, seen } = turn;
  const isOnlyTime = state.price.steps === 0;
  const counts = ({ detector, signal: { variant, evidence } }: Placed): boolean =>
    !detector.everyTime &&
    statusOf(detector, variant) === 'stable' &&
    (isOnlyTime || detector.advises?.includes(variant) !== true) &&
    leniently(config.forgiven, detector.name, { ...evidence, cap: 'stop' }, seen.call?.tool)
      ?.cap === 'stop';
  const now = placed.filter(counts).sort((a, b) => b.signal.strength - a.signal.strength)[0];
  if (now) return now;
  const last = state.streaks.findLast(({ ended, rung }) => !ended && rung >= 0);
  return last && placedAgain(turn, last).find(counts);
}

/** What was seen, and what it has cost since. */
function spentWords(text: string, { steps, polls, unknown, ms, thought }: PriceState): string {
  const minutes = Math.round((ms + thought) / 60_000);
  const time = minutes >= 5 ? ` in ${minutes} minutes` : '';
  return steps > 0
    ? `${text}, and ${steps} steps${time} have brought nothing new since`
    : `${text}, and it stayed like that ${polls + unknown} times${time}`;
}

/** Rungs that only say something. */
const ADVICE: ReadonlySet<Rung> = new Set(['note', 'hint']);

const isPreventive = (rung: Rung): boolean => rung === 'block' || rung === 'substitute';

/** Null if the same text was given before. The streak climbs all the same. */
function makePlan({ state, seen }: Turn, option: Option): Plan | null {
  const { signal, detector, toModel, height } = option;
  if (option.due === 'ask' || (height >= ESCALATE && !option.isEnding)) asked(state.price);
  const isOnTrial = statusOf(detector, signal.variant) === 'trial';
  if (!detector.everyTime && !isOnTrial) state.price.advised = true;
  noteRise(state, seen, option);
  if (isToldAlready(state, option)) return null;
  if (!detector.everyTime && !isOnTrial) advised(state.price, option.due === 'advice');
  offer(state.price, option.moves, toModel);
  return planFor(state, seen, option);
}

/** Remembers what the option does to its streak, to the budget and to the run. */
function noteRise(state: PolicyState, seen: Fingerprint, option: Option): void {
  const { signal, streak, detector, recovery, height } = option;
  const rung = RUNGS[height]!;
  if (option.isEnding)
    state.ending ??= { streak: streak.id, tick: seen.tick, batch: seen.batch, refused: 0 };
  if (rung === 'block') {
    occur(streak, occasionOf(seen), signal.evidence.equal === true);
    streak.refused++;
  }
  if (detector.everyTime || option.isAside) return;
  spend(state.budget, rung, recovery.name, streak.target ?? streak.id);
  rise(option, seen);
}

/** Whether advice with this text was given before. If not, it counts as given now. */
const isToldAlready = (state: PolicyState, { signal, toModel, height, due }: Option): boolean =>
  ADVICE.has(RUNGS[height]!) &&
  !signal.evidence.insists &&
  due === undefined &&
  !mayTell(state.told, toModel, aboutOf(signal), signal.count);

function planFor(state: PolicyState, seen: Fingerprint, option: Option): Plan {
  const { signal, streak, recovery, action, candidates, toModel, toHuman, height } = option;
  const rung = RUNGS[height]!;
  const price = loopPriceOf(state.price);
  return {
    id: `p${state.next++}`,
    recovery: recovery.name,
    rung,
    ...(option.due === undefined ? {} : { byPrice: true as const }),
    ...(streak.tried.length === 1 && !option.isAside ? { first: true as const } : {}),
    reason: `${signal.detector}/${signal.variant}`,
    ...withPermission(state, seen, rung, { toModel, toHuman }),
    ...(Object.keys(action).length > 0 ? { action } : {}),
    ...(candidates.length > 0 ? { candidates } : {}),
    ...(signal.evidence.target === undefined ? {} : { target: signal.evidence.target }),
    budgetLeft: budgetLeft(state.budget),
    streak: streak.id,
    ...(price ? { price } : {}),
  };
}

/** A note that is due at every step is put behind other advice, not left out for it. */
function withInsisting(turn: Turn, placed: readonly Placed[], plan: Plan | null): Plan | null {
  const other = placed.find(({ signal }) => signal.evidence.insists);
  if (!plan || !other || !ADVICE.has(plan.rung)) return plan;
  if (plan.reason === `${other.signal.detector}/${other.signal.variant}`) return plan;
  const note = optionAt(turn, other, null, heightOf('note'));
  if (!note) return plan;
  const action = { ...plan.action, ...note.action };
  return { ...plan, toModel: `${plan.toModel} ${note.toModel}`, action };
}

/**
 * If a permission is missing, tells a person once, and when the run is stopped, which line would
 * give it. The model cannot get it by trying again.
 */
function withPermission(
  { told }: PolicyState,
  { allow }: Fingerprint,
  rung: Rung,
  words: Pick<Plan, 'toModel' | 'toHuman'>,
): Pick<Plan, 'toModel' | 'toHuman'> {
  if (allow === undefined) return words;
  const isNamed = mayTell(told, allow, 'allow', 1) || rung === 'stop';
  return {
    toModel: `${words.toModel} Only a human can give this permission: go on without it, or report that it is missing.`,
    toHuman: isNamed ? `${words.toHuman} To allow it, ${allow}.` : words.toHuman,
  };
}

/** The streak of an option is now on the option's rung. */
const rise = ({ streak, height, recovery, signal }: Option, seen: Fingerprint): void =>
  climb(
    streak,
    height,
    { recovery: recovery.name, rung: RUNGS[height]!, step: signal.step },
    occasionOf(seen),
    signal.count,
  );

/**
 * A certain loop gets its own note even if the same text was already given for another one; a
 * suspicion does not.
 */
const aboutOf = ({ evidence: { equal, target, keys } }: Signal): string =>
  equal ? (target ?? keys[0] ?? '') : '';

/**
 * A real person spoke: streaks end, notes may be repeated, budgets stay, and streaks that were
 * escalated or stopped fall back.
 */
export function userSpoke(state: PolicyState): void {
  endAll(state.streaks);
  forgetHolds(state.hammering);
  Object.assign(state, { told: [], ending: null, endings: null, price: startPrice() });
}
