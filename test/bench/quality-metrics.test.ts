import { describe, expect, it } from 'vitest';
import { alarmsOf, judge } from '../../bench/quality/alarms.ts';
import { scoreQuiet, tallyQuiet } from '../../bench/quality/metrics/quiet.ts';
import { scoreSpans, tallySpans } from '../../bench/quality/metrics/spans.ts';
import { f1, quantile, total } from '../../bench/quality/metrics/tally.ts';
import { scoreVerdicts, tallyVerdict } from '../../bench/quality/metrics/verdicts.ts';
import type { Firing, Loop, Spans } from '../../bench/quality/run.ts';

const fire = (step: number, more: Partial<Firing> = {}): Firing => ({
  step,
  level: 'warn',
  by: 'cycle/laps',
  text: '',
  note: false,
  ...more,
});
const at = (...steps: number[]): Firing[] => steps.map((step) => fire(step));
const loop = (start: number, stuckAt: number, end: number): Loop => ({
  start,
  stuckAt,
  end,
  kind: 'cycle',
  note: '',
});
const spans = (loops: Loop[], borderline: [start: number, end: number][] = []): Spans => ({
  kind: 'spans',
  loops,
  borderline: borderline.map(([start, end]) => ({ start, end, note: '' })),
});

describe('alarms', () => {
  it.each([
    { steps: [1, 4, 7], alarms: [[1, 7]] },
    {
      steps: [1, 5],
      alarms: [
        [1, 1],
        [5, 5],
      ],
    },
    {
      steps: [9, 2, 2, 12],
      alarms: [
        [2, 2],
        [9, 12],
      ],
    },
    { steps: [], alarms: [] },
  ])('firings at $steps are alarms at $alarms', ({ steps, alarms }) => {
    expect(alarmsOf(at(...steps)).map(({ from, to }) => [from, to])).toEqual(alarms);
  });

  const truth = spans(
    [loop(10, 14, 20)],
    [
      [18, 30],
      [40, 44],
    ],
  );
  it.each([
    { steps: [9], judgement: 'false' },
    { steps: [9, 10], judgement: 'right' },
    { steps: [22], judgement: 'right', why: 'two steps after the loop still belong to it' },
    { steps: [23], judgement: 'neutral', why: 'only the borderline stretch is left' },
    { steps: [30, 33], judgement: 'neutral' },
    { steps: [33], judgement: 'false' },
    { steps: [46], judgement: 'neutral' },
    { steps: [47], judgement: 'false' },
  ])('an alarm at $steps is $judgement', ({ steps, judgement }) => {
    expect(judge({ firings: at(...steps) }, truth)).toBe(judgement);
  });
});

describe('a marked loop', () => {
  // Eleven steps, 10 to 20; a person would step in at 14.
  it.each([
    { steps: [12], delays: [], saved: 0, why: 'too early to be about this loop' },
    { steps: [13], delays: [-1], saved: 7 / 11 },
    { steps: [11, 15, 16], delays: [1], saved: 5 / 11 },
    { steps: [20], delays: [6], saved: 0 },
    { steps: [21], delays: [7], saved: 0, why: 'one step after its end is just in time' },
    { steps: [22], delays: [], saved: 0 },
  ])('with firings at $steps is caught with delays $delays', ({ steps, delays, saved }) => {
    const tally = tallySpans({ steps: 40 }, spans([loop(10, 14, 20)]), at(...steps));
    expect(tally.delays).toEqual(delays);
    expect(tally.saved).toBeCloseTo(saved);
  });

  it('from its first step on cannot be saved before it begins', () => {
    expect(tallySpans({ steps: 9 }, spans([loop(5, 5, 8)]), at(4)).saved).toBe(3 / 4);
  });
});

describe('steps outside loops', () => {
  it('are under alarm from its first firing to its last', () => {
    // Loop 2 to 3 with two steps of grace: outside are 0, 1, 6, 7, 8, 9.
    const tally = tallySpans({ steps: 10 }, spans([loop(2, 2, 3)]), at(6, 9));
    expect([tally.outside, tally.outsideAlarmed]).toEqual([6, 4]);
  });

  it('do not lie in borderline stretches, nor right after them', () => {
    const tally = tallySpans({ steps: 10 }, spans([], [[2, 3]]), at(3, 4, 5));
    expect([tally.outside, tally.outsideAlarmed]).toEqual([6, 0]);
  });

  it('are all under alarm when a system fires at every step, however good its F1', () => {
    const everywhere = at(...Array.from({ length: 10 }, (_, i) => i));
    const scores = scoreSpans(tallySpans({ steps: 10 }, spans([loop(2, 2, 3)]), everywhere));
    expect([scores.f1, scores.outsideAlarmed]).toEqual([1, 1]);
  });
});

describe('scores of several runs with marked loops', () => {
  const tallies = [
    // Two loops, one caught two steps late with half of its ten steps to come; one false alarm.
    tallySpans({ steps: 100 }, spans([loop(10, 12, 19), loop(50, 55, 59)]), at(14, 80)),
    // No loop, but a borderline stretch: one neutral alarm, one false.
    tallySpans({ steps: 300 }, spans([], [[20, 29]]), at(25, 100)),
    // Clean: two false alarms.
    tallySpans({ steps: 400 }, spans([]), at(7, 9, 200)),
    tallySpans({ steps: 100 }, spans([]), []),
  ];
  const scores = scoreSpans(total(tallies));

  it.each<[keyof typeof scores, number]>([
    ['recall', 1 / 2],
    ['precision', 1 / 5],
    ['f1', 2 / 7],
    ['falsePerThousand', 6],
    ['falseInLoopless', (3 / 800) * 1000],
    // Outside are 100 - 12 - 12, 300 - 12, 400 and 100 steps; all false alarms count.
    ['falseOutside', (4 / 864) * 1000],
    ['runsWithFalse', 3 / 4],
    ['outsideAlarmed', 6 / 864],
    ['delayMedian', 2],
    ['delayNinetieth', 2],
    ['saved', 1 / 4],
  ])('%s', (name, value) => {
    expect(scores[name]).toBeCloseTo(value);
  });

  it('are unknown where there is nothing to divide by, and F1 of silence is zero', () => {
    const silent = scoreSpans(tallySpans({ steps: 30 }, spans([loop(10, 12, 19)]), []));
    expect(silent).toMatchObject({
      recall: 0,
      precision: null,
      f1: 0,
      falsePerThousand: null,
      delayMedian: null,
      saved: 0,
    });
    expect(scoreSpans(tallySpans({ steps: 30 }, spans([]), []))).toMatchObject({
      recall: null,
      f1: null,
      saved: null,
      falsePerThousand: 0,
    });
  });
});

it('quantiles are values that occur', () => {
  const delays = [9, -1, 0, 2];
  expect([
    quantile(delays, 0.5),
    quantile(delays, 0.9),
    quantile([3], 0.5),
    quantile([], 0.5),
  ]).toEqual([0, 9, 3, null]);
});

it('F1 is the harmonic mean', () => {
  expect([f1(0.5, 1), f1(0, 0), f1(null, 0), f1(1, null)]).toEqual([2 / 3, 0, 0, null]);
});

it('a whole run is called looping when anything fired', () => {
  const tally = (looping: boolean, called: boolean) =>
    tallyVerdict({ kind: 'verdict', looping }, called ? at(3, 30) : []);
  const tallies = [
    tally(true, true),
    tally(true, true),
    tally(true, false),
    tally(false, true),
    tally(false, false),
  ];
  expect(scoreVerdicts(total(tallies))).toEqual({
    precision: 2 / 3,
    recall: 2 / 3,
    f1: 2 / 3,
    accuracy: 3 / 5,
  });
});

it('on unlabelled runs edit and back-off notes are counted apart from alarms', () => {
  const note = (step: number): Firing => fire(step, { note: true });
  const tallies = [
    // The note between the two alarms does not join them.
    tallyQuiet({ steps: 300 }, [...at(10, 14), note(12), note(100), note(104)]),
    tallyQuiet({ steps: 100 }, [note(5)]),
    tallyQuiet({ steps: 100 }, []),
  ];
  expect(scoreQuiet(total(tallies))).toEqual({
    alarmsPerThousand: 4,
    notesPerThousand: 8,
    runsWithAlarm: 1 / 3,
  });
});
