import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { countRaw } from './count-raw.ts';
import { SAMPLES } from './import-file.ts';
import { MARKS } from './raw-marks.ts';

const textIn = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it.each(Object.entries(SAMPLES))(
  '%s has as much in it as is said of it, counted without its reader',
  (name, said) => {
    expect(
      countRaw(name, textIn(`test/fixtures/transcripts/${name}`)),
      'what the marks in raw-marks.ts count',
    ).toEqual(said);
  },
);

it('every mark belongs to a sample', () => {
  expect(Object.keys(MARKS).filter((name) => !(name in SAMPLES))).toEqual([]);
});

it('a mark that captures counts what is equal once, and others each time', () => {
  expect(
    countRaw(
      'codex-exec.jsonl',
      '{"id":"a","type":"web_search"} {"id":"a","type":"web_search"} {"id":"b","type":"file_change"}',
    ).calls,
  ).toBe(2);
  expect(countRaw('crush.json', '{"type":"tool_call"} {"type":"tool_call"}').calls).toBe(2);
});
