import type { EventType, Rung } from '../event.ts';
import type { Fingerprint, Neutral } from '../fingerprint/fingerprint.ts';
import { type Declared, defaultsOf, type ValuesOf } from '../option.ts';
import type { Evidence } from '../signal.ts';

/**
 * How far a detector is trusted. `stable`: may speak alone. `witness`: only confirms what a stable
 * detector saw a few steps before, and raises nothing by itself. `trial`: recorded separately, and
 * never above rung `note`.
 */
export type Status = 'stable' | 'witness' | 'trial';

/** Everything about a detector except its options. */
interface Watcher<State, Values extends object, Name extends string> {
  /** What the detector sees, in kebab-case; also its folder's name. */
  name: Name;
  /** How far it is trusted: `stable`, `witness` or `trial`. */
  status: Status;
  /** Variants that are trusted less than the detector as a whole. */
  variants?: Readonly<Record<string, 'witness' | 'trial'>>;
  /** The event types that the detector is shown. */
  watches: readonly EventType[];
  /**
   * Neutral steps neither count nor clear, so detectors are not shown them, except for these kinds.
   */
  alsoNeutral?: readonly Neutral[];
  /** The first and the highest rung of its ladder. */
  rungs: { first: Rung; highest: Rung };
  /**
   * Silent while a detector without this flag speaks: a safety net under the specific detectors.
   */
  yields?: boolean;
  /**
   * Its note is given outside the ladder: again when the count has doubled, or at every step if the
   * evidence insists.
   */
  everyTime?: boolean;
  /**
   * Variants that only advise on edits or on waiting longer. They may speak while every step makes
   * progress, and a run with only such signals is not a looping one.
   */
  advises?: readonly string[];
  /** The state before the first step. Plain JSON. */
  start(): State;
  /** Judges one step and changes `state` in place. Bounded work, never waits. */
  step(state: State, seen: Fingerprint, options: Values): Evidence | null;
  /**
   * Numbers about this step for programs, even without evidence. Reads only the state that `step`
   * left.
   */
  figures?(state: State, seen: Fingerprint): Readonly<Record<string, number>> | null;
  /** One sentence about what was seen, quoting only the evidence. */
  explain(evidence: Evidence): string;
  /**
   * Two or three concrete next moves for an agent in this pattern, best first. A function if they
   * depend on the evidence.
   */
  moves: readonly string[] | ((evidence: Evidence) => readonly string[]);
}

/**
 * Watches fingerprints, keeps a small bounded JSON state, and returns evidence when it sees its
 * pattern.
 */
export interface Detector<
  State = unknown,
  Values extends object = object,
  Name extends string = string,
> extends Watcher<State, Values, Name> {
  /** The effective values. */
  options: Values;
  /** What each option means and allows. The README gives the reason for each default. */
  declared: Declared;
}

/**
 * A detector as its author writes it: `options` declares each option with `option.integer`,
 * `number`, `share` or `flag`.
 */
export interface DetectorDefinition<State, Options extends Declared, Name extends string>
  extends Watcher<State, ValuesOf<Options>, Name> {
  /** Its options; `step` gets their values. */
  options: Options;
}

/** How far evidence of this variant is trusted. */
export const statusOf = (
  { status, variants }: Pick<Detector, 'status' | 'variants'>,
  variant: string,
): Status => variants?.[variant] ?? status;

/**
 * Keeps the types of name and options for everyone, and the type of the state only inside the
 * definition.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineDetector<const Name extends string, State, const Options extends Declared>(
  definition: DetectorDefinition<State, Options, Name>,
): Detector<unknown, ValuesOf<Options>, Name> {
  return {
    ...definition,
    options: defaultsOf(definition.options),
    declared: definition.options,
  } as Detector<unknown, ValuesOf<Options>, Name>;
}

/** The next moves that a detector suggests. */
export const movesAfter = (
  { moves }: Pick<Detector, 'moves'>,
  evidence: Evidence,
): readonly string[] => (typeof moves === 'function' ? moves(evidence) : moves);
