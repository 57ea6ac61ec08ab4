import { describe, expect, it } from 'vitest';
import { FEATURES, readFeatures, startPast } from '../../bench/forecast/features.ts';
import { calibration, rankedRightly } from '../../bench/forecast/judgement.ts';
import { fit, forecast, type Sample } from '../../bench/forecast/logistic.ts';
import { isStuck, stepsOf } from '../../bench/forecast/samples.ts';
import { NEVER, outcomeOf, Trial, type Watched } from '../../bench/forecast/trial.ts';
import type { Spans, Truth } from '../../bench/quality/run.ts';
import { createGuard } from '../../src/guard.ts';
import { neutralSteps } from '../../src/importers/neutral-steps.ts';
import { createSource, type Imported } from '../../src/importers/source.ts';

function eventsOf(steps: readonly object[]): Imported[] {
  const events: Imported[] = [];
  const reading = neutralSteps.open(createSource('run', { event: (each) => void events.push(each), unknown: () => {} }));
  for (const [i, step] of steps.entries()) reading.read({ i, role: 'agent', kind: 'tool_call', tool: 'Bash', ...step });
  return events;
}

describe('the features', () => {
  const last = (steps: readonly object[]) =>
    Object.fromEntries(FEATURES.map((name, i) => [name, stepsOf(eventsOf(steps)).at(-1)!.features[i]!]));
  const failing = Array.from({ length: 8 }, () => ({
    args: { command: 'npm test' },
    result: 'Error: cannot find module left-pad',
    is_error: true,
  }));
  const reading = Array.from({ length: 8 }, (_, i) => ({
    tool: 'Read',
    args: { file_path: `/home/dev/project/part${i}.ts` },
    result: `export const value${i} = ${i * 7919};`,
  }));

  it.each([
    ['same call', 'above'],
    ['alike call', 'above'],
    ['same result in a row', 'above'],
    ['errors in a row', 'above'],
    ['same error', 'above'],
    ['since progress', 'above'],
    ['novelty', 'below'],
  ] as const)('have %s %s that of honest work in a loop', (name, where) => {
    const more = last(failing)[name]! - last(reading)[name]!;
    expect(where === 'above' ? more : -more).toBeGreaterThan(0.3);
  });

  it('begin anew when the user speaks', () => {
    const [guard, past] = [createGuard(), startPast()];
    for (const { event } of eventsOf(failing)) readFeatures(past, guard.observe(event).seen!);
    expect(past).not.toEqual(startPast());
    readFeatures(past, guard.observe({ type: 'user-spoke', session: 'run', at: 1e6, text: 'Go on.' }).seen!);
    expect(past.calls).toEqual([]);
  });
});

describe('a step', () => {
  const truth: Truth = {
    kind: 'spans',
    loops: [{ start: 5, end: 9, stuckAt: 7, kind: 'cycle', note: '' }],
    borderline: [{ start: 12, end: 13, note: '' }],
  };

  it.each([
    [5, false],
    [6, true],
    [9, true],
    [10, false],
    [12, null],
    [14, false],
  ])('%i is stuck: %s', (step, stuck) => expect(isStuck(truth, step)).toBe(stuck));

  it('of daily work is not stuck, and of a run with a yes or no nobody knows', () => {
    expect([isStuck({ kind: 'unlabelled' }, 3), isStuck({ kind: 'verdict', looping: true }, 3)]).toEqual([false, null]);
  });
});

describe('the regression', () => {
  /** Stuck in a share of `i` tenths where the first feature is `i`; the second one says nothing. */
  const samples = Array.from({ length: 8000 }, (_, n): Sample => {
    const i = n % 11;
    return { features: [i, n % 7], stuck: Math.floor(n / 11) % 10 < i };
  });
  const model = fit(samples);

  it('finds what matters, and forecasts shares', () => {
    expect(model.weights[0]).toBeGreaterThan(20 * Math.abs(model.weights[1]!));
    expect(forecast(model, [5, 3])).toBeCloseTo(0.5, 1);
    expect(forecast(model, [8, 3])).toBeCloseTo(0.8, 1);
  });

  it('gives the same model for the same samples', () => expect(fit(samples)).toEqual(model));
});

describe('a forecast is judged', () => {
  it.each([
    ['perfect', [0.1, 0.2], [0.8, 0.9], 1],
    ['wrong throughout', [0.8, 0.9], [0.1, 0.2], 0],
    ['always the same', [0.5, 0.5], [0.5], 0.5],
    ['right in five pairs of six', [0.1, 0.4], [0.3, 0.8, 0.9], 5 / 6],
    ['without anything that was so', [0.1], [], null],
  ])('by its order: %s', (_, not, so, expected) => {
    expect(rankedRightly([...not.map((likely) => ({ likely, so: false })), ...so.map((likely) => ({ likely, so: true }))])).toBe(expected);
  });

  it('by what became of equal forecasts', () => {
    const judged = [0.71, 0.75, 0.79, 1].map((likely, i) => ({ likely, so: i > 0 }));
    expect(calibration(judged)).toEqual([
      { from: 0.7, steps: 3, forecast: expect.closeTo(0.75), so: 2 / 3 },
      { from: 0.9, steps: 1, forecast: 1, so: 1 },
    ]);
  });
});

describe('a trial', () => {
  const LOOP: Spans = { kind: 'spans', loops: [{ start: 20, end: 39, stuckAt: 21, kind: 'cycle', note: '' }], borderline: [] };
  /** Forty steps, the feature high in the second half. */
  const watched = (source: string, truth: Truth, high: number): Watched => ({
    run: { id: source, source, steps: 40, truth, file: '' },
    firings: [],
    steps: Array.from({ length: 40 }, (_, step) => ({ step, features: [step < 20 ? 0 : high] })),
  });
  const sources = ['a', 'b', 'c', 'd'].map((source) => watched(source, LOOP, 1));

  it('judges each source by a model that has not seen it', () => {
    const odd = watched('odd', { kind: 'spans', loops: [], borderline: [] }, 1);
    const trial = new Trial([...sources, odd]);
    const own = forecast(trial.modelWithout(), [1]);
    expect(trial.likely().get(odd)!.at(-1)).toBeGreaterThan(own);
    expect(trial.modelWithout('odd')).toEqual(new Trial(sources).modelWithout());
  });

  it('adds up what is caught where it was not trained', () => {
    const trial = new Trial(sources);
    expect(outcomeOf(trial.watched, trial.likely(), NEVER)).toEqual({ caught: 0, false: 0, quiet: 0 });
    expect(trial.heldOut(0)).toEqual({ caught: 4, false: 0, quiet: 0 });
  });

  it('keeps silent where it would alarm on daily work, as far as it could know', () => {
    const daily = watched('e', { kind: 'unlabelled' }, 1);
    const trial = new Trial([...sources, daily]);
    // Only when the daily work itself is left out is the threshold low.
    expect(trial.heldOut(0)).toEqual({ caught: 0, false: 0, quiet: 1 });
    expect(trial.heldOut(1)).toEqual({ caught: 4, false: 0, quiet: 1 });
  });
});
