import { isAdvice } from '@unrut/engine/detectors';
import type { AgentEvent } from '@unrut/engine/event';
import type { Fingerprint } from '@unrut/engine/fingerprint';
import { createGuard, type Guard, type Verdict } from '@unrut/engine/guard';
import type { Preset } from '@unrut/engine/presets';
import type { Signal } from '@unrut/engine/signal';
import { whatHappened } from '@unrut/ledger/views/what-happened';
import type { Imported } from '../importers/source.ts';
import { createRunScan } from '../scan/run-scan.ts';
import { type ExplainedRun, presetIn } from './read-run.ts';
import type { ExplainedLoop, StepExplained } from './report.ts';

/** A step of the source: its most informative event, and its fingerprint. */
export interface ExplainedStep {
  step: number;
  event: AgentEvent;
  seen: Fingerprint;
  /** The reasoning that led to it. */
  thought?: ExplainedStep;
}

/** A signal at a step of the source; `since` is in the source's numbering, too. */
export interface Raised {
  step: number;
  since: number;
  signal: Signal;
  /** Raised by reasoning, not by a message or action. */
  byThought: boolean;
  /** No more than advice. */
  advice: boolean;
}

/** A run as the guard saw it. */
export interface Followed {
  run: ExplainedRun;
  /** Loops and the number of messages and calls, as a scan reports them. */
  loops: readonly ExplainedLoop[];
  count: number;
  /** In order; steps without display are omitted. */
  steps: ExplainedStep[];
  signals: Raised[];
  witnesses: (StepExplained['witnesses'][number] & { step: number })[];
  plans: StepExplained['plans'];
}

/**
 * Replays a run through the guard as a scan does, and keeps the fingerprint of each step. The only
 * place where explain uses parts of a scan.
 */
export function followRun(run: ExplainedRun, detectors?: readonly string[]): Followed {
  const guard = createGuard({ preset: presetIn(run) });
  const steps = new Map<number, ExplainedStep>();
  const listener = createListener(detectors);
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
    listener.hear(imported, verdict!);
    keepStep(steps, imported.step, imported.event, verdict!.seen);
  }
  const report = scan.report({ id: run.id, file: run.file, format: run.format, skipped: 0 });
  const { numbers } = listener;
  const loops = report.loops.map(
    ({ detector, variant, also, advice, start, firedAt, end, text }) => {
      return {
        detector,
        variant,
        also,
        advice,
        start: numbers.of(start),
        firedAt: numbers.of(firedAt),
        end: numbers.of(end),
        text,
      };
    },
  );
  const { signals, witnesses, plans } = listener;
  const count = report.steps || steps.size;
  return {
    run,
    loops,
    count,
    steps: [...steps.values()].sort((one, other) => one.step - other.step),
    signals,
    witnesses,
    plans,
  };
}

/** The signals of a guard with another preset for these events. */
export function signalsUnder(
  preset: Preset,
  events: readonly Imported[],
  detectors?: readonly string[],
): Raised[] {
  const guard = createGuard({ preset });
  const listener = createListener(detectors);
  for (const imported of events) listener.hear(imported, guard.observe(imported.event));
  return listener.signals;
}

/** Collects signals and plans in the source's step numbers. */
function createListener(detectors?: readonly string[]) {
  const signals: Raised[] = [];
  const witnesses: Followed['witnesses'] = [];
  const plans: StepExplained['plans'] = [];
  const numbers = createNumbers();
  return {
    signals,
    witnesses,
    plans,
    numbers,
    hear({ step, event }: Imported, verdict: Verdict): void {
      numbers.set(verdict.step, step);
      for (const signal of verdict.signals) {
        if (signal.agent !== undefined || (detectors && !detectors.includes(signal.detector)))
          continue;
        signals.push({
          step,
          since: numbers.of(signal.since, step),
          signal,
          byThought: isThought(event),
          advice: isAdvice(signal),
        });
      }
      witnesses.push(...verdict.witnesses.map((each) => ({ step, ...each })));
      if (!verdict.plan) return;
      const { rung, recovery, toModel, toHuman } = verdict.plan;
      plans.push({ step, rung, recovery, toModel, toHuman });
    },
  };
}

/**
 * Maps the guard's steps to the run's: iterations and attempts have their own numbers, and steps
 * may be omitted.
 */
function createNumbers() {
  const numbers: number[] = [];
  return {
    set(seen: number, step: number): void {
      numbers[seen] = step;
    },
    /** At most `latest`. */
    of: (seen: number, latest = numbers.at(-1) ?? 0): number =>
      Math.min(numbers[seen] ?? latest, latest),
  };
}

const isThought = (event: AgentEvent): boolean =>
  event.type === 'text-added' && event.channel === 'thinking';

/**
 * The last event of a step is the most informative: a result says more than the call. Reasoning is
 * replaced by its action, and a decision by its subject.
 */
function keepStep(
  steps: Map<number, ExplainedStep>,
  step: number,
  event: AgentEvent,
  seen: Fingerprint | null,
): void {
  if (!seen || !(whatHappened(seen) ?? (seen.type === 'call-proposed' || seen.task))) return;
  const known = steps.get(step);
  if (known && event.type === 'user-spoke') return;
  const thought = isThought(event) ? { step, event, seen } : known?.thought;
  steps.set(step, {
    ...(isThought(event) && known ? known : { step, event, seen }),
    ...(thought ? { thought } : {}),
  });
}
