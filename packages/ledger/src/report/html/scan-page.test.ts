import { largeReport, loop, report, run, step } from '@unrut/test/report/make-report';
import { sampleReport } from '@unrut/test/report/sample-report';
import { describe, expect, it } from 'vitest';
import type { ScanReport } from '../scan-report.ts';
import { type ScanPageData, scanContent } from './scan-page.ts';

const page = scanContent(sampleReport, { madeAt: Date.UTC(2026, 2, 5, 10) });
const dataOf = ({ data }: { data: ScanPageData }): ScanPageData => data;

const calmRun = run({ id: 'calm', file: 'calm.jsonl', format: 'codex', timeline: 'unnm' });
const loopingRun = run({
  id: 'looping',
  file: 'looping.jsonl',
  format: 'codex',
  timeline: 'unnnnm',
  loops: [loop({ detector: 'cycle', start: 1, firedAt: 3, end: 4, text: '', repeats: [] })],
});

describe('the page of a scan', () => {
  it.each<[ScanReport, string]>([
    [sampleReport, '4 of 9 runs looped'],
    [report([]), 'No runs found'],
    [report([calmRun]), 'No loops in this run'],
    [report([calmRun, calmRun]), 'No loops in 2 runs'],
    [report([loopingRun]), 'This run looped'],
    [report([loopingRun, loopingRun]), 'All 2 runs looped'],
  ])('has the finding as its title (%#)', (scanned, headline) => {
    expect(scanContent(scanned).title).toBe(`${headline} – Unrut scan`);
  });

  it('says what was wasted, and what of it was still to come', () => {
    expect(dataOf(page).lead).toBe(
      '103 of 939 steps (11%) repeated earlier steps without new information. They cost 399k of 5.3M tokens (8%) and $3.02 of $39.62. 73 of them came after Unrut would have intervened.',
    );
  });

  it('does not say what Unrut would have done in a run that it guarded', () => {
    const did = [{ step: 9, rung: 'block' as const }];
    const guarded = sampleReport.trajectories.map((each) => ({ ...each, did }));
    const { lead } = dataOf(scanContent({ ...sampleReport, trajectories: guarded }));
    expect(lead).not.toContain('would have');
  });

  it('does not speak of costs that no source reports', () => {
    const {
      tokens: _,
      wastedTokens: __,
      usd: ___,
      wastedUsd: ____,
      ...totals
    } = report([loopingRun]).totals;
    expect(dataOf(scanContent({ ...report([loopingRun]), totals })).lead).not.toContain(
      'They cost',
    );
  });

  it('has runs worst first, then those without loops, and charts of both', () => {
    const { runs, calm, charts, problems } = dataOf(page);
    expect(runs.map(({ place }) => place)).toEqual([5, 8, 3, 2, 6]);
    expect(calm).toHaveLength(4);
    expect(problems).toHaveLength(2);
    expect(charts.map(({ title }) => title)).toEqual([
      'Wasted share of steps, worst runs first',
      'Kinds of loops',
      'Kinds of steps',
    ]);
  });

  it('has the text of the report where scripts do not run', () => {
    const { text } = page;
    expect(text).toContain('in 4 of 9 runs: 103 of 939 steps wasted');
    expect(text).toContain('failed 7 times in a row in the same way');
  });

  it('is made the same way twice', () => {
    expect(scanContent(sampleReport)).toEqual(scanContent(structuredClone(sampleReport)));
  });
});

/** A report in which every text is this one. */
function madeOf(text: string): ScanReport {
  const steps = [1, 2, 3].map((at) => step(at, text, `${text}${at}`, `${at}${text}`, text));
  const plans = (['note', 'stop'] as const).map((rung) => ({
    step: 3,
    rung,
    recovery: text,
    toModel: text,
    toHuman: text,
  }));
  const hostile = loop({
    detector: text,
    variant: text,
    also: [text],
    start: 1,
    firedAt: 3,
    end: 4,
    text,
    plans,
    repeats: steps,
  });
  const looping = run({
    id: text,
    file: `${text} file`,
    format: text,
    timeline: '<"n>&',
    loops: [hostile],
  });
  return report([looping, { ...looping, loops: [] }], [{ file: text, message: text, fatal: true }]);
}

describe('a page of a large scan', () => {
  const megabytes = (content: object): number => Buffer.byteLength(JSON.stringify(content)) / 1e6;

  it('shows one long run in a bounded number of letters and loops, and says so', () => {
    const shown = scanContent(largeReport({ runs: 1, steps: 50_000, loops: 500 }));
    const [long] = dataOf(shown).runs;
    expect(long).toMatchObject({
      size: 5,
      loops: 500,
      letters: expect.stringMatching(/^.{10000}$/),
    });
    expect(long!.shown).toHaveLength(30);
    expect(megabytes(shown)).toBeLessThan(1);
  });

  it('shows the worst of very many runs in full, the others in short, and says so', () => {
    const shown = scanContent(largeReport({ runs: 3000, steps: 600, loops: 2 }));
    const { runs, further, calm, left } = dataOf(shown);
    expect([runs.length, further.length, calm.length]).toEqual([200, 1000, 1000]);
    expect(left).toEqual({ problems: 0, further: 300, calm: 500 });
    expect(megabytes(shown)).toBeLessThan(6);
  });

  it('bounds its loops when every run has many', () => {
    const shown = scanContent(largeReport({ runs: 300, steps: 2000, loops: 20 }));
    expect(dataOf(shown).runs.flatMap((each) => each.shown)).toHaveLength(400);
    expect(megabytes(shown)).toBeLessThan(3);
  });

  it('cuts texts of any length', () => {
    const shown = scanContent(madeOf('words without end '.repeat(100_000)));
    expect(megabytes(shown)).toBeLessThan(0.2);
  });

  it('bounds the list of problems', () => {
    const problems = Array.from({ length: 5000 }, (_, i) => ({
      file: `${i}.jsonl`,
      message: 'is empty.',
      fatal: true,
    }));
    expect(dataOf(scanContent(report([], problems)))).toMatchObject({ left: { problems: 4900 } });
  });
});
