import type { EventType, Rung } from '../event.ts';
import type { Fingerprint, Neutral } from '../fingerprint/fingerprint.ts';
import type { Evidence } from '../signal.ts';

/** Watches fingerprints, keeps a small bounded JSON state, and returns evidence when it sees its pattern. */
export interface Detector<State = unknown, Options extends object = object> {
  /** What is seen, in kebab-case; also the folder's name. */
  name: string;
  /** A `trial` detector reaches no rung above `note`; a `retired` one is in no preset. */
  status: 'trial' | 'stable' | 'retired';
  /** The types of event it is shown. */
  watches: readonly EventType[];
  /** Neutral steps neither count nor clear, so they are not shown, except of these kinds. */
  alsoNeutral?: readonly Neutral[];
  /** Where its ladder begins and ends. */
  rungs: { first: Rung; highest: Rung };
  /** A net under the others: silent while any detector without this speaks. */
  yields?: boolean;
  /** Its note is repeated with the new count on every further step, outside the ladder. */
  everyTime?: boolean;
  /** Variants that only advise in the midst of honest work, on edits or on waiting longer: they make no run a looping one. */
  advises?: readonly string[];
  /** Defaults; the README gives the reason for each number. */
  options: Options;
  /** The state before the first step. Plain JSON. */
  start(): State;
  /** Looks at one step; changes `state` in place; bounded work, never waits. */
  step(state: State, seen: Fingerprint, options: Options): Evidence | null;
  /** One sentence of what was seen, quoting only the evidence. */
  explain(evidence: Evidence): string;
  /** Two or three concrete next moves for an agent that is in this pattern. */
  moves: readonly string[];
}

/** Keeps a detector's state and options typed where it is written, and uniform where it is used. */
/* @__NO_SIDE_EFFECTS__ */
export function defineDetector<State, Options extends object>(detector: Detector<State, Options>): Detector {
  return detector as unknown as Detector;
}
