import { readdirSync } from 'node:fs';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import type { Importer } from '@unrut/reading/importer';
import { expect, it } from 'vitest';
import { importRecords, recordsOf } from './import-file.ts';

const GARBAGE: unknown[] = [
  null,
  3,
  'x',
  true,
  [],
  [{}],
  {},
  { type: null },
  { type: 'message' },
  { role: 'user' },
  { i: 0, kind: 'message', text: 'x' },
];

/** Requirements for every importer: it recognises only its own files, and never throws. */
export function behavesWell(
  importer: Importer,
  own: readonly string[],
  broken: readonly unknown[],
): void {
  it.each(own)('knows %s, also without its first line', (fixture) => {
    const records = recordsOf(fixture);
    expect(importer.recognises(records.slice(0, 32))).toBe(true);
    if (records.length > 1) expect(importer.recognises(records.slice(1, 33))).toBe(true);
  });

  it('knows no other file', () => {
    const all = readdirSync(new URL('../fixtures/transcripts/', import.meta.url)).filter((file) =>
      /\.(?:jsonl?|txt|md)$/.test(file),
    );
    expect(all).toEqual(expect.arrayContaining([...own]));
    const foreign = all.filter((file) => !own.includes(file));
    expect(foreign.filter((file) => importer.recognises(recordsOf(file).slice(0, 32)))).toEqual([]);
    expect(GARBAGE.filter((record) => importer.recognises([record]))).toEqual([]);
  });

  it.each([...GARBAGE, ...broken].map((record) => [JSON.stringify(record), record]))(
    'survives %s',
    (_, record) => {
      const { events } = importRecords(importer, [record, record]);
      expect(
        events
          .map(({ event }) => whyNotAnEvent(event))
          .filter((complaint) => complaint !== undefined),
      ).toEqual([]);
    },
  );

  it('knows every record of its own files', () => {
    expect(own.flatMap((fixture) => importRecords(importer, recordsOf(fixture)).unknown)).toEqual(
      [],
    );
  });

  it('counts what it does not know', () => {
    expect(importRecords(importer, [null, { type: 'something-new' }]).unknown).toHaveLength(2);
  });
}
