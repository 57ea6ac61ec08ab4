import { tallies } from '../quality/measure.ts';
import { scoreSpans } from '../quality/metrics/spans.ts';
import { total } from '../quality/metrics/tally.ts';
import type { Firing, Run } from '../quality/run.ts';
import { fit, forecast, type Model, type Sample } from './logistic.ts';
import { isStuck, type Step } from './samples.ts';

/** A run, what the shipped detectors say of it, and its steps as a forecast sees them. */
export interface Watched {
  run: Run;
  firings: readonly Firing[];
  steps: readonly Step[];
}

/** What the detectors say together with a forecast, on marked runs and on daily work. */
export interface Outcome {
  caught: number;
  false: number;
  quiet: number;
  f1: number;
}

/** From where on a forecast speaks; the first never does. */
export const THRESHOLDS: readonly number[] = [2, ...Array.from({ length: 48 }, (_, i) => (98 - 2 * i) / 100)];

/** Models that have never seen some sources. */
export class Trial {
  readonly sources: readonly string[];
  readonly watched: readonly Watched[];
  readonly #samples: Map<string, Sample[]>;
  readonly #models = new Map<string, Model>();
  readonly #likely = new Map<string, Map<Watched, number[]>>();

  constructor(watched: readonly Watched[]) {
    this.watched = watched.filter(({ run }) => run.truth.kind !== 'verdict');
    this.#samples = new Map();
    for (const each of watched) {
      if (each.run.truth.kind !== 'spans') continue;
      const samples = this.#samples.get(each.run.source) ?? [];
      samples.push(...samplesOf(each));
      this.#samples.set(each.run.source, samples);
    }
    this.sources = [...this.#samples.keys()].sort();
  }

  /** Trained on every source but these. */
  modelWithout(...sources: readonly string[]): Model {
    const name = [...new Set(sources)].sort().join(' ');
    const model = this.#models.get(name) ?? fit([...this.#samples].flatMap(([source, samples]) => (sources.includes(source) ? [] : samples)));
    this.#models.set(name, model);
    return model;
  }

  /** How likely each step of each run is stuck, by a model that has seen neither the run's own source nor `hidden`. */
  likely(hidden: string): Map<Watched, number[]> {
    const known = this.#likely.get(hidden);
    if (known) return known;
    const likely = new Map(
      this.watched.map((each) => {
        const model = this.modelWithout(each.run.source, hidden);
        return [each, each.steps.map(({ features }) => forecast(model, features))];
      }),
    );
    this.#likely.set(hidden, likely);
    return likely;
  }

  /** The lowest threshold at which, on all sources but the hidden one, at most so many alarms are added that should not be. */
  thresholdWithout(hidden: string, budget: number): number {
    const others = this.watched.filter(({ run }) => run.source !== hidden);
    const alarms = (threshold: number): number => {
      const outcome = outcomeOf(others, this.likely(hidden), threshold);
      return outcome.false + outcome.quiet;
    };
    const most = alarms(THRESHOLDS[0]!) + budget;
    const beyond = THRESHOLDS.findIndex((threshold) => alarms(threshold) > most);
    return THRESHOLDS[beyond < 0 ? THRESHOLDS.length - 1 : beyond - 1]!;
  }
}

/** The labelled steps of a run. */
export function samplesOf({ run, steps }: Watched): Sample[] {
  return steps.flatMap(({ step, features }) => {
    const stuck = isStuck(run.truth, step);
    return stuck === null ? [] : [{ features, stuck }];
  });
}

/** The detectors' firings and, where it is sure enough, the forecast's. */
export function together({ firings, steps }: Watched, likely: readonly number[], threshold: number): Firing[] {
  const spoken = steps.filter((_, i) => likely[i]! >= threshold);
  return [...firings, ...spoken.map(({ step }): Firing => ({ step, level: 'warn', by: 'forecast', text: '', note: false }))];
}

/** What both together are worth on these runs. */
export function outcomeOf(watched: readonly Watched[], likely: ReadonlyMap<Watched, readonly number[]>, threshold: number): Outcome {
  const { spans, quiet } = tallies(
    watched.map(({ run }) => run),
    watched.map((each) => together(each, likely.get(each)!, threshold)),
    'warn',
  );
  const marked = spans.length === 0 ? null : total(spans);
  return {
    caught: marked?.delays.length ?? 0,
    false: marked?.false ?? 0,
    quiet: quiet.reduce((sum, { alarms }) => sum + alarms, 0),
    f1: (marked && scoreSpans(marked).f1) ?? 0,
  };
}
