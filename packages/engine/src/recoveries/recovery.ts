import type { Capability, Json, Rung } from '../event.ts';
import { type Declared, defaultsOf, type ValuesOf } from '../option.ts';
import type { Signal } from '../signal.ts';

/** What a recovery knows when it makes a plan. */
export interface Situation {
  /** What the detector saw: `signal.text` is its sentence, `signal.evidence.facts` are its facts. */
  signal: Signal;
  /** Next moves that the detector suggests for its pattern. */
  moves: readonly string[];
  /** Plans already made in this streak, oldest first. */
  tried: readonly Tried[];
  /** Whether there is somebody to ask. */
  attended: boolean;
  /** Success rates by failure class, tool family and recovery, if the host keeps them. */
  learned: Readonly<Record<string, number>>;
  /**
   * The proposed call that would be refused, and how many times in a row it returned the same; or
   * the proposed action, and what the host prefers.
   */
  proposed: { key: string; label: string; times: number; instead?: Action } | null;
  /**
   * The run is about to be stopped and nobody can be asked: the agent should report now and make no
   * more calls.
   */
  isEnding: boolean;
  /** The plan is made because of what the loop has cost, not because it is certain. */
  byPrice?: boolean;
}

/** A plan that was made before in the same streak. */
export interface Tried {
  recovery: string;
  rung: Rung;
  step: number;
  /** A person has spoken since. */
  heard?: true;
}

/** What an adapter should do, as data. */
export type Action = { [name: string]: Json };

/** Everything about a recovery except its options. */
interface Remedy<Values extends object, Name extends string> {
  /** What it does, in kebab-case. */
  name: Name;
  /** How much force it uses. */
  rung: Rung;
  /**
   * Detectors that it answers: `*`, `detector` or `detector/variant`. On each rung, the most
   * specific recovery is used.
   */
  answers: readonly string[];
  /** What the host must be able to do besides the rung itself. */
  needs: readonly Capability[];
  /** `irreversible` recoveries are used only if allowed by name. */
  safety: 'advisory' | 'reversible' | 'irreversible';
  /** Its plans carry ranked next actions if something failed. */
  ranks?: true;
  /** The action, or null if this recovery has nothing to offer here. */
  plan(situation: Situation, options: Values): Action | null;
  /** What the model reads: what was seen, what it means, what to do instead. */
  toModel(situation: Situation): string;
  /** One line for a person. */
  toHuman(situation: Situation): string;
}

/** A recovery is named for what it does. Its plans are data; adapters perform them. */
export interface Recovery<Values extends object = object, Name extends string = string>
  extends Remedy<Values, Name> {
  /** The effective values. */
  options: Values;
  /** What each option means and allows. The README gives the reason for each default. */
  declared: Declared;
}

/** A recovery as its author writes it: `options` declares each option. */
export interface RecoveryDefinition<Options extends Declared, Name extends string>
  extends Remedy<ValuesOf<Options>, Name> {
  /** Its options; `plan` gets their values. */
  options: Options;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineRecovery<const Name extends string, const Options extends Declared>(
  definition: RecoveryDefinition<Options, Name>,
): Recovery<ValuesOf<Options>, Name> {
  return { ...definition, options: defaultsOf(definition.options), declared: definition.options };
}
