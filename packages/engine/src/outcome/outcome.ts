import type { RecentCall } from '../candidates/memory.ts';
import type { Trail } from '../candidates/rank.ts';
import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Plan } from '../policy/plan.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import type { Signal } from '../signal.ts';
import { closedOffer, followOffer, type Offer, type OpenOffer, openOffer } from './offer.ts';
import { FAILED_AGAIN } from './reward.ts';

/** The outcome of a plan. */
export interface Outcome {
  plan: string;
  recovery: string;
  /** The rung that was actually performed. */
  rung: Rung;
  /** The signal that the plan answered. */
  reason: string;
  streak: string;
  /**
   * `recovered`: the failing call succeeded later, or the agent moved on with progress.
   * `persisted`: the same streak continued. `relapsed`: it came back after a recovery. `unknown`:
   * none of these was seen.
   */
  outcome: 'recovered' | 'persisted' | 'relapsed' | 'unknown';
  /** Steps and thoughts between the plan and its outcome. */
  after: number;
  /** The host could not perform the plan, so what followed is not its effect. */
  failed?: true;
  /** What was offered after a failure, if anything, and what the agent did with it. */
  offer?: Offer;
}

interface Watch {
  plan: string;
  recovery: string;
  rung: Rung;
  reason: string;
  streak: string;
  tick: number;
  keys: string[];
  /** The repeated call was failing. */
  failing: boolean;
  failed?: true;
  /** Steps since the plan, except messages. */
  deeds: number;
  progress: number;
  /** Steps with progress that did more than look. */
  moved: number;
  offer?: OpenOffer;
}

export interface OutcomeState {
  watched: Watch[];
  /** The last plan that recovered, by streak. */
  recovered: Recent<Watch>;
  /** Offers that the agent has followed, and their outcomes. */
  trails: Trail[];
}

export const startOutcomes = (): OutcomeState => ({ watched: [], recovered: [], trails: [] });

/**
 * A plan is watched for this many actions of the agent, and for at most `LONGEST` steps: talk alone
 * shows nothing.
 */
const WINDOW = 5;
const LONGEST = 20;
/** This many steps with progress count as moving on, even if they only looked. */
const LOOKS_THAT_COUNT = 3;
const MAX = 8;
const MAX_TRAILS = 12;
/** The reward of an offer whose streak came back after it seemed to have ended. */
const RELAPSED = -0.5;

/** One more event, and what was concluded from it. */
export interface OutcomeStep {
  seen: Fingerprint;
  signals: readonly Signal[];
  /** What is kept of the call that has finished, if the event is one. */
  call: RecentCall | undefined;
  isStep: boolean;
  ended: boolean;
  /** It says that all was done. */
  endedWell?: boolean;
}

/** Updates the watched plans with one more event. Returns those whose outcome is now known. */
export function followPlans(state: OutcomeState, step: OutcomeStep): Outcome[] {
  const { seen, signals, call } = step;
  const outcomes: Outcome[] = [];
  const raised = new Set(signals.map((signal) => signal.streak));
  for (const streak of raised) {
    const relapsed = recall(state.recovered, streak);
    if (!relapsed) continue;
    state.recovered.pop();
    if (relapsed.offer) relapsed.offer.reward = RELAPSED;
    outcomes.push(verdictOn(state, relapsed, 'relapsed', seen.tick));
  }
  state.watched = state.watched.filter((watch) => {
    if (watch.offer && call && seen.tick > watch.tick) followOffer(watch.offer, call, seen);
    const outcome = judge(watch, step, raised);
    if (!outcome) return true;
    outcomes.push(verdictOn(state, watch, outcome, seen.tick));
    if (outcome === 'recovered') remember(state.recovered, watch.streak, watch, MAX);
    return false;
  });
  // Leaves room for the plan that this event may lead to.
  for (const watch of state.watched.splice(0, state.watched.length + 1 - MAX))
    outcomes.push(verdictOn(state, watch, 'unknown', seen.tick));
  return outcomes;
}

function judge(
  watch: Watch,
  { seen, call: noted, isStep, ended, endedWell }: OutcomeStep,
  raised: ReadonlySet<string>,
): Outcome['outcome'] | null {
  const isLater = seen.tick > watch.tick;
  if (isLater && raised.has(watch.streak)) return 'persisted';
  const ofOffer = isLater && noted ? judgeOffer(watch, noted) : null;
  if (ofOffer) return ofOffer;
  if (isStep && isAfter(watch, seen.tick)) {
    const passed = noteStep(watch, seen);
    if (passed) return 'recovered';
  }
  if (!ended && watch.deeds < WINDOW && seen.tick - watch.tick < LONGEST) return null;
  // Whoever was warned, did not repeat it and ended well got out.
  if (endedWell) return 'recovered';
  return watch.moved > 0 || watch.progress >= LOOKS_THAT_COUNT ? 'recovered' : 'unknown';
}

/** A substitute runs at the same tick, so it is the first step that its plan is judged by. */
const isAfter = (watch: Watch, tick: number): boolean =>
  tick > watch.tick || (watch.rung === 'substitute' && tick === watch.tick);

/** Counts a step after the plan. True if the call that the plan was about has passed. */
function noteStep(watch: Watch, seen: Fingerprint): boolean {
  if (!seen.text || seen.call) watch.deeds++;
  if (seen.neutral === 'own') return false;
  if (runsAgain(watch, seen)) return true;
  noteProgress(watch, seen);
  return false;
}

/** An offer without a loop is judged by the next call: it passed, or failed as before. */
function judgeOffer(
  { streak, offer }: Watch,
  { failure, target }: RecentCall,
): Outcome['outcome'] | null {
  if (streak !== '' || !offer) return null;
  if (offer.hasPassed) return 'recovered';
  return failure === offer.failure && target === offer.target ? 'persisted' : null;
}

/** The call that failed has passed; or, after a block, it ran again and returned something new. */
function runsAgain({ rung, failing, keys }: Watch, { call, result }: Fingerprint): boolean {
  if (!call || !result || result.error || !keys.includes(call.key)) return false;
  return failing || (rung === 'block' && result.known && result.sameInARow === 1);
}

function noteProgress(watch: Watch, { progress, call }: Fingerprint): void {
  if (!progress) return;
  watch.progress++;
  if (call?.verb !== 'read') watch.moved++;
}

function verdictOn(
  state: OutcomeState,
  watch: Watch,
  outcome: Outcome['outcome'],
  tick: number,
): Outcome {
  const { plan, recovery, rung, reason, streak, failed } = watch;
  const offer = watch.offer && closedOffer(watch.offer, outcome === 'recovered');
  if (offer?.followed && !failed) {
    const { failure, target, followed, reward } = offer;
    push(state.trails, { failure, target, followed, reward }, MAX_TRAILS);
  }
  const after = tick - watch.tick;
  // A plan that was not performed cannot have helped.
  const known = failed && outcome === 'recovered' ? 'unknown' : outcome;
  return {
    plan,
    recovery,
    rung,
    reason,
    streak,
    outcome: known,
    after,
    ...(failed ? { failed } : {}),
    ...(offer && !failed ? { offer } : {}),
  };
}

/**
 * What this session has learned from its offers, including those that this call shows to have
 * failed.
 */
export function trailsAt({ trails, watched }: OutcomeState, call: RecentCall | undefined): Trail[] {
  if (!call) return trails;
  const inVain = watched.flatMap(({ offer }) =>
    offer && offer.failure === call.failure && offer.target === call.target
      ? [{ ...offer, reward: FAILED_AGAIN }]
      : [],
  );
  return [...trails, ...inVain];
}

/** What a plan is about. */
export interface About {
  seen: Fingerprint;
  /** The fingerprints that repeat. */
  keys: string[];
  /** The call that its candidates are for. */
  failed: RecentCall | undefined;
}

/** Starts to watch a plan. */
export function startWatching(
  state: OutcomeState,
  plan: Plan,
  { seen, keys, failed }: About,
): void {
  const { id, recovery, rung, reason, streak, candidates } = plan;
  push(
    state.watched,
    {
      plan: id,
      recovery,
      rung,
      reason,
      streak,
      tick: seen.tick,
      keys,
      failing: Boolean(seen.result?.error),
      deeds: 0,
      progress: 0,
      moved: 0,
      ...(candidates && failed ? { offer: openOffer(candidates, failed) } : {}),
    },
    MAX,
  );
}

/** The adapter reports that it could do only less, or nothing. */
export function performed(state: OutcomeState, plan: string, rung: Rung, failed = false): void {
  for (const watched of state.watched)
    if (watched.plan === plan) Object.assign(watched, { rung, ...(failed ? { failed } : {}) });
}
