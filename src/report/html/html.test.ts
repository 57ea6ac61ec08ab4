import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { largeReport, loop, report, run, step } from '../../../test/report/make-report.ts';
import { sampleReport } from '../../../test/report/sample-report.ts';
import type { ScanReport } from '../scan-report.ts';
import { scanPage } from './scan-page.ts';

const page = scanPage(sampleReport, { madeAt: Date.UTC(2026, 2, 5, 10) });
const all = (pattern: RegExp, text = page): string[] => [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
const textOf = (markup: string): string =>
  markup
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');

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
  ])('begins with the finding (%#)', (scanned, headline) => {
    expect(all(/<h1>(.*?)<\/h1>/g, scanPage(scanned))).toEqual([headline]);
  });

  it('says what was wasted, and what of it was still to come', () => {
    expect(textOf(page)).toContain('103 of 939 steps (11%) repeated earlier steps without new information.');
    expect(textOf(page)).toContain('They cost 399k of 5.3M tokens (8%) and $3.02 of $39.62.');
    expect(textOf(page)).toContain('73 of them came after Unrut would have intervened.');
  });

  it('does not speak of costs that no source reports', () => {
    const { tokens: _, wastedTokens: __, usd: ___, wastedUsd: ____, ...totals } = report([loopingRun]).totals;
    expect(textOf(scanPage({ ...report([loopingRun]), totals }))).not.toContain('They cost');
  });

  it('has its parts in order: overview, problems, legend, runs worst first, runs without loops', () => {
    expect(all(/<h2[^>]*>(.*?)<\/h2>/g)).toEqual([
      'Overview',
      'What could not be read',
      'How to read the timelines',
      'Runs with loops',
      'Runs without loops',
    ]);
    expect(all(/<article class="run" id="([^"]*)"/g)).toEqual(['run-5', 'run-8', 'run-3', 'run-2', 'run-6']);
    expect(all(/<caption>(.*?)<\/caption>/g)).toEqual(['Wasted share of steps, worst runs first', 'Kinds of loops', 'Kinds of steps']);
  });

  it.each([
    'npm test failed 7 times in a row in the same way',
    'steps 11 to 18, detected at step 13',
    'How often 7 times (persistent)',
    'Detected by repeated-error , repeated-call , stalling',
    'note at step 13: warns the agent say-what-repeats',
    'escalate at step 17: asks a human ask-human To the agent: Unrut (loop guard) has asked the user',
    'To a human: Unrut: npm test failed 6 times with the same error',
    'settings.json no known form of a run.',
  ])('tells of a loop, of a plan and of a problem: %s', (words) => {
    expect(textOf(page).replace(/ ([,.)])/g, '$1')).toContain(words.replace(/ ([,.)])/g, '$1'));
  });

  it('lines up the steps of a round: one table for each, with the repeats as columns', () => {
    const round = page.slice(page.indexOf('id="run-3-loop-2"'), page.indexOf('</details>', page.indexOf('id="run-3-loop-2"')));
    const heads = all(/<thead>(.*?)<\/thead>/gs, round).map((head) => all(/Step (\d+)/g, head));
    expect(heads).toEqual([
      ['31', '34', '40'],
      ['32', '35', '41'],
      ['33', '36', '42'],
    ]);
    expect(all(/<mark>(.*?)<\/mark>/g, round)).toEqual(expect.arrayContaining(['41ms', '43ms', 'brought back what it had been']));
  });

  it.each([
    ['says what is the same', ['a b c d', 'a b c d'], 'a b c d the same'],
    ['says when only white space differs', ['a b', 'a\nb'], 'a b nearly the same'],
    ['says when only what is cut off differs', ['a b '.repeat(500), 'a b '.repeat(501)], '… nearly the same'],
    ['says when nothing came back', ['a b', '', ''], 'a b nothing nothing'],
    ['folds what did not change around what did', [`${'x '.repeat(300)}1`, `${'x '.repeat(300)}2`], `1 ⋯ ${'x '.repeat(24)}2`],
    ['marks what is gone', ['a b c d', 'a b d'], 'a b c d a b c d'],
  ])('%s', (_, outputs, expected) => {
    const repeats = outputs.map((output, i) => step(i, 'read', 'file', output));
    const shown = scanPage(
      report([
        run({
          id: 'x',
          file: 'x',
          format: 'x',
          timeline: 'nnnn',
          loops: [loop({ detector: 'cycle', start: 0, firedAt: 1, end: 3, text: '', repeats })],
        }),
      ]),
    );
    const [row] = all(/<tr class="output">(.*?)<\/tr>/gs, shown);
    expect(textOf(row!)).toContain(expected);
  });

  it('says how many repeats are left out, where they were', () => {
    const table = page.slice(page.indexOf('id="run-5-loop-1"'), page.indexOf('</thead>', page.indexOf('id="run-5-loop-1"')));
    expect(textOf(table)).toContain('Step 10 28 s later 11 more Step 33 5 min 22 s later Step 35 last, 28 s later');
  });

  it('has one cell for each step, and marks where a loop starts, is noticed and ends', () => {
    const strip = /<div class="strip"[^>]*data-steps="52">(.*?)<\/div>/s.exec(page)![1]!;
    const cells = all(/<i .*?<\/i>/g, strip);
    expect(cells).toHaveLength(52);
    const marked = (part: string): number[] =>
      cells.flatMap((cell, i) => (new RegExp(`<b class="[^"]*\\b${part}\\b`).test(cell) ? [i] : []));
    expect({ start: marked('start'), noticed: marked('noticed'), end: marked('end') }).toEqual({
      start: [11, 31],
      noticed: [13, 38],
      end: [18, 43],
    });
  });

  it('has unique names, and no link to a name that is not there', () => {
    const ids = all(/ id="([^"]*)"/g);
    expect(ids).toEqual([...new Set(ids)]);
    expect(all(/ href="([^"]*)"/g).filter((href) => !ids.includes(href.slice(1)))).toEqual([]);
    expect(ids).toContain('run-3-loop-2');
  });

  it('is made the same way twice', () => {
    expect(scanPage(sampleReport)).toBe(scanPage(structuredClone(sampleReport)));
  });
});

describe('a page needs nothing else', () => {
  it('and refers to nothing outside', () => {
    expect(page).not.toMatch(/https?:|\bsrc=|@import|url\(|<(?:link|iframe|img|object|embed|base)\b/i);
    expect(all(/ href="([^"]*)"/g).filter((href) => !href.startsWith('#'))).toEqual([]);
  });

  it('and allows only its own style and script', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    const hash = (name: string): string => {
      const [content] = all(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'));
      return `${name}-src 'sha256-${createHash('sha256').update(content!).digest('base64')}'`;
    };
    expect(policy.split('; ').slice(0, 3)).toEqual(["default-src 'none'", hash('style'), hash('script')]);
    expect(page).not.toMatch(/<[^>]* style="|<[^>]* on\w+="/);
  });
});

/** A report whose every text, of a run, a loop, a plan, a step and a problem, is this one. */
function madeOf(text: string): ScanReport {
  const steps = [1, 2, 3].map((at) => step(at, text, `${text}${at}`, `${at}${text}`, text));
  const plans = (['note', 'stop'] as const).map((rung) => ({ step: 3, rung, recovery: text, toModel: text, toHuman: text }));
  const hostile = loop({ detector: text, variant: text, also: [text], start: 1, firedAt: 3, end: 4, text, plans, repeats: steps });
  const looping = run({ id: text, file: `${text} file`, format: text, timeline: '<"n>&', loops: [hostile] });
  return report([looping, { ...looping, loops: [] }], [{ file: text, message: text, fatal: true }]);
}

/** The tags of a page with the names of their attributes. What only decorates a text depends on the text. */
const tagsOf = (markup: string): string[] =>
  all(/<[a-z!/][^>]*>/gi, markup.replace(/(?<=<(style|script)>).*?(?=<\/\1>)/gs, ''))
    .map((tag) => tag.replace(/"[^"]*"/g, '""'))
    .filter((tag) => !/^<\/?(?:mark|del|code)>$/.test(tag));

describe('hostile text', () => {
  it.each([
    '</script><img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</title></style><script>alert(1)</script>',
    '<!-- --><![CDATA[ ]]>&lt;b&gt;',
    '`<i>` ${alert(1)} `',
    '\u0000\u001b\u202e\ud800',
    'javascript:alert(1)',
  ])('%j stays text wherever it stands', (text) => {
    const shown = scanPage(madeOf(text), { title: text });
    const harmless = scanPage(madeOf('some words'), { title: 'some words' });
    expect(tagsOf(shown)).toEqual(tagsOf(harmless));
    expect(all(/<script/g, shown)).toHaveLength(1);
    expect(shown.isWellFormed()).toBe(true);
  });
});

it('a run without a name is called by its file', () => {
  expect(all(/<h3[^>]*><a[^>]*>(.*?)<\/a>/g, scanPage(madeOf('')))).toEqual([' file']);
});

describe('a page of a large scan', () => {
  const megabytes = (text: string): number => Buffer.byteLength(text) / 1e6;

  it('shows one long run in a bounded number of cells and loops, and says so', () => {
    const shown = scanPage(largeReport({ runs: 1, steps: 50_000, loops: 500 }));
    expect(all(/<i class="(?:new|nothing|failed|wait)"/g, shown)).toHaveLength(400);
    expect(all(/<details/g, shown)).toHaveLength(30);
    expect(textOf(shown)).toContain('Each cell covers 125 steps');
    expect(textOf(shown)).toContain('470 more loops of this run not shown');
    expect(megabytes(shown)).toBeLessThan(1);
  });

  it('shows the worst of very many runs in full, the others in short, and says so', () => {
    const shown = scanPage(largeReport({ runs: 3000, steps: 600, loops: 2 }));
    expect(all(/<article/g, shown)).toHaveLength(200);
    expect(textOf(shown)).toContain('Only the 200 worst runs above are shown in full');
    expect(textOf(shown)).toContain('500 more runs not listed.');
    expect(megabytes(shown)).toBeLessThan(6);
  });

  it('bounds its loops when every run has many', () => {
    const shown = scanPage(largeReport({ runs: 300, steps: 2000, loops: 20 }));
    expect(all(/<details/g, shown)).toHaveLength(400);
    expect(textOf(shown)).toContain('Only the 20 worst runs above are shown in full');
    expect(megabytes(shown)).toBeLessThan(3);
  });

  it('cuts texts of any length', () => {
    const shown = scanPage(madeOf('words without end '.repeat(100_000)));
    expect(megabytes(shown)).toBeLessThan(0.2);
  });

  it('bounds the plans of a loop', () => {
    const [looping] = madeOf('words').trajectories;
    const plans = Array.from({ length: 100 }, () => looping!.loops[0]!.plans[0]!);
    const shown = scanPage(report([{ ...looping!, loops: [{ ...looping!.loops[0]!, plans }] }]));
    expect(all(/<blockquote>/g, shown)).toHaveLength(12);
    expect(textOf(shown)).toContain('and 88 more plans');
  });

  it('bounds the list of problems', () => {
    const problems = Array.from({ length: 5000 }, (_, i) => ({ file: `${i}.jsonl`, message: 'is empty.', fatal: true }));
    const shown = scanPage(report([], problems));
    expect(textOf(shown)).toContain('and 4,900 more problems');
  });
});
