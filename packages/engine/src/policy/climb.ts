import { RUNGS } from '../event.ts';
import { factsOf } from './facts.ts';
import { heightOf, reach } from './ladder.ts';
import type { Facts } from './ladder-conditions.ts';
import { climbTo, isDue, isOpen } from './ladder-table.ts';
import { optionAt } from './option.ts';
import type { Streak } from './streak.ts';
import type { Option, Placed, Proposed, Turn } from './turn.ts';

const BLOCK = heightOf('block');

/**
 * The options for what was seen. While a refusal waits for its call, nothing more forceful is an
 * option.
 */
export function nextOptions(turn: Turn, placed: readonly Placed[]): Option[] {
  const options = placed.flatMap((each) => nextOption(turn, each, null) ?? []);
  return options.filter(({ streak, height }) => height < BLOCK || !turn.waiting.has(streak));
}

/** The option on the next rung of this streak that is open, if it is due. */
export function nextOption(turn: Turn, placed: Placed, proposed: Proposed): Option | null {
  const { signal, streak, detector } = placed;
  const facts = factsOf(turn, placed, proposed);
  // Within one step (a long message, a call already refused) or one response, evidence counts as
  // fresh only if its count has doubled.
  const isStale = facts.hasJustRisen && signal.count < 2 * streak.countAtRise;
  if (!detector.everyTime && isStale) return null;
  const first = firstRung(turn, placed, facts);
  const lowest = detector.everyTime ? first : Math.max(first, streak.rung + 1);
  for (const rung of RUNGS.slice(lowest, facts.highest + 1)) {
    if (!isOpen(facts, rung)) continue;
    if (!detector.everyTime && !isDue(facts, rung)) return null;
    if (climbTo(rung).on === 'proposed' && !proposed) {
      if (!waitsForCall(turn, streak, facts)) continue;
      turn.waiting.add(streak);
      return null;
    }
    const option = optionAt(turn, placed, proposed, rung);
    if (option) return option;
  }
  return null;
}

/** Where the rung to begin with is not to be had, the ladder begins as it usually does. */
function firstRung({ seen, config }: Turn, { signal, detector }: Placed, facts: Facts): number {
  const { first } = reach(detector, signal.evidence, seen.gap, config.skip);
  return signal.evidence.from === undefined || isOpen(facts, RUNGS[first]!)
    ? first
    : Math.min(first, heightOf(detector.rungs.first));
}

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
 * A refusal waits until the call is proposed again. A call that is not proposed, or that ran on
 * probation, cannot be refused.
 */
function waitsForCall({ seen }: Turn, streak: Streak, facts: Facts): boolean {
  if (!seen.announced) return false;
  return streak.probation === seen.tick
    ? streak.aged === true && streak.renewed < MAX_RENEWED
    : facts.occurrences() <= MAX_WAIT;
}

/**
 * Within a streak, the least force; among streaks, the one that has climbed highest; among equals,
 * the strongest evidence.
 */
export function mostUrgent(options: readonly Option[]): Option | null {
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
