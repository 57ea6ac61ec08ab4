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

/** A task loop, as passed to the policy. */
export interface TaskTrouble {
  loopType: TaskLoopType;
  count: number;
  /** Identifies what repeats. The same blockers share one ladder. */
  key: string;
  /** Counts plans and attempts of a task, so that new evidence can be distinguished from old. */
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
 * The next rung that was not tried on a looping task; null if none is left. Changes the given
 * state.
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
 * The policy state of a reopened task: granted authority stays granted, everything else can be
 * tried again.
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
