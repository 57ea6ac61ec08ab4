import { type Json, RUNGS } from '@unrut/engine/event';
import type { Plan } from '@unrut/engine/policy/plan';
import {
  decide,
  escalateTask,
  forceNext,
  type PolicyConfig,
  type PolicyState,
  startPolicy,
  type TaskLoopType,
  taskLoop,
  unblockAuthority,
} from '@unrut/engine/task-parts';

/** A loop of a task, as the policy is asked about it. */
export interface TaskTrouble {
  loopType: TaskLoopType;
  count: number;
  /** Names what repeats: the same blockers climb the same ladder. */
  key: string;
  /** Counts the plans and attempts of a task, so that evidence is known to be fresh. */
  tick: number;
  at: number;
  facts: { [name: string]: Json };
}

const ALL = [forceNext, unblockAuthority, escalateTask];
const CONFIG: PolicyConfig = {
  recoveries: ALL,
  can: new Set(['redirect', 'escalate'] as const),
  skip: new Set(),
  allow: new Set(),
  attended: true,
  partial: false,
  learned: {},
  detectors: new Map([[taskLoop.name, taskLoop]]),
};

/**
 * What to do about a task that loops: the next rung that was not tried on it. Null when nothing is
 * left. Changes the state it is given.
 */
export function planFor(
  state: PolicyState,
  { loopType, count, key, tick, at, facts }: TaskTrouble,
  without: readonly string[] = [],
): Plan | null {
  const evidence = {
    variant: loopType,
    count,
    since: 0,
    keys: [key],
    strength: 0.85,
    equal: true,
    facts,
  };
  const type = 'task-attempted' as const;
  const seen = {
    type,
    step: tick,
    tick,
    at,
    gap: 0,
    silence: 0,
    speaker: '',
    batch: '',
    announced: false,
    neutral: null,
    progress: null,
  };
  const recoveries = ALL.filter(({ name }) => !without.includes(name));
  return decide(state, [{ detector: taskLoop, evidence }], seen, { ...CONFIG, recoveries }).plan;
}

/**
 * The policy's state of a task that was taken up again: what authority was granted over stays
 * granted, all else may be tried again.
 */
export function reopened(state: PolicyState | undefined): PolicyState {
  const granted =
    state?.streaks.filter(({ tried }) =>
      tried.some(({ recovery }) => recovery === unblockAuthority.name),
    ) ?? [];
  const tried = granted.map((streak) => ({
    ...streak,
    tried: streak.tried.filter(({ rung }) => rung === 'redirect'),
  }));
  return {
    ...startPolicy(),
    ...state,
    streaks: tried.map((streak) => ({ ...streak, rung: REDIRECT })),
  };
}

const REDIRECT = RUNGS.indexOf('redirect');
