import type { Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Plan } from '../policy/plan.ts';
import { push, type Recent, recall, remember } from '../recent.ts';
import type { Signal } from '../signal.ts';

/** What became of a plan. */
export interface Outcome {
  plan: string;
  recovery: string;
  /** The rung that was really performed. */
  rung: Rung;
  /** The signal that the plan answered. */
  reason: string;
  streak: string;
  /**
   * `recovered`: what failed succeeded later, or the agent moved on with progress. `persisted`: the same streak went on.
   * `relapsed`: it came back after a recovery. `unknown`: neither was seen.
   */
  outcome: 'recovered' | 'persisted' | 'relapsed' | 'unknown';
  /** Steps between the plan and the verdict on it. */
  after: number;
}

interface Watch {
  plan: string;
  recovery: string;
  rung: Rung;
  reason: string;
  streak: string;
  step: number;
  keys: string[];
  /** The repeated call was failing. */
  failing: boolean;
  progress: number;
  /** Steps with progress that were more than a look. */
  moved: number;
}

export interface OutcomeState {
  watched: Watch[];
  /** The last plan that recovered, by streak. */
  recovered: Recent<Watch>;
}

export const startOutcomes = (): OutcomeState => ({ watched: [], recovered: [] });

/** How many steps a plan is watched. */
const WINDOW = 5;
/** This many steps with progress are moving on, even when they only looked. */
const LOOKS_THAT_COUNT = 3;
const MOST = 8;

/** Follows the plans in force by one more event; returns those whose outcome is known now. */
export function follow(state: OutcomeState, seen: Fingerprint, signals: readonly Signal[], isStep: boolean, ended: boolean): Outcome[] {
  const outcomes: Outcome[] = [];
  const raised = new Set(signals.map((signal) => signal.streak));
  for (const streak of raised) {
    const relapsed = recall(state.recovered, streak);
    if (!relapsed) continue;
    state.recovered.pop();
    outcomes.push(verdictOn(relapsed, 'relapsed', seen.step));
  }
  state.watched = state.watched.filter((watch) => {
    const outcome = judge(watch, seen, raised, isStep, ended);
    if (!outcome) return true;
    outcomes.push(verdictOn(watch, outcome, seen.step));
    if (outcome === 'recovered') remember(state.recovered, watch.streak, watch, MOST);
    return false;
  });
  return outcomes;
}

function judge(watch: Watch, seen: Fingerprint, raised: ReadonlySet<string>, isStep: boolean, ended: boolean): Outcome['outcome'] | null {
  if (raised.has(watch.streak) && seen.step > watch.step) return 'persisted';
  if (isStep && seen.neutral !== 'own' && seen.step > watch.step) {
    const { call, result, progress } = seen;
    if (watch.failing && call && result && !result.error && watch.keys.includes(call.key)) return 'recovered';
    if (progress) {
      watch.progress++;
      if (call?.verb !== 'read') watch.moved++;
    }
  }
  if (!ended && seen.step - watch.step < WINDOW) return null;
  return watch.moved > 0 || watch.progress >= LOOKS_THAT_COUNT ? 'recovered' : 'unknown';
}

const verdictOn = (watch: Watch, outcome: Outcome['outcome'], step: number): Outcome => ({
  plan: watch.plan,
  recovery: watch.recovery,
  rung: watch.rung,
  reason: watch.reason,
  streak: watch.streak,
  outcome,
  after: step - watch.step,
});

/** Watches a plan from now on. */
export function watch(state: OutcomeState, plan: Plan, signal: Signal | undefined, seen: Fingerprint): void {
  const { id, recovery, rung, reason, streak } = plan;
  push(
    state.watched,
    {
      plan: id,
      recovery,
      rung,
      reason,
      streak,
      step: seen.step,
      keys: signal?.evidence.keys ?? [],
      failing: Boolean(seen.result?.error),
      progress: 0,
      moved: 0,
    },
    MOST,
  );
}

/** The adapter could only do less, or nothing. */
export function performed(state: OutcomeState, plan: string, rung: Rung): void {
  for (const watched of state.watched) if (watched.plan === plan) watched.rung = rung;
}
