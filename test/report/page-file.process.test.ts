import { createHash } from 'node:crypto';
import { type ScanPageData, scanPage } from '@unrut/ledger/report/html/scan-page';
import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { describe, expect, it } from 'vitest';
import { loop, report, run, step } from './make-report.ts';
import { sampleReport } from './sample-report.ts';

/** It is built here, from a checkout that has not been built. */
const page = scanPage(sampleReport);
const all = (pattern: RegExp, text = page): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
/** What the page shows, as it finds it in itself. */
const dataOf = (text: string): ScanPageData =>
  JSON.parse(all(/<script type="application\/json" id="data">(.*?)<\/script>/gs, text)[0]!);

describe('a page needs nothing else', () => {
  it('and refers to nothing outside', () => {
    const markup = page.replace(/(?<=<script[^>]*>).*?(?=<\/script>)/gs, '');
    expect(markup).not.toMatch(
      /https?:|\bsrc=|\bhref=|@import|url\(|<(?:link|iframe|img|object|embed|base)\b/i,
    );
  });

  it('and allows only its own style and script', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)![1]!;
    const hash = (kind: string, pattern: RegExp): string =>
      `${kind}-src 'sha256-${createHash('sha256').update(all(pattern)[0]!).digest('base64')}'`;
    const own = [
      hash('style', /<style>(.*?)<\/style>/gs),
      hash('script', /<script type="module">(.*?)<\/script>/gs),
    ];
    expect(policy.split('; ').slice(0, 3)).toEqual(["default-src 'none'", ...own]);
  });
});

/** A report whose every text, of a run, a loop, a plan, a step and a problem, is this one. */
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

/** The tags of a page with the names of their attributes. */
const tagsOf = (markup: string): string[] =>
  all(/<[a-z!/][^>]*>/gi, markup.replace(/(?<=<(style|script)[^>]*>).*?(?=<\/\1>)/gs, '')).map(
    (tag) => tag.replace(/"[^"]*"/g, '""'),
  );

describe('hostile text', () => {
  it.each([
    '</script><img src=x onerror=alert(1)>',
    '"><svg onload=alert(1)>',
    "' autofocus onfocus='alert(1)",
    '</title></style></noscript><script>alert(1)</script>',
    '<!-- --><![CDATA[ ]]>&lt;b&gt;',
    '`<i>` ${alert(1)} `',
    '\u0000\u001b\u202e\ud800',
    '<!--data--> $& <title>Unrut</title>',
  ])('%j stays text wherever it stands', (text) => {
    const shown = scanPage(madeOf(text), { title: text });
    const harmless = scanPage(madeOf('some words'), { title: 'some words' });
    expect(tagsOf(shown)).toEqual(tagsOf(harmless));
    expect(all(/<script/g, shown)).toHaveLength(2);
    expect(shown.isWellFormed()).toBe(true);
    const told = dataOf(shown).runs[0]!.shown[0]!.text;
    if (/^[ -~]*$/.test(text)) expect(told).toBe(text);
    else expect(told).toBe('␀␛\ufffd\ufffd');
  });
});
