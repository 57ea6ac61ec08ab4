import { type Candidate, movesOf } from '../candidates/candidate.ts';
import type { Trouble } from '../candidates/candidates-for.ts';
import { type Detector, movesAfter } from '../detectors/detector.ts';
import { RUNGS, type Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Action, Recovery, Situation } from '../recoveries/recovery.ts';
import { toFault } from '../redact/to-fault.ts';
import type { Evidence, Fault, Signal } from '../signal.ts';
import { affords, type Budget, budgetLeft, spend, startBudget } from './budget.ts';
import { type LadderConfig, reach, recoveryFor } from './ladder.ts';
import type { Plan } from './plan.ts';
import { climb, endAll, fade, findStreak, openStreak, raise, type Streak } from './streak.ts';

export interface PolicyState {
  streaks: Streak[];
  budget: Budget;
  /** Numbers streaks and plans. */
  next: number;
}

export const startPolicy = (): PolicyState => ({ streaks: [], budget: startBudget(), next: 1 });

export interface PolicyConfig extends LadderConfig {
  attended: boolean;
  learned: Situation['learned'];
  detectors: ReadonlyMap<string, Detector>;
}

/** What a detector saw at this event. */
export interface Sighting {
  detector: Detector;
  evidence: Evidence;
}

export interface Decision {
  signals: Signal[];
  plan: Plan | null;
  faults: Fault[];
}

/** A plan that could be made now. */
interface Option {
  signal: Signal;
  streak: Streak;
  detector: Detector;
  recovery: Recovery;
  action: Action;
  toModel: string;
  toHuman: string;
  candidates: Candidate[];
  height: number;
  /** It was done before on this streak, which has come as far as it can. */
  isAgain?: true;
}

/** One event's decision in the making. */
interface Turn {
  state: PolicyState;
  seen: Fingerprint;
  config: PolicyConfig;
  rank: Ranker;
  faults: Fault[];
}

/** Ranked next actions for the trouble that a plan is about. */
export type Ranker = (trouble: Trouble) => Candidate[];

/** Places what was seen on the ladder, and makes at most one plan: the least force that has not been tried on this streak. */
export function decide(
  state: PolicyState,
  sightings: readonly Sighting[],
  seen: Fingerprint,
  config: PolicyConfig,
  rank: Ranker = () => [],
): Decision {
  const turn: Turn = { state, seen, config, rank, faults: [] };
  const placed = sightings.flatMap((sighting) => place(turn, sighting) ?? []);
  if (seen.progress) fade(state.streaks, seen.tick);
  const proposed = seen.type === 'call-proposed' || seen.type === 'action-proposed';
  const option = proposed ? due(turn) : mostUrgent(placed.flatMap((each) => nextOption(turn, each, null) ?? []));
  const plan = option && makePlan(turn, option);
  for (const { signal, streak, detector } of placed) {
    const { first } = reach(detector, signal.evidence, seen.gap, config.skip);
    signal.rung = RUNGS[detector.everyTime || streak.rung < 0 ? first : streak.rung]!;
  }
  return { signals: placed.map(({ signal }) => signal), plan, faults: turn.faults };
}

/** A signal and the streak that it belongs to. */
type Placed = Pick<Option, 'signal' | 'streak' | 'detector'>;

/** Words what a detector saw, and adds it to the streak that it shares something with, or to a new one. */
function place({ state, seen, config, faults }: Turn, { detector, evidence }: Sighting): Placed | null {
  const text = attempt(detector.name, faults, () => detector.explain(evidence));
  if (text === undefined) return null;
  const streak = findStreak(state.streaks, evidence) ?? openStreak(state.streaks, `s${state.next++}`);
  const { highest } = reach(detector, evidence, seen.gap, config.skip);
  raise(state.streaks, streak, { detector: detector.name, evidence, text }, seen.tick, highest === 0);
  return { streak, detector, signal: toSignal(detector, evidence, text, streak, seen.step) };
}

/** Within a streak the least force, among streaks the one that has come farthest; a note that is given every time yields to more. */
function mostUrgent(options: readonly Option[]): Option | null {
  const ofStreak = new Map<Streak, Option>();
  let repeated: Option | null = null;
  for (const option of options) {
    const other = ofStreak.get(option.streak);
    if (option.detector.everyTime) repeated ??= option;
    else if (!other || option.height < other.height) ofStreak.set(option.streak, option);
  }
  let best = repeated;
  for (const option of ofStreak.values()) if (!best || option.height > best.height) best = option;
  return best;
}

/** The next rung of this streak that the host, the detector and the budget allow, with something to do on it. */
function nextOption(turn: Turn, placed: Placed, proposed: Situation['proposed']): Option | null {
  const { seen, config } = turn;
  const { signal, streak, detector } = placed;
  const { first, highest } = reach(detector, signal.evidence, seen.gap, config.skip);
  // Within one step (a long message, a call already refused) or one response only twice the evidence is fresh evidence.
  const isFresh = streak.rose < seen.tick && (seen.batch === '' || streak.roseIn !== seen.batch);
  if (!detector.everyTime && !isFresh && signal.count < 2 * streak.countAtRise) return null;
  for (let height = detector.everyTime ? first : Math.max(first, streak.rung + 1); height <= highest; height++) {
    if (!isOpen(turn, placed, height)) continue;
    // Where calls are announced, a refusal waits for the next announcement.
    if (isPreventive(RUNGS[height]!) && seen.announced) return null;
    const option = optionAt(turn, placed, proposed, height);
    if (option) return option;
  }
  return null;
}

/** Whether the host has a recovery on this rung that the budget allows. */
function isOpen({ state, config }: Turn, { signal, streak, detector }: Placed, height: number): boolean {
  const rung = RUNGS[height]!;
  const recovery = recoveryFor(config, rung, detector.name, signal.variant);
  return recovery !== undefined && affords(state.budget, rung, recovery.name, streak.target ?? streak.id);
}

/** What the recovery of this rung would do; null when it has nothing to offer. */
function optionAt({ config, rank, faults }: Turn, placed: Placed, proposed: Situation['proposed'], height: number): Option | null {
  const { signal, streak, detector } = placed;
  const recovery = recoveryFor(config, RUNGS[height]!, detector.name, signal.variant);
  if (!recovery) return null;
  const { attended, learned } = config;
  return (
    attempt(recovery.name, faults, () => {
      const anyCall = detector.yields === true;
      const candidates = recovery.ranks ? rank({ keys: signal.evidence.keys, anyCall }) : [];
      const moves = movesOf(candidates, movesAfter(detector, signal.evidence), anyCall);
      const situation: Situation = { signal, moves, tried: [...streak.tried], attended, learned, proposed };
      const action = recovery.plan(situation, recovery.options);
      if (!action) return null;
      const [toModel, toHuman] = [recovery.toModel(situation), recovery.toHuman(situation)];
      return { ...placed, recovery, height, action, candidates, toModel, toHuman };
    }) ?? null
  );
}

/** Runs what a detector or recovery brings along; when that throws, it is a fault and gives nothing. */
function attempt<T>(where: string, faults: Fault[], what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    faults.push(toFault(where, error));
    return undefined;
  }
}

/** A refusal or substitute is made when the call is proposed again, if it is the next rung of a streak that is still going on. */
function due(turn: Turn): Option | null {
  const { state, seen, config } = turn;
  const { call } = seen;
  if (!call) return null;
  for (const streak of state.streaks) {
    if (streak.ended || streak.rung < 0 || !streak.keys.includes(call.key)) continue;
    const placed = streak.last.flatMap(({ detector: name, evidence, text }): Placed[] => {
      const detector = config.detectors.get(name);
      if (!detector || detector.everyTime) return [];
      return [{ streak, detector, signal: toSignal(detector, evidence, text, streak, seen.step) }];
    });
    const option = mostUrgent(placed.flatMap((each) => nextOption(turn, each, call) ?? []));
    if (option && isPreventive(RUNGS[option.height]!)) return option;
    const again = option ? undefined : placed.map((each) => refusalAgain(turn, each, call)).find((each) => each !== null);
    if (again) return again;
  }
  return null;
}

const BLOCK = RUNGS.indexOf('block');

/**
 * Where the host cannot stop the run, a streak that was refused once and has no rung left would run free. So it is refused each time it
 * is proposed, at no cost, until anything has changed.
 */
function refusalAgain(turn: Turn, placed: Placed, proposed: Situation['proposed']): Option | null {
  const { seen, config } = turn;
  const { signal, streak, detector } = placed;
  if (config.can.has('stop') || streak.progress > 0 || !streak.tried.some(({ rung }) => rung === 'block')) return null;
  const { highest } = reach(detector, signal.evidence, seen.gap, config.skip);
  for (let height = streak.rung + 1; height <= highest; height++) if (isOpen(turn, placed, height)) return null;
  const option = highest < BLOCK ? null : optionAt(turn, placed, proposed, BLOCK);
  return option && { ...option, isAgain: true };
}

const isPreventive = (rung: Rung): boolean => rung === 'block' || rung === 'substitute';

function toSignal(detector: Detector, evidence: Evidence, text: string, streak: Streak, step: number): Signal {
  const { variant, since, count, strength } = evidence;
  const rung = RUNGS[Math.max(0, streak.rung)]!;
  return { detector: detector.name, variant, step, since, count, strength, rung, streak: streak.id, evidence, text };
}

function makePlan({ state, seen }: Turn, option: Option): Plan {
  const { signal, streak, detector, recovery, action, candidates, toModel, toHuman, height } = option;
  const rung = RUNGS[height]!;
  if (!detector.everyTime && !option.isAgain) {
    spend(state.budget, rung, recovery.name, streak.target ?? streak.id);
    climb(
      streak,
      height,
      { recovery: recovery.name, rung, step: signal.step },
      { count: signal.count, batch: seen.batch, tick: seen.tick },
    );
  }
  return {
    id: `p${state.next++}`,
    recovery: recovery.name,
    rung,
    reason: `${signal.detector}/${signal.variant}`,
    toModel,
    toHuman,
    ...(Object.keys(action).length > 0 ? { action } : {}),
    ...(candidates.length > 0 ? { candidates } : {}),
    ...(signal.evidence.target === undefined ? {} : { target: signal.evidence.target }),
    budgetLeft: budgetLeft(state.budget),
    streak: streak.id,
  };
}

/** A real person spoke: streaks end, what they reached and what was spent stay. */
export const userSpoke = (state: PolicyState): void => endAll(state.streaks);
