import type { Tried } from '../recoveries/recovery.ts';
import type { Evidence } from '../signal.ts';

/** What a detector saw of a streak, and its words for it. */
export interface StreakSight {
  detector: string;
  evidence: Evidence;
  text: string;
}

/** One run of repetition, known by what repeats and not by who saw it. Its rung outlives it: when it returns, the next one is higher. */
export interface Streak {
  id: string;
  keys: string[];
  target: string | null;
  /** Index into RUNGS of its last plan; -1 before the first. */
  rung: number;
  /** The tick at which it was last raised; and at which its rung rose, with the count it had. */
  raised: number;
  rose: number;
  countAtRise: number;
  /** The response whose calls made its rung rise. */
  roseIn: string;
  /** Steps with progress since it was last raised. */
  progress: number;
  ended: boolean;
  /** All its evidence was capped at a note: nothing of it is kept when it ends. */
  light: boolean;
  /** What was seen of it last, for a plan that is delivered when the call is proposed again. */
  last: StreakSight[];
  tried: Tried[];
}

const MAX_STREAKS = 16;
const MAX_KEYS = 12;
const MAX_TRIED = 6;
const MAX_LAST = 3;
/** Fewer steps with progress may be a lucky detour. */
const ENDS_AFTER = 3;

/** The streak that shares a repeated fingerprint or the target with the evidence; the one that has climbed highest, if several. */
export function findStreak(streaks: readonly Streak[], evidence: Evidence): Streak | undefined {
  let found: Streak | undefined;
  for (const streak of streaks) {
    const shared = evidence.keys.some((key) => streak.keys.includes(key)) || evidence.target === streak.target;
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
    progress: 0,
    ended: false,
    light: true,
    last: [],
    tried: [],
  };
  streaks.push(streak);
  if (streaks.length > MAX_STREAKS) streaks.shift();
  return streak;
}

/** Fresh evidence for a streak, which thereby becomes the last to be dropped. */
export function raise(streaks: Streak[], streak: Streak, sight: StreakSight, tick: number, light: boolean): void {
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
  if (!light) streak.light = false;
}

/** A plan was made: the streak stands on its rung now. */
export function climb(
  streak: Streak,
  rung: number,
  tried: Tried,
  { count, batch, tick }: { count: number; batch: string; tick: number },
): void {
  streak.rung = Math.max(streak.rung, rung);
  streak.rose = tick;
  streak.countAtRise = count;
  streak.roseIn = batch;
  streak.tried.push(tried);
  if (streak.tried.length > MAX_TRIED) streak.tried.shift();
}

/** After a step with progress that raised nothing: streaks not raised for long enough end. Those that never weighed more than a note go. */
export function fade(streaks: Streak[], tick: number): void {
  for (let i = streaks.length - 1; i >= 0; i--) {
    const streak = streaks[i]!;
    if (streak.ended || streak.raised >= tick) continue;
    streak.progress++;
    if (streak.light) streaks.splice(i, 1);
    else if (streak.progress >= ENDS_AFTER) streak.ended = true;
  }
}

/** A real person spoke: whatever was going on is over. */
export function endAll(streaks: Streak[]): void {
  for (let i = streaks.length - 1; i >= 0; i--) {
    if (streaks[i]!.light) streaks.splice(i, 1);
    else streaks[i]!.ended = true;
  }
}
