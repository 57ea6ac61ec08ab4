import { tallies } from '../quality/measure.ts';
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

/** For each step of each run, how likely it is stuck. */
export type Likely = ReadonlyMap<Watched, readonly number[]>;

/** What detectors and forecast say together: loops caught, false alarms on marked runs, alarms on daily work. */
export interface Outcome {
  caught: number;
  false: number;
  quiet: number;
}

/** No forecast is as sure as this. */
export const NEVER = 2;
/** From where on a forecast speaks. */
export const THRESHOLDS: readonly number[] = [NEVER, ...Array.from({ length: 48 }, (_, i) => (98 - 2 * i) / 100)];

/** Trains without some sources, so that every step is judged by a model that has seen nothing of its source. */
export class Trial {
  /** Marked runs and daily work. */
  readonly watched: readonly Watched[];
  readonly sources: readonly string[];
  readonly #samples: ReadonlyMap<string, Sample[]>;
  readonly #models = new Map<string, Model>();
  readonly #likely = new Map<string, Likely>();

  constructor(watched: readonly Watched[]) {
    this.watched = watched.filter(({ run }) => run.truth.kind !== 'verdict');
    const bySource = Map.groupBy(this.watched, ({ run }) => run.source);
    this.sources = [...bySource.keys()].sort();
    this.#samples = new Map([...bySource].map(([source, runs]) => [source, runs.flatMap(samplesOf)]));
  }

  /** Trained on every source but these. */
  modelWithout(...sources: readonly string[]): Model {
    const name = JSON.stringify(this.sources.filter((source) => sources.includes(source)));
    const model = this.#models.get(name) ?? fit([...this.#samples].flatMap(([source, its]) => (sources.includes(source) ? [] : its)));
    this.#models.set(name, model);
    return model;
  }

  /** How likely each step is stuck, by a model that has seen neither the run's own source nor the hidden one. */
  likely(hidden = ''): Likely {
    const likely = this.#likely.get(hidden) ?? new Map(this.watched.map((each) => [each, this.#judge(each, hidden)]));
    this.#likely.set(hidden, likely);
    return likely;
  }

  #judge({ run, steps }: Watched, hidden: string): number[] {
    const model = this.modelWithout(run.source, hidden);
    return steps.map(({ features }) => forecast(model, features));
  }

  /** The lowest threshold at which, on all sources but the hidden one, at most so many alarms are added that should not be. */
  thresholdWithout(hidden: string, budget: number): number {
    const others = this.watched.filter(({ run }) => run.source !== hidden);
    const alarms = (threshold: number): number => {
      const outcome = outcomeOf(others, this.likely(hidden), threshold);
      return outcome.false + outcome.quiet;
    };
    const most = alarms(NEVER) + budget;
    const beyond = THRESHOLDS.findIndex((threshold) => alarms(threshold) > most);
    return THRESHOLDS.at(beyond < 0 ? -1 : beyond - 1)!;
  }

  /** What detectors and forecast are worth on each source, with a threshold chosen on the others; added up. */
  heldOut(budget: number): Outcome {
    const sum: Outcome = { caught: 0, false: 0, quiet: 0 };
    for (const source of this.sources) {
      const those = this.watched.filter(({ run }) => run.source === source);
      const outcome = outcomeOf(those, this.likely(source), this.thresholdWithout(source, budget));
      for (const name of ['caught', 'false', 'quiet'] as const) sum[name] += outcome[name];
    }
    return sum;
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
export function outcomeOf(watched: readonly Watched[], likely: Likely, threshold: number): Outcome {
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
  };
}
