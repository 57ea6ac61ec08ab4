import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whyNotAnEvent } from '@unrut/engine/read-event';
import type { Problem } from '@unrut/ledger/report/scan-report';
import { isFull } from '@unrut/test/full-runs';
import {
  contentsOf,
  importFixture,
  importRecords,
  outline,
  recordsOf,
  SAMPLES,
  sampleOwner,
} from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { scanFile } from '../scan/scan-file.ts';
import { importers } from './index.ts';
import { createSource } from './source.ts';

const root = new URL('../../../../', import.meta.url);
const fixtures = readdirSync(new URL('test/fixtures/transcripts/', root)).filter((name) =>
  /\.(?:jsonl?|txt|md)$/.test(name),
);
const names = importers.map(({ name }) => name);

const ownerOf = (fixture: string): string | undefined => sampleOwner(fixture, names);

describe('formats', () => {
  it.each(fixtures)(
    '%s is recognised by the importer it is named after, and by no other',
    (fixture) => {
      const first = recordsOf(fixture).slice(0, 32);
      expect(
        importers.filter((importer) => importer.recognises(first)).map(({ name }) => name),
      ).toEqual([ownerOf(fixture)]);
    },
  );

  it.each(fixtures)('all that is in %s is found, and every record of it is known', (fixture) => {
    const file = importFixture(importers.find(({ name }) => name === ownerOf(fixture))!, fixture);
    expect(contentsOf(file), 'what test/fixtures/contents.json says of it').toEqual(
      SAMPLES[fixture],
    );
    expect(file.unknown).toEqual([]);
  });

  it.each(names)('%s has a fixture', (name) => {
    expect(fixtures.map(ownerOf)).toContain(name);
  });
});

describe('whatever is cut off or missing', () => {
  it.each(fixtures)(
    'nothing of %s throws, and nothing is half read without a word',
    async (fixture) => {
      const bytes = readFileSync(new URL(`test/fixtures/transcripts/${fixture}`, root));
      const whole = await scanned(fixture, bytes);
      expect(whole.problems.filter(({ fatal }) => fatal)).toEqual([]);
      for (let part = 1; part < CUTS; part++) {
        const at = Math.floor((bytes.length * part) / CUTS);
        const cut = await scanned(fixture, bytes.subarray(0, at));
        // A file that ends with a complete line cannot be recognised as cut; Markdown has no other
        // end.
        const isWhole =
          bytes[at - 1] === NEW_LINE || bytes[at] === NEW_LINE || fixture.endsWith('.md');
        if (!isWhole) expect(cut.problems.length).toBeGreaterThan(0);
        expect(cut.steps).toBeLessThanOrEqual(whole.steps + 1);
      }
    },
  );

  it.each(names)('%s continues whatever a record is, and counts it', (name) => {
    const importer = importers.find((each) => each.name === name)!;
    for (const record of [
      null,
      3,
      'x',
      true,
      [],
      {},
      { type: null },
      { role: 'user' },
      { messages: null },
      { messages: [null, 3] },
    ]) {
      const { events } = importRecords(importer, [record, record]);
      expect(
        events.map(({ event }) => whyNotAnEvent(event)).filter((why) => why !== undefined),
      ).toEqual([]);
    }
    expect(
      importRecords(importer, [null, { type: 'something-new' }]).unknown.length,
    ).toBeGreaterThan(0);
  });
});

const CUTS = isFull ? 24 : 8;
const NEW_LINE = 10;

async function scanned(
  name: string,
  bytes: Buffer,
): Promise<{ steps: number; problems: Problem[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-cut-'));
  try {
    writeFileSync(join(folder, name), bytes);
    const { trajectories, problems } = await scanFile(join(folder, name), {});
    return { steps: trajectories.reduce((sum, { steps }) => sum + steps, 0), problems };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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
  const batches = file.events.flatMap(({ event }) =>
    event.type === 'call-finished' ? [event.batch] : [],
  );
  expect(batches[1]).toBe(batches[2]);
  expect(batches[0]).not.toBe(batches[1]);
  expect(file.events[1]!.event).toMatchObject({
    speaker: 'Planner',
    at: Date.parse('2026-11-15T22:45:00.114Z'),
  });
});

it('in neutral steps a role that is none of the usual ones is the name of who speaks', () => {
  const neutral = importers.find(({ name }) => name === 'neutral-steps')!;
  const heard: (string | undefined)[] = [];
  const reader = neutral.open(
    createSource('team', {
      event: ({ event }) => heard.push(event.speaker),
      unknown: (kind) => heard.push(kind),
    }),
  );
  for (const [i, role] of ['Planner', 'assistant', 'Agent', 'Navigator'].entries())
    reader.read({ i, role, kind: 'message', text: 'Go on.' });
  expect(heard).toEqual(['Planner', undefined, undefined, 'Navigator']);
});

it('the prompt of a nested ATIF trajectory comes from an agent, that of the outer one from the user', () => {
  const lines = outline(importFixture(importers.find(({ name }) => name === 'atif')!, 'atif.json'));
  expect(lines.filter((line) => /person|says/.test(line))).toEqual([
    '0 person "Fix the test."',
    '1 says "Looking."',
    '6 says "Done."',
    '1 run-1-sub says "Two."',
  ]);
});
