import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { WE } from '../recoveries/wording.ts';
import { type Budget, budgetLeft } from './budget.ts';
import type { Forgiven } from './forgiven.ts';
import type { LadderConfig } from './ladder.ts';
import type { Plan } from './plan.ts';

/** Calls of one tool that a server turned away. */
interface Away {
  /** When, at most the last ten. */
  at: number[];
  error: string;
  /** No call before this time, in epoch milliseconds; 0 if calls may be made. */
  until: number;
  seconds: number;
  /** How many times a wait was demanded. */
  waits: number;
}

/** By tool. */
export type Hammering = Recent<Away>;

/** So many calls, all turned away within so many milliseconds, cannot be meant to succeed. */
const CALLS = 10;
const WITHIN = 30_000;
const FIRST_WAIT = 5;
const MAX_WAIT = 60;
/** A server may name any time; a longer one than this, in seconds, is no reason to hold a call back. */
const MAX_NAMED = 600;
const MAX_TOOLS = 4;
/** Waits in a row that became longer: the agent backs off. */
const BACKS_OFF = 3;

/** Counts calls that a server turned away. A call that gets through ends the count. */
export function noteAway(hammering: Hammering, seen: Fingerprint): void {
  const { call, result, turnedAway, at, neutral } = seen;
  if (!call || !result || neutral === 'own') return;
  const known = recall(hammering, call.tool);
  if (!turnedAway) {
    if (known && !result.error) hammering.pop();
    return;
  }
  const away = known ?? { at: [], error: '', until: 0, seconds: 0, waits: 0 };
  away.at = [...away.at, at].slice(-CALLS);
  away.error = result.error!.label;
  const isHammered = away.at.length === CALLS && at - away.at[0]! <= WITHIN && !backsOff(away.at);
  if (isHammered) {
    away.seconds =
      turnedAway.seconds !== null && turnedAway.seconds > 0
        ? Math.min(MAX_NAMED, Math.ceil(turnedAway.seconds))
        : Math.min(MAX_WAIT, FIRST_WAIT * 2 ** Math.min(away.waits, 8));
    away.until = at + away.seconds * 1000;
    away.waits++;
  }
  remember(hammering, call.tool, away, MAX_TOOLS);
}

function backsOff(times: readonly number[]): boolean {
  const waits = times.slice(1).map((at, i) => at - times[i]!);
  return waits.slice(-BACKS_OFF).every((wait, i, last) => i === 0 || wait > last[i - 1]! * 1.02);
}

/** Calls that would be hammering if they went on like the last three, with no longer waits. */
export function isHammered(hammering: Hammering, { call, turnedAway, at }: Fingerprint): boolean {
  const last = call && turnedAway ? recall(hammering, call.tool)?.at.slice(-FIRST_FEW) : undefined;
  return (
    last?.length === FIRST_FEW &&
    (at - last[0]!) * (CALLS - 1) <= WITHIN * (FIRST_FEW - 1) &&
    !backsOff(last)
  );
}
const FIRST_FEW = 3;

/** Holds back a proposed call of a tool that is hammered, with the time to wait; otherwise null. */
export function holdBack(
  state: { hammering: Hammering; budget: Budget; next: number },
  { call, at }: Fingerprint,
  { can, skip, forgiven }: LadderConfig,
): Plan | null {
  if (!call || !can.has('block') || skip.has('block')) return null;
  const away = recall(state.hammering, call.tool);
  if (!away || at >= away.until || isForgiven(forgiven, call.tool)) return null;
  const seconds = Math.max(1, Math.ceil((away.until - at) / 1000));
  const times = away.at.length;
  const took = Math.max(1, Math.round((away.at.at(-1)! - away.at[0]!) / 1000));
  const what = `the last ${times} calls of \`${call.tool}\` within ${took} seconds were turned away (${away.error})`;
  return {
    id: `p${state.next++}`,
    recovery: 'hold-back',
    rung: 'block',
    reason: 'hammering/turned-away',
    toModel: `${WE} did not run \`${call.label}\`: ${what}. Wait ${seconds} seconds before you try again, and longer after each failure; do something else meanwhile.`,
    toHuman: `Unrut held back \`${call.label}\` for ${seconds} seconds: ${what}.`,
    action: { waitSeconds: seconds },
    budgetLeft: budgetLeft(state.budget),
    streak: '',
  };
}

const isForgiven = (forgiven: readonly Forgiven[] | undefined, tool: string): boolean =>
  forgiven?.some((each) => each.tool === tool && each.keys === undefined) === true;
