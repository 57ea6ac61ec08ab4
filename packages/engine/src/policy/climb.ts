import { RUNGS } from '../event.ts';
import { choiceAt } from './choice.ts';
import { ladderFacts } from './facts.ts';
import { heightOf, reach } from './ladder.ts';
import type { LadderFacts } from './ladder-conditions.ts';
import { climbTo, isDue, isOpen } from './ladder-table.ts';
import type { Placed, PlanChoice, PolicyMoment, Proposed } from './moment.ts';
import type { Streak } from './streak.ts';

const BLOCK = heightOf('block');

/**
 * The choices for what was seen. While a refusal waits for its call, nothing more forceful is a
 * choice.
 */
export function nextChoices(moment: PolicyMoment, placed: readonly Placed[]): PlanChoice[] {
  const choices = placed.flatMap((each) => nextChoice(moment, each, null) ?? []);
  return choices.filter(({ streak, height }) => height < BLOCK || !moment.waiting.has(streak));
}

/** The choice on the next rung of this streak that is open, if it is due. */
export function nextChoice(
  moment: PolicyMoment,
  placed: Placed,
  proposed: Proposed,
): PlanChoice | null {
  const { signal, streak, detector } = placed;
  const facts = ladderFacts(moment, placed, proposed);
  // Within one step (a long message, a call already refused) or one response, evidence counts as
  // fresh only if its count has doubled.
  const isStale = facts.hasJustRisen && signal.count < 2 * streak.countAtRise;
  if (!detector.everyTime && isStale) return null;
  const first = firstRung(moment, placed, facts);
  const lowest = detector.everyTime ? first : Math.max(first, streak.rung + 1);
  for (const rung of RUNGS.slice(lowest, facts.highest + 1)) {
    if (!isOpen(facts, rung)) continue;
    if (!detector.everyTime && !isDue(facts, rung)) return null;
    if (climbTo(rung).on === 'proposed' && !proposed) {
      if (!waitsForCall(moment, streak, facts)) continue;
      moment.waiting.add(streak);
      return null;
    }
    const choice = choiceAt(moment, placed, proposed, rung);
    if (choice) return choice;
  }
  return null;
}

/** If the first rung is unavailable, the ladder starts as usual. */
function firstRung(
  { seen, config }: PolicyMoment,
  { signal, detector }: Placed,
  facts: LadderFacts,
): number {
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
function waitsForCall({ seen }: PolicyMoment, streak: Streak, facts: LadderFacts): boolean {
  if (!seen.announced) return false;
  return streak.probation === seen.tick
    ? streak.aged === true && streak.renewed < MAX_RENEWED
    : facts.occurrences() <= MAX_WAIT;
}

/**
 * Within a streak, the least force; among streaks, the one that has climbed highest; among equals,
 * the strongest evidence.
 */
export function mostUrgent(choices: readonly PlanChoice[]): PlanChoice | null {
  const ofStreak = new Map<Streak, PlanChoice>();
  let best: PlanChoice | null = null;
  for (const choice of choices) {
    if (choice.detector.everyTime) best ??= choice;
    const other = ofStreak.get(choice.streak);
    const isLess =
      !other ||
      choice.height < other.height ||
      (choice.height === other.height && isSurer(choice, other));
    if (isLess && !choice.detector.everyTime) ofStreak.set(choice.streak, choice);
  }
  for (const choice of ofStreak.values())
    if (
      !best ||
      choice.height > best.height ||
      (choice.height === best.height && isSurer(choice, best))
    )
      best = choice;
  return best;
}

const isSurer = (one: PlanChoice, other: PlanChoice): boolean =>
  one.signal.strength > other.signal.strength;
