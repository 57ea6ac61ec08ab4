import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importFixture, outline, recordsOf } from '../../test/importers/import-file.ts';
import { importers } from './index.ts';

const root = new URL('../../', import.meta.url);
const fixtures = readdirSync(new URL('test/fixtures/transcripts/', root)).filter((name) => /\.jsonl?$/.test(name));
const names = importers.map(({ name }) => name);

/** The importer that a fixture is named after: the longest name that it begins with. */
const ownerOf = (fixture: string): string | undefined =>
  names.filter((name) => fixture.startsWith(name)).sort((one, other) => other.length - one.length)[0];

describe('formats', () => {
  it.each(fixtures)('%s is recognised by the importer it is named after, and by no other', (fixture) => {
    const first = recordsOf(fixture).slice(0, 32);
    expect(importers.filter((importer) => importer.recognises(first)).map(({ name }) => name)).toEqual([ownerOf(fixture)]);
  });

  it.each(names)('%s has a fixture', (name) => {
    expect(fixtures.map(ownerOf)).toContain(name);
  });
});

it('neutral steps become events with their own indices', () => {
  const neutral = importers.find(({ name }) => name === 'neutral-steps')!;
  const file = importFixture(neutral, 'neutral-steps.jsonl');
  expect(outline(file)).toEqual([
    '0 person "Mend the build."',
    '1 says "I will run the tests first."',
    '2 thinks "Which one fails?"',
    '2 calls Bash {"command":"npm test"}',
    '2 Bash returns "1 failed" error true',
    '3 calls Read {"file_path":"/home/dev/project/a.ts"}',
    '3 Read returns "export const a = 1;"',
    '4 calls Read {"file_path":"/home/dev/project/b.ts"}',
    '4 Read returns "export const b = 2;"',
    `5 calls click "'a12'"`,
    '5 click returns nothing known',
  ]);
  const batches = file.events.flatMap(({ event }) => (event.type === 'call-finished' ? [event.batch] : []));
  expect(batches[1]).toBe(batches[2]);
  expect(batches[0]).not.toBe(batches[1]);
  expect(file.events[1]!.event).toMatchObject({ speaker: 'Planner', at: Date.parse('2026-11-15T22:45:00.114Z') });
});
