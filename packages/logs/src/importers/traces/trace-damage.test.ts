import { isObject } from '@unrut/engine/json';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import type { Importer } from '@unrut/reading/importer';
import { importRecords, recordsOf } from '@unrut/test/importers/import-file';
import { FIXTURES } from '@unrut/test/importers/trace-recordings';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inspectAi } from '../inspect-ai.ts';
import { langfuse } from './langfuse.ts';
import { langsmith } from './langsmith.ts';
import { otlp } from './otlp.ts';

const READERS: [string, Importer][] = [otlp, langsmith, langfuse, inspectAi].flatMap((importer) =>
  FIXTURES.filter((name) => name.startsWith(importer.name)).map((name): [string, Importer] => [
    name,
    importer,
  ]),
);

/** Every place of a document with a value: its container and its name. */
function placesIn(value: unknown): [holder: { [name: string]: unknown }, name: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as { [name: string]: unknown };
  return Object.keys(holder).flatMap((name) => [
    [holder, name] as [typeof holder, string],
    ...placesIn(holder[name]),
  ]);
}

const junk = fc.constantFrom<unknown>(
  null,
  3,
  -1,
  '',
  'x',
  '{',
  '{"a":1}',
  [],
  {},
  [null],
  [[]],
  true,
  { role: 'user' },
  { content: [null] },
);

it.each(READERS)(
  '%s with anything anywhere gives events and throws nothing',
  (fixture, importer) => {
    const records = recordsOf(fixture).map((record) =>
      isObject(record) && typeof record.body === 'string' ? JSON.parse(record.body) : record,
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), junk), { minLength: 1, maxLength: 40 }), (damage) => {
        const damaged = structuredClone(records);
        const places = placesIn(damaged);
        for (const [at, value] of damage) {
          const [holder, name] = places[at % places.length]!;
          holder[name] = value;
        }
        importer.recognises(damaged);
        expect(
          importRecords(importer, damaged)
            .events.map(({ event }) => whyNotAnEvent(event))
            .filter(Boolean),
        ).toEqual([]);
      }),
      { numRuns: 30 },
    );
  },
);
