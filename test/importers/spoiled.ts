import { whyNotAnEvent } from '@unrut/engine/read-event';
import type { Importer } from '@unrut/reading/importer';
import { expect, it } from 'vitest';
import { importRecords, recordsOf } from './import-file.ts';

const SPOILS: unknown[] = [undefined, null, -1, 'x', [], {}, [null], true];

/** Every way to spoil one value somewhere in a record: each is put in the place of each. */
function* spoiled(record: unknown): Generator<unknown> {
  for (const spoil of SPOILS) yield spoil;
  if (typeof record !== 'object' || record === null) return;
  const keys = Object.keys(record);
  for (const key of keys) {
    for (const value of spoiled((record as Record<string, unknown>)[key])) {
      yield Array.isArray(record) ? record.with(Number(key), value) : { ...record, [key]: value };
    }
  }
}

/**
 * If any single value of a fixture is missing or has another type, an importer continues, and
 * produces valid events.
 */
export function survivesSpoiling(importer: Importer, fixtures: readonly string[]): void {
  it.each(fixtures)('goes on whatever is missing or of another kind in %s', (fixture) => {
    const records = recordsOf(fixture);
    const complaints = new Set<string | undefined>();
    for (const [i, record] of records.entries()) {
      for (const value of spoiled(record)) {
        const { events } = importRecords(importer, [
          ...records.slice(Math.max(0, i - 1), i),
          value,
          ...records.slice(i + 1, i + 2),
        ]);
        for (const { event } of events) complaints.add(whyNotAnEvent(event));
      }
    }
    complaints.delete(undefined);
    expect([...complaints]).toEqual([]);
  });
}
