import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectors, isAdvice } from '@unrut/engine/detectors';
import { createGuard } from '@unrut/engine/guard';
import { type Preset, recommended, without } from '@unrut/engine/presets';
import { noColours } from '@unrut/ledger/text/paint';
import { readmePath, runFrom } from '@unrut/test/explain-run';
import { momentsOf, tracesIn } from '@unrut/testing/trace';
import { describe, expect, test } from 'vitest';
import { explainRun } from './explain-run.ts';
import { type ExplainedRun, readRun } from './read-run.ts';
import { createReplays, thresholdOf, tried } from './replays.ts';
import type { Setting } from './report.ts';
import { runText } from './run-text.ts';

/**
 * The steps at which a guard with this setting reports a loop; with `advice`, also those with
 * advice.
 */
function spokenAt(
  { events }: ExplainedRun,
  { options = {}, without: names = [] }: Partial<Setting>,
  advice: boolean,
) {
  const guard = createGuard({ options, preset: without<Preset>(recommended, ...names) });
  return events.flatMap(({ step, event }) =>
    guard
      .observe(event)
      .signals.filter((signal) => advice || !isAdvice(signal))
      .map(({ detector }) => ({ step, detector })),
  );
}

const tracesOf = (name: string): [string, ExplainedRun][] =>
  tracesIn(readFileSync(readmePath(name), 'utf8')).map((trace) => [
    trace.name,
    runFrom(momentsOf(trace.lines).flatMap(({ events }) => events)),
  ]);

describe.each(detectors.map(({ name }) => name))('in the traces of %s', (name) => {
  test.each(tracesOf(name))('what is said of other settings is so: %s', (_, run) => {
    const { loops, nearly } = explainRun(run);
    for (const { start, end, advice, settings } of loops) {
      for (const setting of settings) {
        const left = spokenAt(run, setting, advice).filter(
          ({ step }) => step >= start && step <= end,
        );
        expect(
          [...new Set(left.map(({ detector }) => detector))].sort(),
          JSON.stringify(setting),
        ).toEqual([...setting.speaks].sort());
      }
      expect(
        settings.some(({ speaks }) => speaks.length === 0),
        'something keeps it quiet',
      ).toBe(true);
    }
    for (const { step, detector, setting } of nearly) {
      expect(spokenAt(run, {}, false)).not.toContainEqual({ step, detector });
      expect(spokenAt(run, setting, false), JSON.stringify(setting)).toContainEqual({
        step,
        detector,
      });
    }
  });
});

test('the threshold of a detector is its first option that is a whole number', () => {
  const thresholds = detectors.map((detector) => `${detector.name}.${thresholdOf(detector)?.[0]}`);
  expect(thresholds.filter((name) => !name.endsWith('.threshold'))).toEqual([
    'chanting.repeats',
    'cycle.laps',
    'drifting-click.window',
    'duplicate-batch.batches',
    'fan-out.perMinute',
    'frozen-screen.window',
    'monologue.messages',
    'repeated-action.window',
    'repeated-message.messages',
    'repeated-thought.paragraphs',
    'self-report.reports',
    'similar-output.matches',
    'stalling.calls',
  ]);
});

describe('work that would take too long', () => {
  const run = runFrom(
    momentsOf([
      `lookup {"order":7} -> "Order 7 was shipped on Monday and is on its way." x4`,
    ]).flatMap(({ events }) => events),
  );

  test.each([
    ['nothing', 0, 0],
    ['one setting', run.events.length, 1],
  ])('is left out when there is room for %s', (_, max, count) => {
    const replays = createReplays(run, undefined, max);
    expect(tried({ start: 0, end: 3, advice: false }, ['repeated-call'], replays)).toHaveLength(
      count,
    );
    expect(replays.isSpent).toBe(true);
  });

  test('is reported', () => {
    const explained = explainRun(run);
    const said = runText(
      { ...explained, loops: [{ ...explained.loops[0]!, settings: [] }] },
      { paint: noColours, width: 200 },
    );
    expect(said.join('\n')).toContain('the run is too long to try');
  });

  test('is not begun: of a long run only the beginning is read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-long-'));
    const path = join(folder, 'long.jsonl');
    writeFileSync(
      path,
      '{"type":"call-finished","session":"s","at":1,"call":{"id":"a","tool":"t","args":{}}}\n'.repeat(
        20_010,
      ),
    );
    const { events, limits } = await readRun(path, {});
    rmSync(folder, { recursive: true });
    expect(events).toHaveLength(20_000);
    expect(limits).toEqual(['The run is long: only steps up to 19999 are explained.']);
  });
});
