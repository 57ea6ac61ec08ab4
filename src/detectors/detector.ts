import type { EventType, Rung } from '../event.ts';
import type { Fingerprint, Neutral } from '../fingerprint/fingerprint.ts';
import { type Declared, defaultsOf, type ValuesOf } from '../option.ts';
import type { Evidence } from '../signal.ts';

/**
 * How far a detector is trusted: `stable` may speak alone; a `witness` only confirms what a stable one saw a few steps before, and raises
 * nothing by itself; one on `trial` is recorded apart and reaches no rung above `note`; a `retired` one is in no preset.
 */
export type Status = 'stable' | 'witness' | 'trial' | 'retired';

/** What a detector is, but for its options. */
interface Watcher<State, Values extends object, Name extends string> {
  /** What is seen, in kebab-case; also the folder's name. */
  name: Name;
  status: Status;
  /** Variants that are trusted less than the rest. */
  variants?: Readonly<Record<string, 'witness' | 'trial'>>;
  /** The types of event it is shown. */
  watches: readonly EventType[];
  /** Neutral steps neither count nor clear, so they are not shown, except of these kinds. */
  alsoNeutral?: readonly Neutral[];
  /** Where its ladder begins and ends. */
  rungs: { first: Rung; highest: Rung };
  /** A net under the others: silent while any detector without this speaks. */
  yields?: boolean;
  /** Its note is given outside the ladder: again when the count has doubled, or at every step where the evidence insists. */
  everyTime?: boolean;
  /** Variants that only advise, on edits or on waiting longer: they may speak while every step makes progress, and make no run a looping one. */
  advises?: readonly string[];
  /** The state before the first step. Plain JSON. */
  start(): State;
  /** Looks at one step; changes `state` in place; bounded work, never waits. */
  step(state: State, seen: Fingerprint, options: Values): Evidence | null;
  /** Figures about this step for programs, also where there is no evidence. Looks only at what `step` left. */
  figures?(state: State, seen: Fingerprint): Readonly<Record<string, number>> | null;
  /** One sentence of what was seen, quoting only the evidence. */
  explain(evidence: Evidence): string;
  /** Two or three concrete next moves for an agent that is in this pattern, best first; by what was seen, where that matters. */
  moves: readonly string[] | ((evidence: Evidence) => readonly string[]);
}

/** Watches fingerprints, keeps a small bounded JSON state, and returns evidence when it sees its pattern. */
export interface Detector<State = unknown, Values extends object = object, Name extends string = string>
  extends Watcher<State, Values, Name> {
  /** The values in force. */
  options: Values;
  /** What each option is and may be; the README gives the reason for each default. */
  declared: Declared;
}

/** A detector as its author writes it: `options` declares each with `option.integer`, `number`, `share` or `flag`. */
export interface DetectorDefinition<State, Options extends Declared, Name extends string> extends Watcher<State, ValuesOf<Options>, Name> {
  options: Options;
}

/** How far evidence of this variant is trusted. */
export const statusOf = ({ status, variants }: Pick<Detector, 'status' | 'variants'>, variant: string): Status =>
  variants?.[variant] ?? status;

/** Keeps name and options typed everywhere, and the state only where it is written. */
/* @__NO_SIDE_EFFECTS__ */
export function defineDetector<const Name extends string, State, const Options extends Declared>(
  definition: DetectorDefinition<State, Options, Name>,
): Detector<unknown, ValuesOf<Options>, Name> {
  return { ...definition, options: defaultsOf(definition.options), declared: definition.options } as Detector<
    unknown,
    ValuesOf<Options>,
    Name
  >;
}

/** What a detector would have the agent do next. */
export const movesAfter = ({ moves }: Pick<Detector, 'moves'>, evidence: Evidence): readonly string[] =>
  typeof moves === 'function' ? moves(evidence) : moves;
