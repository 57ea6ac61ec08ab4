import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { archiveRecords } from './archive.ts';

/**
 * Made with Python's zipfile, as Inspect does: one sample is deflated, the other stored with 64-bit
 * sizes.
 */
const EVAL = fileURLToPath(
  new URL('../../../../test/fixtures/archives/inspect-ai.eval', import.meta.url),
);
const LOG = new URL('../../../../test/fixtures/transcripts/inspect-ai.json', import.meta.url);

const folder = mkdtempSync(join(tmpdir(), 'unrut-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the samples of an evaluation are its records', () => {
  expect([...archiveRecords(EVAL)]).toEqual(JSON.parse(readFileSync(LOG, 'utf8')).samples);
});

const bytes = readFileSync(EVAL);
const changed = (at: number, byte: number): Buffer =>
  Buffer.from(bytes.map((each, index) => (index === at ? byte : each)));

it.each<[string, Buffer]>([
  ['cut off', bytes.subarray(0, bytes.length - 30)],
  ['empty', Buffer.alloc(0)],
  ['not an archive', Buffer.from('PK\u0003\u0004 and no more')],
  ['damaged in a sample', changed(bytes.indexOf('samples/') + 60, 0xff)],
  ['damaged in its directory', changed(bytes.lastIndexOf('samples/') - 46, 0)],
  ['packed in a way that is not known', changed(bytes.lastIndexOf('samples/fix') - 46 + 10, 12)],
])('an archive that is %s says so', (name, content) => {
  const file = join(folder, name.replaceAll(' ', '-'));
  writeFileSync(file, content);
  expect(() => [...archiveRecords(file)]).toThrow('the compressed data is damaged');
});
