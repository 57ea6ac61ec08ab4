import { createSource, type Imported } from '@unrut/logs/importers/source';
import { describe, expect, it } from 'vitest';
import { type Tallies, tallies } from '../../bench/quality/measure.ts';
import { guardSystem, replay } from '../../bench/quality/replay.ts';
import { buildReport } from '../../bench/quality/report.ts';
import type { Firing, Run, Truth } from '../../bench/quality/run.ts';
import { type Candidate, choose, tune } from '../../bench/quality/tuning.ts';
import { isShipped, presetWith, SETTINGS, type Setting } from '../../bench/quality/tuning-grid.ts';
import { replaySettings } from '../../bench/quality/tuning-play.ts';
import { mainFigures } from '../../bench/quality/tuning-table.ts';
import { neutralSteps } from '../../packages/logs/src/importers/neutral-steps.ts';

const SHIPPED = SETTINGS.find(isShipped)!;
const LOOP: Truth = {
  kind: 'spans',
  loops: [{ start: 5, end: 9, stuckAt: 7, kind: 'cycle', note: '' }],
  borderline: [],
};
const run = (source: string, truth: Truth, id = source): Run => ({
  id,
  source,
  round: null,
  steps: 1000,
  truth,
  file: '',
});
const at = (...steps: number[]): Firing[] =>
  steps.map((step) => ({ step, level: 'warn', by: '', text: '', note: false }));
const candidate = (setting: Setting, runs: readonly Run[], firings: Firing[][]): Candidate => ({
  setting,
  tallies: tallies(runs, firings, 'warn'),
});

describe('the settings', () => {
  it('begin with the loosest and hold the shipped one once', () => {
    expect(SETTINGS[0]).toEqual({
      'repeated-message': { alike: 0.35, alikeBlind: 0.6, littleNew: 0.5 },
      'same-intent': { threshold: 3, alike: 0.25, alikeScreens: 0.4 },
      'near-repeat': { staleActs: 2 },
    });
    expect(SETTINGS).toHaveLength(3 ** 7);
    expect(SETTINGS.filter(isShipped)).toHaveLength(1);
  });

  it('give the same firings, whether or not each is really replayed', () => {
    const events: Imported[] = [];
    const reading = neutralSteps.open(
      createSource('run', { event: (each) => void events.push(each), unknown: () => {} }),
    );
    for (let i = 0; i < 8; i++) {
      const text = `I will press the save button of the long form once more, number ${i}, because the page has not changed.`;
      reading.read({ i: 2 * i, role: 'agent', kind: 'message', text });
      reading.read({
        i: 2 * i + 1,
        role: 'agent',
        kind: 'ui_action',
        tool: 'click',
        args: { element: 'save' },
        text,
      });
    }
    const some = SETTINGS.filter((_, i) => i % 20 === 0);
    const each = some.map((setting) => replay(events, guardSystem('whole', presetWith(setting))));
    expect(replaySettings(events, some)).toEqual(each);
    expect(new Set(each.map((firings) => firings.length)).size).toBeGreaterThan(1);
  });
});

describe('the choice', () => {
  const [a, b, c] = SETTINGS.slice(0, 3).map(
    (setting): Candidate => ({ setting, tallies: {} as Tallies }),
  );
  const stands = (candidate: Candidate, f1: number, alarms: number, withinLimits = true) => ({
    candidate,
    f1,
    alarms,
    withinLimits,
  });

  it.each([
    ['the highest F1', [stands(a!, 0.7, 0), stands(b!, 0.8, 9), stands(c!, 0.6, 0)], b],
    [
      'none beyond the limits',
      [stands(a!, 0.7, 0), stands(b!, 0.8, 9, false), stands(c!, 0.6, 0)],
      a,
    ],
    [
      'the highest F1 when all are beyond them',
      [stands(a!, 0.7, 9, false), stands(b!, 0.8, 9, false)],
      b,
    ],
    [
      'the fewest alarms of equals',
      [stands(a!, 0.8, 3), stands(b!, 0.8, 3), stands(c!, 0.8, 2)],
      c,
    ],
    ['the middle of equals', [stands(a!, 0.8, 2), stands(b!, 0.8, 2), stands(c!, 0.8, 2)], b],
  ])('is %s', (_, standings, expected) => {
    expect(choose(standings).chosen).toBe(expected);
  });
});

describe('tuning', () => {
  const other = SETTINGS[0]!;

  it('scores each source with what is best on the others, and adds up', () => {
    const runs = [run('a', LOOP), run('b', LOOP), run('c', LOOP)];
    const shipped = candidate(SHIPPED, runs, [at(), at(7), at(7, 500)]);
    const { by, choices, heldOut } = tune(
      runs,
      [shipped, candidate(other, runs, [at(7), at(), at(7)])],
      10,
    );
    expect(by.spans).toBe('source');
    expect(choices.spans).toEqual([
      // On b and c it has F1 .80, the other .67.
      { group: 'a', chosen: SHIPPED, shipped: true, asGood: true },
      // On a and c it has F1 .50, the other 1.
      { group: 'b', chosen: other, shipped: false, asGood: false },
      // On a and b both catch one loop of two.
      { group: 'c', chosen: other, shipped: false, asGood: true },
    ]);
    const { recall, precision } = heldOut.spans!;
    expect([recall.value, precision.value]).toEqual([1 / 3, 1]);
  });

  it('does not choose what alarms too often in daily work, nor count it where it was looked at', () => {
    const runs = [
      run('a', LOOP),
      run('b', LOOP),
      run('b', { kind: 'unlabelled' }),
      run('d', { kind: 'unlabelled' }),
    ];
    const firings = [at(7), at(7), at(40), at()];
    const loud = candidate(SHIPPED, runs, firings);
    const silent = candidate(other, runs, [at(), at(), at(), at()]);
    const { choices, heldOut } = tune(runs, [loud, silent], 10);
    // The alarm of b is beyond the limit of 0.4 per 1,000 steps, except when b is left out.
    expect(choices.spans.map(({ group, shipped }) => [group, shipped])).toEqual([
      ['a', false],
      ['b', true],
      ['d', false],
    ]);
    expect(heldOut.spans!.recall.value).toBe(0.5);
    expect(heldOut.quiet!.alarmsPerThousand.value).toBe(0.5);
  });

  it('splits the runs of a single source in fifths by their ids', () => {
    const runs = Array.from({ length: 40 }, (_, i) =>
      run('web', { kind: 'verdict', looping: i % 2 === 0 }, `web/${i}`),
    );
    const right = candidate(
      SHIPPED,
      runs,
      runs.map((_, i) => (i % 2 === 0 ? at(1) : at())),
    );
    const always = candidate(
      other,
      runs,
      runs.map(() => at(1)),
    );
    const { by, choices, heldOut } = tune(runs, [always, right], 10);
    expect(by.verdicts).toBe('fifth');
    expect(choices.verdicts.map(({ group }) => group)).toEqual([
      '1 of 5',
      '2 of 5',
      '3 of 5',
      '4 of 5',
      '5 of 5',
    ]);
    expect(choices.verdicts.every(({ shipped }) => shipped)).toBe(true);
    expect(heldOut.verdicts!.f1.value).toBe(1);
    expect(heldOut.spans).toBeNull();
  });

  it('gives the main figures, above those of the shipped setting on the same runs', () => {
    const runs = [run('a', LOOP), run('b', LOOP), run('c', LOOP)];
    const firings = [at(), at(7), at(7, 500)];
    const tuning = tune(
      runs,
      [candidate(SHIPPED, runs, firings), candidate(other, runs, [at(7), at(), at(7)])],
      10,
    );
    const played = { ours: 'unrut', systems: new Map([['unrut', firings]]), ablation: new Map() };
    const [table, parts, ...more] = mainFigures(buildReport(runs, played, 10, tuning));
    expect(more).toEqual([]);
    expect(parts!.rows.map(([part, recall]) => [part, recall])).toEqual([
      ['both rounds', '.33'],
      ['sources whose errors were read', '.50'],
      ['sources left unread', '.00'],
    ]);
    expect(table!.about).toContain(
      'On marked loops the shipped setting was chosen for 1 of 3 sources, and was as good for 2.',
    );
    expect(table!.rows.map((row) => row.slice(0, 4))).toEqual([
      ['chosen elsewhere', '.33', '1.00', '.50'],
      ['as shipped, in sample', '.67', '.67', '.67'],
    ]);
    expect(mainFigures(buildReport(runs, played, 10))).toEqual([]);
  });
});
