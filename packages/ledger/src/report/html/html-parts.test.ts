import { loop, run } from '@unrut/test/report/make-report';
import { describe, expect, it } from 'vitest';
import { runTitle } from '../scan-names.ts';
import { escapeText } from './page-file.ts';
import { ranking } from './ranking.ts';
import { binned, drawnRun, momentOf } from './scan-timeline.ts';
import { duration, momentText } from './times.ts';

describe('text in a page', () => {
  it.each([
    ['<b>&"\'</b>', '&lt;b&gt;&amp;&quot;&#39;&lt;/b&gt;'],
    ['a\tb\r\nc', 'a\tb\nc'],
    ['\u001b[31mred\0', '␛[31mred␀'],
    ['\u202egnp.exe', '\ufffdgnp.exe'],
    ['half a \ud83d face', 'half a \ufffd face'],
  ])('%j is written as %j', (text, written) => {
    expect(escapeText(text)).toBe(written);
  });
});

describe('times', () => {
  it.each([
    [duration(0), '0 s'],
    [duration(-5), '0 s'],
    [duration(250_000), '4 min 10 s'],
    [duration(7_200_000), '2 h'],
    [duration(90_061_000), '1 d 1 h'],
    [momentText(Date.UTC(2026, 2, 4, 14, 5)), '2026-03-04 14:05 UTC'],
    [momentText(Number.NaN), ''],
  ])('%s is %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});

describe('a timeline', () => {
  it.each([
    ['nne-', 1, 'nne-'],
    ['nnneee', 3, 'ne'],
    ['nenene', 2, 'eee'],
    ['nnw', 2, 'nw'],
    ['zzn', 3, '?'],
  ])('of %s in cells of %i steps is %s', (letters, size, cells) => {
    expect(binned(letters, size).join('')).toBe(cells);
  });

  it('has what people said between the steps, and the highest rung at the step of a plan', () => {
    const plan = (step: number, rung: 'note' | 'stop') => ({
      step,
      rung,
      recovery: 'x',
      toModel: '',
      toHuman: '',
    });
    const looping = loop({
      detector: 'cycle',
      start: 1,
      firedAt: 2,
      end: 3,
      text: '',
      repeats: [],
      plans: [plan(2, 'stop'), plan(2, 'note')],
    });
    const given = {
      ...run({ id: 'x', file: 'x', format: 'x', timeline: 'nn-e', loops: [looping] }),
      spoke: [0, 2],
    };
    const drawn = drawnRun(ranking([given]).inFull[0]!);
    expect(drawn).toMatchObject({ letters: 'unnu-e', acts: '000070', size: 1 });
    expect([0, 1, 2, 3].map((step) => momentOf(step, drawn))).toEqual([1, 2, 4, 5]);
  });
});

describe('the order of runs', () => {
  const named = (id: string, loops: { wasted: number; advice?: boolean }[]) =>
    run({
      id,
      file: id,
      format: 'x',
      timeline: 'n'.repeat(50),
      loops: loops.map(({ wasted, advice = false }, i) =>
        loop({
          detector: 'cycle',
          start: i,
          firedAt: i,
          end: i,
          text: '',
          repeats: [],
          wastedSteps: wasted,
          advice,
        }),
      ),
    });

  it('is worst first: loops before advice, then what was wasted; places stay those of the report', () => {
    const runs = [
      named('calm', []),
      named('advice', [{ wasted: 30, advice: true }]),
      named('small', [{ wasted: 2 }]),
      named('large', [{ wasted: 9 }]),
    ];
    const { inFull, withoutLoops } = ranking(runs);
    expect(inFull.map((each) => [each.run.id, each.place])).toEqual([
      ['large', 4],
      ['small', 3],
      ['advice', 2],
    ]);
    expect(withoutLoops.map((each) => each.run.id)).toEqual(['calm']);
  });

  it('keeps the costliest loops of a run with very many, in their order', () => {
    const { inFull } = ranking([
      named(
        'many',
        Array.from({ length: 100 }, (_, i) => ({ wasted: i })),
      ),
    ]);
    expect(inFull[0]!.loops.map(({ place }) => place)).toEqual(
      Array.from({ length: 30 }, (_, i) => 71 + i),
    );
  });
});

describe('the title of a run', () => {
  it('is its first prompt, its folder and its day', () => {
    const from = new Date(2026, 10, 17, 12).getTime();
    expect(
      runTitle({ id: 'x', file: 'x.jsonl', prompt: 'Fix it.', repository: 'shop', from }),
    ).toBe('"Fix it." (shop, 2026-11-17)');
    expect(runTitle({ id: 'x', file: 'x.jsonl', prompt: 'Fix it.' })).toBe('"Fix it."');
  });

  it('is its id if no prompt is known', () => {
    expect(runTitle({ id: 'x', file: 'x.jsonl', repository: 'shop' })).toBe('x');
  });
});
