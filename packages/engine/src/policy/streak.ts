import { RUNGS } from '../event.ts';
import type { Tried } from '../recoveries/recovery.ts';
import { firstRule } from '../rule.ts';
import type { Evidence } from '../signal.ts';
import { LEAVING, type StreakEvent } from './ladder-table.ts';

/** What a detector saw of a streak, with its words for it. */
export interface StreakSight {
  detector: string;
  evidence: Evidence;
  text: string;
}

/** The number of occurrences, and the tick and response of the last one. */
interface Tally {
  count: number;
  tick: number;
  batch: string;
  /**
   * How many times the streak was raised since then. If several calls repeat in turn, each lap is
   * one occurrence.
   */
  raises: number;
  /** The call that last raised it. */
  key?: string;
}

const startTally = (): Tally => ({ count: 0, tick: -1, batch: '', raises: 0 });

/**
 * One run of repetition, identified by what repeats and not by who saw it. Its rung outlives it: if
 * the streak returns, it starts one rung higher.
 */
export interface Streak {
  id: string;
  keys: string[];
  target: string | null;
  /** Index into RUNGS of its last plan; -1 before the first. */
  rung: number;
  /**
   * The tick at which it was last raised; the tick at which its rung last rose, and its count then.
   */
  raised: number;
  rose: number;
  countAtRise: number;
  /** The response and the call at which its rung last rose. */
  roseIn: string;
  roseAt: string;
  /**
   * Occurrences since its rung last rose (raised again, or proposed and refused): with any
   * evidence, and with evidence known to be equal.
   */
  all: Tally;
  equal: Tally;
  /** Occurrences known to be equal since the streak began. */
  inVain: number;
  /**
   * Refusals in a row since one of its calls last ran; and how many times a due refusal was
   * withheld and the result was the same again.
   */
  refused: number;
  renewed: number;
  /**
   * The tick of a call that runs although its refusal was due, and whether that is because its last
   * result was too old.
   */
  probation: number;
  aged?: boolean;
  /** Steps with progress since it was last raised. */
  progress: number;
  ended: boolean;
  /** All its evidence was capped at a note, so nothing of it is kept when it ends. */
  advice: boolean;
  /**
   * What was last seen of it, for a plan that is made when the call is proposed again; nothing once
   * it has ended.
   */
  last: StreakSight[];
  tried: Tried[];
}

const MAX_STREAKS = 16;
const MAX_KEYS = 12;
const MAX_TRIED = 6;
const MAX_LAST = 3;
const ESCALATE = RUNGS.indexOf('escalate');

/**
 * The streak that shares a repeated fingerprint or the target with the evidence; if there are
 * several, the one that has climbed highest. An ended streak needs the same target or all of the
 * fingerprints: sharing only an error does not revive it.
 */
export function findStreak(streaks: readonly Streak[], evidence: Evidence): Streak | undefined {
  let found: Streak | undefined;
  for (const streak of streaks) {
    const has = (key: string): boolean => streak.keys.includes(key);
    const shared =
      (streak.ended ? evidence.keys.every(has) : evidence.keys.some(has)) ||
      evidence.target === streak.target;
    if (shared && (!found || streak.rung > found.rung)) found = streak;
  }
  return found;
}

export function openStreak(streaks: Streak[], id: string): Streak {
  const streak: Streak = {
    id,
    keys: [],
    target: null,
    rung: -1,
    raised: -1,
    rose: -1,
    countAtRise: 0,
    roseIn: '',
    roseAt: '',
    all: startTally(),
    equal: startTally(),
    inVain: 0,
    refused: 0,
    renewed: 0,
    probation: -1,
    progress: 0,
    ended: false,
    advice: true,
    last: [],
    tried: [],
  };
  streaks.push(streak);
  if (streaks.length > MAX_STREAKS) streaks.shift();
  return streak;
}

/** Adds fresh evidence to a streak and makes it the most recent one. */
export function raise(
  streaks: Streak[],
  streak: Streak,
  sight: StreakSight,
  tick: number,
  advice: boolean,
): void {
  const { evidence } = sight;
  streaks.splice(streaks.indexOf(streak), 1);
  streaks.push(streak);
  for (const key of evidence.keys) {
    if (streak.keys.includes(key)) continue;
    streak.keys.push(key);
    if (streak.keys.length > MAX_KEYS) streak.keys.shift();
  }
  streak.target ??= evidence.target ?? null;
  if (streak.raised !== tick) streak.last = [];
  if (streak.last.length < MAX_LAST) streak.last.push(sight);
  streak.raised = tick;
  streak.progress = 0;
  streak.ended = false;
  if (!advice) streak.advice = false;
}

/** When something occurs: the tick, the response, and the call. */
export interface Occasion {
  tick: number;
  batch: string;
  key: string;
}

/**
 * Whether this would be a new occurrence: at most one per step and response. For equal calls that
 * repeat in turn, one per lap.
 */
export function isOccurrence(
  streak: Streak,
  { tick, batch, key }: Occasion,
  isEqual: boolean,
): boolean {
  const tally = isEqual ? streak.equal : streak.all;
  if (tally.tick >= tick || (batch !== '' && tally.batch === batch)) return false;
  return (
    !isEqual ||
    streak.roseAt === '' ||
    streak.roseAt === key ||
    tally.key === key ||
    tally.raises + 1 >= streak.keys.length
  );
}

/** Counts an occurrence if it is a new one. */
export function occur(streak: Streak, occasion: Occasion, isEqual: boolean): void {
  for (const tally of isEqual ? [streak.all, streak.equal] : [streak.all]) {
    if (!isOccurrence(streak, occasion, tally === streak.equal)) {
      tally.raises++;
      tally.key = occasion.key;
      continue;
    }
    Object.assign(tally, {
      count: tally.count + 1,
      tick: occasion.tick,
      batch: occasion.batch,
      raises: 0,
      key: occasion.key,
    });
    if (tally === streak.equal) streak.inVain++;
  }
}

/** A plan was made or withheld, and the streak is now on its rung. */
export function climb(
  streak: Streak,
  rung: number,
  tried: Tried,
  { tick, batch, key }: Occasion,
  count: number,
): void {
  streak.rung = Math.max(streak.rung, rung);
  Object.assign(streak, { rose: tick, roseIn: batch, roseAt: key, countAtRise: count });
  streak.all = { count: 0, tick, batch, raises: 0 };
  streak.equal = { ...streak.all };
  streak.tried.push(tried);
  if (streak.tried.length > MAX_TRIED) streak.tried.shift();
}

/**
 * A call has returned something new: streaks about it that were not raised at this tick may end.
 */
export function endChanged(streaks: Streak[], key: string, tick: number): void {
  for (let i = streaks.length - 1; i >= 0; i--) {
    const { raised, keys } = streaks[i]!;
    if (raised < tick && keys.includes(key)) leave(streaks, i, 'changed');
  }
}

/** Called after a step with progress: streaks that were not raised at this tick may end. */
export function fade(streaks: Streak[], tick: number): void {
  for (let i = streaks.length - 1; i >= 0; i--) {
    const streak = streaks[i]!;
    if (streak.ended || streak.raised >= tick) continue;
    streak.progress++;
    streak.all.count = streak.equal.count = 0;
    leave(streaks, i, 'progress');
  }
}

/** A real person spoke, so all streaks end. */
export function endAll(streaks: Streak[]): void {
  for (let i = streaks.length - 1; i >= 0; i--) leave(streaks, i, 'user-spoke');
}

/** Moves a streak to where the ladder says that this event takes it. */
function leave(streaks: Streak[], index: number, on: StreakEvent): void {
  const streak = streaks[index]!;
  const { advice: onlyAdvice, progress } = streak;
  const to = firstRule(LEAVING, { on, onlyAdvice, progress })?.gives;
  if (to === 'gone') streaks.splice(index, 1);
  if (to === 'faded') Object.assign(streak, { ended: true, last: [] });
  if (to === 'forgiven') forgive(streak);
}

/**
 * A streak that was escalated or stopped has had the person's attention, and resumes two rungs
 * lower.
 */
function forgive(streak: Streak): void {
  if (streak.rung >= ESCALATE) streak.rung = twoBelow(streak) - 1;
  for (const each of streak.tried) each.heard = true;
  Object.assign(streak, {
    ended: true,
    last: [],
    all: startTally(),
    equal: startTally(),
    inVain: 0,
    refused: 0,
    renewed: 0,
    probation: -1,
  });
}

/**
 * Counts only rungs that this streak has used, because a host may have other capabilities when a
 * person speaks than it has at calls.
 */
function twoBelow({ rung, tried }: Streak): number {
  const lower = [...new Set(tried.map((each) => RUNGS.indexOf(each.rung)))]
    .filter((height) => height < rung)
    .sort((a, b) => b - a);
  return lower[1] ?? lower[0] ?? 0;
}
