import type { Capability, Json, Rung } from '../event.ts';
import { type Declared, defaultsOf, type ValuesOf } from '../option.ts';
import type { Signal } from '../signal.ts';

/** What a recovery is told. */
export interface Situation {
  signal: Signal;
  /** Next moves that the detector knows for its pattern. */
  moves: readonly string[];
  /** Plans already made in this streak, oldest first. */
  tried: readonly Tried[];
  /** Somebody can be asked. */
  attended: boolean;
  /** Shares of success by failure class, tool family and recovery, where the host keeps them. */
  learned: Readonly<Record<string, number>>;
  /** The proposed call that would be refused, and how often in a row it has brought the same; or the action, and what the host would rather do. */
  proposed: { key: string; label: string; times: number; instead?: Action } | null;
  /** The run is about to be stopped and nobody is asked: the agent should report now, and call nothing. */
  isEnding: boolean;
}

export interface Tried {
  recovery: string;
  rung: Rung;
  step: number;
  /** A person has spoken since. */
  heard?: true;
}

/** What a recovery would have an adapter do, as data. */
export type Action = { [name: string]: Json };

/** What a recovery is, but for its options. */
interface Remedy<Values extends object, Name extends string> {
  name: Name;
  rung: Rung;
  /** Detectors it answers: `*`, `detector` or `detector/variant`. The most specific recovery of a rung is used. */
  answers: readonly string[];
  /** What the host must be able to do beside the rung itself. */
  needs: readonly Capability[];
  /** `irreversible` ones are used only when allowed by name. */
  safety: 'advisory' | 'reversible' | 'irreversible';
  /** Its plans carry ranked next actions after its text, where something failed. */
  ranks?: true;
  /** The action, or null when this recovery has nothing to offer here. */
  plan(situation: Situation, options: Values): Action | null;
  /** What the model reads: what was seen, what it means, what to do instead. */
  toModel(situation: Situation): string;
  /** One line for a person. */
  toHuman(situation: Situation): string;
}

/** Named for what is done. Plans are data; adapters perform them. */
export interface Recovery<Values extends object = object, Name extends string = string> extends Remedy<Values, Name> {
  /** The values in force. */
  options: Values;
  /** What each option is and may be; the README gives the reason for each default. */
  declared: Declared;
}

/** A recovery as its author writes it: `options` declares each option. */
export interface RecoveryDefinition<Options extends Declared, Name extends string> extends Remedy<ValuesOf<Options>, Name> {
  options: Options;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineRecovery<const Name extends string, const Options extends Declared>(
  definition: RecoveryDefinition<Options, Name>,
): Recovery<ValuesOf<Options>, Name> {
  return { ...definition, options: defaultsOf(definition.options), declared: definition.options };
}
