import { describe, expect, it } from 'vitest';
import { loop, run } from '../../../test/report/make-report.ts';
import { escapeText, html } from './html.ts';
import { ranking } from './ranking.ts';
import { binned, brackets } from './timeline.ts';
import { duration, momentText } from './times.ts';
import { wordDiff } from './word-diff.ts';

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

  it('is escaped unless it is a piece of a page, in lists too', () => {
    expect(html`<p class="${'"'}">${['<', html`<br>`, [3, false, null, undefined]]}</p>`.text).toBe('<p class="&quot;">&lt;<br>3</p>');
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

/** `same`, `[new]` and `{gone}`. */
const told = (before: string, after: string): string =>
  wordDiff(before, after)
    .map(({ kind, text }) => ({ same: text, new: `[${text}]`, gone: `{${text}}` })[kind])
    .join('');

describe('what changed from one text to the next', () => {
  it.each([
    ['the same', 'the same', 'the same'],
    ['run 1 failed in a.ts', 'run 2 failed in a.ts', 'run {1 }[2 ]failed in a.ts'],
    ['npm test', 'npm test --run', 'npm test [--run]'],
    ['please try it again', 'please try again', 'please try {it }again'],
    ['a  b', 'a\nb', 'a\nb'],
    ['completely different words', 'nothing of it stays', '[nothing of it stays]'],
    ['some words', '', '{some words}'],
    ['', 'some words', '[some words]'],
    ['', '', ''],
    ['größer als 3', 'größer als 4', 'größer als {3}[4]'],
  ])('from %j to %j', (before, after, expected) => {
    expect(told(before, after)).toBe(expected);
  });

  it('keeps every word of the later text, and costs little for long ones', () => {
    const before = Array.from({ length: 5000 }, (_, i) => `w${i}`).join(' ');
    const after = Array.from({ length: 5000 }, (_, i) => `w${i % 7 === 0 ? 'x' : i}`).join(' ');
    const kept = wordDiff(before, after).filter(({ kind }) => kind !== 'gone');
    expect(kept.map(({ text }) => text).join('')).toBe(after);
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

  const loopAt = (start: number, firedAt: number, end: number) => ({
    place: start,
    loop: loop({ detector: 'cycle', start, firedAt, end, text: '', repeats: [] }),
  });
  const lanesOf = (...loops: ReturnType<typeof loopAt>[]) => brackets(loops, (step) => step).map(({ place, lane }) => [place, lane]);

  it('draws overlapping loops one below the other, and no more than there is room for', () => {
    expect(lanesOf(loopAt(1, 2, 4), loopAt(5, 6, 7))).toEqual([
      [1, 0],
      [5, 0],
    ]);
    expect(lanesOf(loopAt(1, 2, 9), loopAt(3, 4, 5), loopAt(6, 7, 8))).toEqual([
      [1, 0],
      [3, 1],
      [6, 1],
    ]);
    expect(lanesOf(loopAt(1, 2, 9), loopAt(2, 3, 9), loopAt(3, 4, 9), loopAt(4, 5, 9))).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
  });

  it('keeps a bracket in order when a source counts its steps strangely', () => {
    expect(brackets([loopAt(5, 9, 3)], (step) => step)).toMatchObject([{ start: 5, noticed: 5, end: 5 }]);
  });
});

describe('the order of runs', () => {
  const named = (id: string, loops: { wasted: number; light?: boolean }[]) =>
    run({
      id,
      file: id,
      format: 'x',
      timeline: 'n'.repeat(50),
      loops: loops.map(({ wasted, light = false }, i) =>
        loop({ detector: 'cycle', start: i, firedAt: i, end: i, text: '', repeats: [], wastedSteps: wasted, light }),
      ),
    });

  it('is worst first: loops before advice, then what was wasted; places stay those of the report', () => {
    const runs = [
      named('calm', []),
      named('advice', [{ wasted: 30, light: true }]),
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
    expect(inFull[0]!.loops.map(({ place }) => place)).toEqual(Array.from({ length: 30 }, (_, i) => 71 + i));
  });
});
