import type { Verdict } from '@unrut/engine/guard';
import { present } from '@unrut/engine/json';

/** What the server thinks of an event. `seen` and `witnesses` are always empty: they stay there. */
export interface ClientVerdict extends Verdict {
  /** The event was there before. Nothing was changed, and this is what was said then. */
  repeated?: boolean;
}

/** Nothing to say, for a reason: the agent continues. */
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

/** A verdict as it came over the wire, or nothing when it is none. */
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
