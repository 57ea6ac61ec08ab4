import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';

/** The server's verdict. `seen` and `witnesses` are always empty, since they stay on the server. */
export interface ClientVerdict extends Verdict {
  /** The event is already known. Nothing was changed; this is the original verdict. */
  repeated?: boolean;
}

/** An empty verdict with a fault: the agent continues. */
export const noVerdict = (where: string, message: string): ClientVerdict => ({
  signals: [],
  witnesses: [],
  plan: null,
  shadow: null,
  outcomes: [],
  faults: [{ where, message }],
  step: 0,
  seen: null,
});

/** Parses a verdict; undefined if it is invalid. */
export function asVerdict(value: unknown): ClientVerdict | undefined {
  const given = value as Partial<ClientVerdict> | null;
  if (typeof given !== 'object' || given === null) return undefined;
  const { signals, plan = null, shadow = null, outcomes = [], faults = [], step = 0 } = given;
  if (
    ![signals, outcomes, faults].every(Array.isArray) ||
    typeof plan !== 'object' ||
    typeof shadow !== 'object'
  )
    return undefined;
  return {
    signals: signals!,
    witnesses: [],
    plan,
    shadow,
    outcomes,
    faults,
    step,
    seen: null,
    ...present({ figures: given.figures, budget: given.budget, price: given.price }),
    ...(given.repeated === true ? { repeated: true } : {}),
  };
}
