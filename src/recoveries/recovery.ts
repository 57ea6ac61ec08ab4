import type { Capability, Json, Rung } from '../event.ts';
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
  /** The proposed call that would be refused. */
  proposed: { key: string; label: string } | null;
}

export interface Tried {
  recovery: string;
  rung: Rung;
  step: number;
}

/** What a recovery would have an adapter do, as data. */
export type Action = { [name: string]: Json };

/** Named for what is done. Plans are data; adapters perform them. */
export interface Recovery<Options extends object = object> {
  name: string;
  rung: Rung;
  /** Detectors it answers: `*`, `detector` or `detector/variant`. The most specific recovery of a rung is used. */
  answers: readonly string[];
  /** What the host must be able to do beside the rung itself. */
  needs: readonly Capability[];
  /** `irreversible` ones are used only when allowed by name. */
  safety: 'advisory' | 'reversible' | 'irreversible';
  options: Options;
  /** Its plans carry ranked next actions after its text, where something failed. */
  ranks?: true;
  /** The action, or null when this recovery has nothing to offer here. */
  plan(situation: Situation, options: Options): Action | null;
  /** What the model reads: what was seen, what it means, what to do instead. */
  toModel(situation: Situation): string;
  /** One line for a person. */
  toHuman(situation: Situation): string;
}

/* @__NO_SIDE_EFFECTS__ */
export function defineRecovery<Options extends object>(recovery: Recovery<Options>): Recovery {
  return recovery as unknown as Recovery;
}
