import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scanContent } from '@unrut/ledger/report/html/scan-page';
import { scanText } from '@unrut/ledger/report/scan-text';
import { noColours } from '@unrut/ledger/text/paint';
import { places, SECRETS } from '@unrut/test/planted-secrets';
import { call, lines, message, person } from '@unrut/test/scan/neutral';
import { afterAll, describe, expect, it } from 'vitest';
import { scan } from './scan.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** All texts that a scan of these records can print. */
async function printed(records: readonly unknown[]): Promise<{ all: string; signals: number }> {
  const path = join(folder, 'run.jsonl');
  writeFileSync(path, lines(records));
  const report = await scan({ paths: [path] });
  const text = scanText(report, { paint: noColours, width: 100, top: 99 }).join('\n');
  return {
    all: [JSON.stringify(report), text, JSON.stringify(scanContent(report))].join('\n'),
    signals: report.totals.signals,
  };
}

describe.each(Object.entries(places))('a secret in %s', (_, place) => {
  it.each(Object.entries(SECRETS))('reaches no report: %s', async (_, secret) => {
    const events = Array.from({ length: 8 }, (_, i) => ({
      session: 's',
      at: (i + 1) * 5000,
      ...place(secret, i + 1),
    }));
    const { all, signals } = await printed(events);
    expect(signals, 'it must loop, or nothing is shown').toBeGreaterThan(0);
    expect(all).not.toContain(secret);
  });
});

/** Secrets recognised only by their context, in places that a report shows. */
const SHAPES: Record<string, [string, string]> = {
  'an apiKey': ['{"apiKey":"plain-words-value"}', 'plain-words-value'],
  'an api_key': ['api_key = plain-words-value', 'plain-words-value'],
  'an API-KEY': ['API-KEY: plain-words-value', 'plain-words-value'],
  'a bearer': ['Authorization: Bearer plain.words.value', 'plain.words.value'],
  'a cookie': ['Cookie: session=plain-words-value; theme=dark', 'plain-words-value'],
  'a URL with credentials': ['https://bob:plain-words-value@host.example/x', 'plain-words-value'],
  'a PEM block': [
    `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(40)}-----END PRIVATE KEY-----`,
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  ],
  'a PEM block that the excerpt cuts': [
    `${'x '.repeat(250)}-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(400)}`,
    'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC',
  ],
};

describe.each(Object.entries(SHAPES))('%s', (_, [text, secret]) => {
  const shown: [string, (i: number) => unknown][] = [
    ['in an argument', (i) => call(i, 'fetch_page', { header: text }, 'the same page')],
    [
      'deep in an argument',
      (i) => call(i, 'fetch_page', { options: { headers: [text] } }, 'the same page'),
    ],
    ['in arguments that are text', (i) => call(i, 'fetch_page', text, 'the same page')],
    ['in a result', (i) => call(i, 'lookup', { id: 1 }, text)],
    [
      'in a structured result',
      (i) => call(i, 'lookup', { id: 1 }, { content: [{ type: 'text', text }] }),
    ],
    [
      'in a message',
      (i) => message(i, `I will use ${text} now, as I have said before, and then look again.`),
    ],
  ];
  it.each(shown)('%s reaches no report', async (_, step) => {
    const { all, signals } = await printed([
      person(0, text),
      ...Array.from({ length: 7 }, (_, i) => step(i + 1)),
    ]);
    expect(signals, 'it must loop, or nothing is shown').toBeGreaterThan(0);
    expect(all).not.toContain(secret);
  });
});

it('what a user typed is shown as its length', async () => {
  const typed = 'Grandmother Maria';
  for (const step of [
    (i: number) =>
      call(i, 'browser_type', { ref: 'e12', text: typed }, 'Error: the field is read-only'),
    (i: number) =>
      call(
        i,
        'browser_fill_form',
        { fields: [{ name: 'Name', value: typed }] },
        'Error: the field is read-only',
      ),
    (i: number) => call(i, 'fill', `'e12', '${typed}'`, 'Error: the field is read-only'),
    (i: number) => call(i, 'computer', { action: 'type', text: typed }, 'Error: nothing has focus'),
  ]) {
    const { all, signals } = await printed(Array.from({ length: 7 }, (_, i) => step(i)));
    expect(signals).toBeGreaterThan(0);
    expect(all).not.toContain(typed);
  }
});
