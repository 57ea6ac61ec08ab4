import { describe, expect, it } from 'vitest';
import { draw, estimate, estimates } from '../../bench/quality/bootstrap.ts';
import { diffAlarms, ruleDiffText } from '../../bench/quality/diff.ts';
import type { FoundAlarm } from '../../bench/quality/findings.ts';
import { leaveOneOut } from '../../bench/quality/leave-one-out.ts';
import { compare, type Tallies, tallies } from '../../bench/quality/measure.ts';
import { tallySpans } from '../../bench/quality/metrics/spans.ts';
import type { Firing, Run } from '../../bench/quality/run.ts';

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('resampling', () => {
  const values = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

  it('gives the same draws for the same numbers, and each draw has as many runs', () => {
    const draws = draw(10, 50);
    expect(draw(10, 50)).toEqual(draws);
    expect(
      draws.every((chosen) => chosen.length === 10 && chosen.every((i) => i >= 0 && i < 10)),
    ).toBe(true);
    expect(new Set(draws.map(String)).size).toBe(50);
  });

  it('draws every run about equally often', () => {
    const counts = values.map(
      (i) =>
        draw(10, 1000)
          .flat()
          .filter((each) => each === i).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(900);
    expect(Math.max(...counts)).toBeLessThan(1100);
  });

  it('puts about two standard errors around the value', () => {
    const { value, low, high } = estimate(values, draw(10, 1000), mean);
    expect(value).toBe(4.5);
    // The standard error of this mean is 2.87 / √10 = 0.91.
    expect(low).toBeCloseTo(4.5 - 1.96 * 0.91, 0);
    expect(high).toBeCloseTo(4.5 + 1.96 * 0.91, 0);
  });

  it('gives no interval for a handful of runs', () => {
    expect(estimate([1, 2, 3, 4], draw(4, 100), mean)).toEqual({
      value: 2.5,
      low: null,
      high: null,
    });
  });

  it('leaves out the resamples that have nothing to divide by', () => {
    const first = (some: readonly number[]) => ({ rare: some.includes(0) ? 1 : null, never: null });
    const { rare, never } = estimates(values, draw(10, 200), first);
    expect(rare).toEqual({ value: 1, low: 1, high: 1 });
    expect(never).toEqual({ value: null, low: null, high: null });
  });
});

describe('two systems', () => {
  const runs: Run[] = [true, false, true, true, false, true, false, false].map((looping, i) => ({
    id: `own/${i}`,
    round: null,
    source: 'own',
    steps: 10,
    truth: { kind: 'verdict', looping },
    file: '',
  }));
  const saying = (called: (looping: boolean) => boolean): Tallies =>
    tallies(
      runs,
      runs.map(({ truth }): Firing[] =>
        truth.kind === 'verdict' && called(truth.looping)
          ? [{ step: 1, level: 'warn', by: '', text: '', note: false }]
          : [],
      ),
      'warn',
    );
  const [oracle, always] = [saying((looping) => looping), saying(() => true)];

  it('are compared on the same draws, so that equal ones never differ', () => {
    expect(compare(always, always, 200).verdicts).toEqual({ value: 0, low: 0, high: 0 });
  });

  it('differ by their F1', () => {
    const { verdicts, spans, quiet } = compare(oracle, always, 200);
    // Always saying yes has precision 4/8 and recall 1.
    expect(verdicts!.value).toBeCloseTo(1 - 2 / 3);
    expect(verdicts!.low).toBeGreaterThan(0);
    expect([spans, quiet]).toEqual([null, null]);
  });
});

describe('leaving one source out', () => {
  const run = (caught: boolean) =>
    tallySpans(
      { steps: 20 },
      {
        kind: 'spans',
        loops: [{ start: 5, end: 9, stuckAt: 7, kind: 'cycle', note: '' }],
        borderline: [],
      },
      caught ? [{ step: 7, level: 'warn', by: '', text: '', note: false }] : [],
    );
  const of = (name: string, ...caught: boolean[]) => ({ name, tallies: caught.map(run) });
  const sources = ['a', 'a', 'b', 'b', 'b'];

  it('measures a baseline only on sources that it was not chosen on', () => {
    const left = leaveOneOut(
      of('ours', true, true, true, true, true),
      [
        of('good on a', true, true, false, false, false),
        of('good on b', false, false, true, true, true),
      ],
      sources,
      100,
    );
    expect(left!.left).toEqual([
      { source: 'a', ours: 1, best: 'good on b', theirs: 1 },
      { source: 'b', ours: 1, best: 'good on a', theirs: 1 },
    ]);
    expect(left!.ahead.value).toBe(1);
  });

  it('needs two sources and a baseline', () => {
    const ours = of('ours', true, true);
    expect(leaveOneOut(ours, [ours], ['a', 'a'], 10)).toBeNull();
    expect(leaveOneOut(ours, [], ['a', 'b'], 10)).toBeNull();
  });
});

describe('two lists of alarms', () => {
  const alarm = (from: number, to: number, more: Partial<FoundAlarm> = {}): FoundAlarm => ({
    system: 'unrut',
    run: 'own/one',
    from,
    to,
    actsAt: null,
    by: ['cycle/laps'],
    judgement: 'false',
    note: false,
    text: '',
    ...more,
  });

  it.each<[string, FoundAlarm[], FoundAlarm[], string[]]>([
    ['equal ones', [alarm(3, 8)], [alarm(3, 8)], []],
    ['another detector at the same steps', [alarm(3, 8)], [alarm(3, 8, { by: ['stuck/net'] })], []],
    ['a new one', [], [alarm(3, 8)], ['appeared 3']],
    ['one that is gone', [alarm(3, 8)], [], ['vanished 3']],
    ['a later one', [alarm(3, 8)], [alarm(5, 8)], ['moved 3 to 5']],
    ['one that nearly touches', [alarm(3, 8)], [alarm(11, 12)], ['moved 3 to 11']],
    ['one that is too far', [alarm(3, 8)], [alarm(12, 12)], ['appeared 12', 'vanished 3']],
    [
      'one that acts later',
      [alarm(3, 8, { actsAt: 5 })],
      [alarm(3, 8, { actsAt: 6 })],
      ['moved 3 to 3'],
    ],
    [
      'one that became two',
      [alarm(3, 20)],
      [alarm(3, 8), alarm(15, 20)],
      ['moved 3 to 3', 'appeared 15'],
    ],
    [
      'the same on another run',
      [alarm(3, 8)],
      [alarm(3, 8, { run: 'own/two' })],
      ['appeared 3', 'vanished 3'],
    ],
    [
      'the same of another system',
      [alarm(3, 8)],
      [alarm(3, 8, { system: 'Hermes' })],
      ['appeared 3', 'vanished 3'],
    ],
    [
      'a note instead of an alarm on daily work',
      [alarm(3, 8, { judgement: 'unknown' })],
      [alarm(3, 8, { judgement: 'unknown', note: true })],
      ['appeared 3', 'vanished 3'],
    ],
  ])('%s', (_, before, now, expected) => {
    const changes = diffAlarms(before, now).map((change) => {
      if (change.kind === 'moved') return `moved ${change.before.from} to ${change.now.from}`;
      return change.kind === 'appeared'
        ? `appeared ${change.now.from}`
        : `vanished ${change.before.from}`;
    });
    expect(changes).toEqual(expected);
  });
});

describe('the rules of two reports', () => {
  it('are listed if they decided more or less often', () => {
    const text = ruleDiffText(
      { 'progress/first-look': 4, 'world/content': 2 },
      { 'progress/first-look': 3, 'world/content': 2, 'neutral/wait': 1 },
    );
    expect(text.trim().split('\n')).toEqual([
      'Rules that decided more or less often: 2 of 3',
      '',
      '~ neutral/wait 0 → 1',
      '~ progress/first-look 4 → 3',
    ]);
  });

  it('are not listed if one of the reports counts none', () => {
    expect(ruleDiffText(undefined, { 'neutral/wait': 1 })).toBe(
      'One of the two reports counts no rules.\n',
    );
  });
});
