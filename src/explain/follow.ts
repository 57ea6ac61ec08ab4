import { isAdvice } from '../detectors/index.ts';
import type { AgentEvent } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { createGuard, type Guard, type Verdict } from '../guard.ts';
import { whatHappened } from '../report/step-text.ts';
import type { PlanAt, Trajectory } from '../scan/report.ts';
import { createRunScan } from '../scan/run-scan.ts';
import type { Signal } from '../signal.ts';
import { presetIn, type Run } from './read-run.ts';

/** A step of the run: the event that shows it best, and how it looked. */
export interface Step {
  step: number;
  event: AgentEvent;
  seen: Fingerprint;
  /** The reasoning that led to it. */
  thought?: Step;
}

/** A signal at a step of the source; `since` is the source's too. */
export interface Raised {
  step: number;
  since: number;
  signal: Signal;
  /** It was raised by reasoning, not by what was said or done. */
  byThought: boolean;
  /** No more than advice. */
  light: boolean;
}

/** A run as the guard saw it. */
export interface Followed {
  run: Run;
  /** Loops and counts, as a scan reports them. */
  trajectory: Trajectory;
  /** In order; a step that shows nothing is missing. */
  steps: Step[];
  signals: Raised[];
  plans: PlanAt[];
}

/** Plays a run through the guard as a scan does, and keeps what each step looked like. */
export function follow(run: Run, detectors?: readonly string[]): Followed {
  const guard = createGuard({ preset: presetIn(run) });
  const steps = new Map<number, Step>();
  const signals: Raised[] = [];
  const plans: PlanAt[] = [];
  const numbers = createNumbers();
  let verdict: Verdict;
  const listening: Guard = {
    ...guard,
    observe(event) {
      verdict = guard.observe(event);
      return verdict;
    },
  };
  const scan = createRunScan(listening, detectors ? { detectors } : {});
  for (const imported of run.events) {
    scan.see(imported);
    const { step, event } = imported;
    numbers.set(verdict!.step, step);
    keepStep(steps, step, event, verdict!.seen);
    for (const signal of verdict!.signals) {
      if (signal.agent !== undefined || (detectors && !detectors.includes(signal.detector))) continue;
      signals.push({
        step,
        since: numbers.of(signal.since, step),
        signal,
        byThought: isThought(event),
        light: isAdvice(signal),
      });
    }
    if (!verdict!.plan) continue;
    const { rung, recovery, toModel, toHuman } = verdict!.plan;
    plans.push({ step, rung, recovery, toModel, toHuman });
  }
  return {
    run,
    trajectory: inNumbers(scan.report({ id: run.id, file: run.file, format: run.format, skipped: 0 }), numbers),
    steps: [...steps.values()].sort((one, other) => one.step - other.step),
    signals,
    plans,
  };
}

const isThought = (event: AgentEvent): boolean => event.type === 'text-added' && event.channel === 'thinking';

/** The last event of a step shows it best: a result says more than the call. Reasoning gives way to what it led to, and a decision to what it was about. */
function keepStep(steps: Map<number, Step>, step: number, event: AgentEvent, seen: Fingerprint | null): void {
  if (!seen || !(whatHappened(seen) ?? (seen.type === 'call-proposed' || seen.task))) return;
  const known = steps.get(step);
  if (known && event.type === 'user-spoke') return;
  const thought = isThought(event) ? { step, event, seen } : known?.thought;
  steps.set(step, { ...(isThought(event) && known ? known : { step, event, seen }), ...(thought ? { thought } : {}) });
}

/** What the run calls the guard's steps: iterations and attempts have numbers of their own, and steps may be left out. */
export interface Numbers {
  set(seen: number, step: number): void;
  /** At most `latest`. */
  of(seen: number, latest?: number): number;
}

export function createNumbers(): Numbers {
  const numbers: number[] = [];
  return {
    set(seen, step) {
      numbers[seen] = step;
    },
    of: (seen, latest = numbers.at(-1) ?? 0) => Math.min(numbers[seen] ?? latest, latest),
  };
}

function inNumbers(trajectory: Trajectory, numbers: Numbers): Trajectory {
  const named = <Each extends { step: number }>(each: Each): Each => ({ ...each, step: numbers.of(each.step) });
  const loops = trajectory.loops.map((loop) => ({
    ...loop,
    ...{ start: numbers.of(loop.start), firedAt: numbers.of(loop.firedAt), end: numbers.of(loop.end) },
    ...{ plans: loop.plans.map(named), repeats: loop.repeats.map(named) },
  }));
  return { ...trajectory, loops, signals: trajectory.signals.map(named) };
}
