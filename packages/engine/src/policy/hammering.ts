import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { hash32 } from '../hash.ts';
import { type Recent, recall, remember } from '../recent.ts';
import { sentence, WE } from '../recoveries/wording.ts';
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
  /** Responses with a call that was held back since one got through, and the last of them. */
  held?: number;
  heldIn?: number;
}

/** By tool. */
export type Hammering = Recent<Away>;

/** So many calls, all turned away within so many milliseconds, cannot be meant to succeed. */
const CALLS = 10;
const WITHIN = 30_000;
const FIRST_WAIT = 5;
const MAX_WAIT = 60;
/**
 * A server may name any time; a longer one than this, in seconds, is no reason to hold a call back.
 */
const MAX_NAMED = 600;
const MAX_TOOLS = 4;
/** Waits in a row that became longer: the agent backs off. */
const BACKS_OFF = 3;
/** A hold that is ignored brings nothing: so many are asked about, twice as many end the run. */
const ASK_AT = 30;

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

/** Calls that would be hammering if they continued like the last three, with no longer waits. */
export function isHammered(hammering: Hammering, { call, turnedAway, at }: Fingerprint): boolean {
  const last = call && turnedAway ? recall(hammering, call.tool)?.at.slice(-FIRST_FEW) : undefined;
  return (
    last?.length === FIRST_FEW &&
    (at - last[0]!) * (CALLS - 1) <= WITHIN * (FIRST_FEW - 1) &&
    !backsOff(last)
  );
}
const FIRST_FEW = 3;

/** What is said of a call that is held back. */
type Words = Pick<Plan, 'recovery' | 'rung' | 'toModel' | 'toHuman' | 'action' | 'byPrice'>;

/**
 * Holds back a proposed call of a tool that is hammered, with the time to wait; otherwise null.
 * Once many holds were ignored, a person is asked, or a run without one is stopped.
 */
export function holdBack(
  state: { hammering: Hammering; budget: Budget; next: number },
  { call, at, batch }: Fingerprint,
  config: LadderConfig & { attended: boolean; partial: boolean },
): Plan | null {
  if (!call || !may(config, 'block')) return null;
  const away = recall(state.hammering, call.tool);
  if (!away || at >= away.until || isForgiven(config.forgiven, call.tool)) return null;
  const isCounted = countHold(away, batch);
  const times = away.at.length;
  const took = Math.max(1, Math.round((away.at.at(-1)! - away.at[0]!) / 1000));
  const what = `the last ${times} calls of \`${call.tool}\` within ${took} seconds were turned away (${away.error})`;
  const words =
    (isCounted ? ignoredWords(what, away.held!, config) : null) ??
    heldWords(what, call.label, Math.max(1, Math.ceil((away.until - at) / 1000)));
  return {
    id: `p${state.next++}`,
    reason: 'hammering/turned-away',
    ...words,
    budgetLeft: budgetLeft(state.budget),
    streak: '',
  };
}

const may = ({ can, skip }: LadderConfig, rung: Rung): boolean => can.has(rung) && !skip.has(rung);

/**
 * Counts a hold. Calls of one response were made before anything was held back, so they are one.
 */
function countHold(away: Away, batch: string): boolean {
  const response = batch === '' ? undefined : hash32(batch);
  if (response !== undefined && response === away.heldIn) return false;
  away.held = (away.held ?? 0) + 1;
  if (response !== undefined) away.heldIn = response;
  return true;
}

/** What is due once so many holds were ignored, or null. */
function ignoredWords(
  what: string,
  held: number,
  config: LadderConfig & { attended: boolean; partial: boolean },
): Words | null {
  const { attended, partial } = config;
  const ignored = `${what}, and ${held} calls were held back since`;
  if (!attended && !partial && held >= 2 * ASK_AT && may(config, 'stop'))
    return {
      recovery: 'hold-back',
      rung: 'stop',
      byPrice: true,
      toModel: `${WE} stopped the run: ${ignored}.`,
      toHuman: `Unrut stopped the run: ${ignored}. To go on, wait until the server takes calls again.`,
      action: { stop: { code: 'loop', detector: 'hammering', count: held }, resumable: true },
    };
  // 30, 60, 120 …
  const isAskDue = held >= ASK_AT && Number.isInteger(Math.log2(held / ASK_AT));
  if (!isAskDue || !may(config, 'escalate')) return null;
  const report = 'Finish with a report of what you have, what is missing and what the server said.';
  return {
    recovery: 'hold-back',
    rung: 'escalate',
    byPrice: true,
    toModel: `${WE}: ${ignored}. ${attended ? 'The user was asked to look at it. ' : ''}Make no more of these calls. ${report}`,
    toHuman: `Unrut: ${ignored}. The agent does not wait. Please tell it what to do instead, or stop it.`,
    action: { ask: attended, report: sentence(`${ignored}.`) },
  };
}

const heldWords = (what: string, label: string, seconds: number): Words => ({
  recovery: 'hold-back',
  rung: 'block',
  toModel: `${WE} did not run \`${label}\`: ${what}. Wait ${seconds} seconds before you try again, and longer after each failure; do something else meanwhile.`,
  toHuman: `Unrut held back \`${label}\` for ${seconds} seconds: ${what}.`,
  action: { waitSeconds: seconds },
});

/** A person spoke: what was ignored before does not count. */
export function forgetHolds(hammering: Hammering): void {
  for (const [, away] of hammering) away.held = 0;
}

const isForgiven = (forgiven: readonly Forgiven[] | undefined, tool: string): boolean =>
  forgiven?.some((each) => each.tool === tool && each.keys === undefined) === true;
