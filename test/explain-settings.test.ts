import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAdvice } from '../src/detectors/index.ts';
import { explainRun } from '../src/explain/explain-run.ts';
import { follow } from '../src/explain/follow.ts';
import { keepQuiet } from '../src/explain/keep-quiet.ts';
import { type Run, readRun } from '../src/explain/read-run.ts';
import { createReplayer } from '../src/explain/replay.ts';
import type { Setting } from '../src/explain/report.ts';
import { runText } from '../src/explain/run-text.ts';
import { guardOptions } from '../src/explain/setting.ts';
import { valuesOf } from '../src/explain/variants.ts';
import { whatIf } from '../src/explain/what-if.ts';
import { createWorkshop } from '../src/explain/workshop.ts';
import { createGuard, detectors } from '../src/index.ts';
import { momentsOf, tracesIn } from '../src/testing/index.ts';
import { noColours } from '../src/text/paint.ts';
import { readmePath, runFrom } from './explain-run.ts';

/** The steps at which a guard with this setting speaks of a loop; with `advice`, also those at which it advises. */
function spokenAt({ events }: Run, setting: Setting | null, advice: boolean): { step: number; detector: string }[] {
  const guard = createGuard(setting ? guardOptions(setting) : {});
  return events.flatMap(({ step, event }) =>
    guard
      .observe(event)
      .signals.filter((signal) => advice || !isAdvice(signal))
      .map(({ detector }) => ({ step, detector })),
  );
}

const tracesOf = (name: string): [string, Run][] =>
  tracesIn(readFileSync(readmePath(name), 'utf8')).map((trace) => [
    trace.name,
    runFrom(momentsOf(trace.lines).flatMap(({ events }) => events)),
  ]);

describe.each(detectors.map(({ name }) => name))('in the traces of %s', (name) => {
  test.each(tracesOf(name))('what is said to change a verdict does change it: %s', (_, run) => {
    const { loops, misses } = explainRun(run);
    for (const { start, end, light, settings } of loops) {
      for (const setting of settings!) {
        const left = spokenAt(run, setting, light).filter(({ step }) => step >= start && step <= end);
        expect([...new Set(left.map(({ detector }) => detector))].sort(), JSON.stringify(setting)).toEqual(
          [...(setting.still ?? [])].sort(),
        );
      }
    }
    for (const { repeats, because, settings } of misses) {
      const advice = because.some(({ kind }) => kind === 'waiting');
      const before = spokenAt(run, null, advice);
      for (const setting of settings) {
        const found = spokenAt(run, setting, advice).filter(
          (each) => repeats.includes(each.step) && !before.some(({ step, detector }) => step === each.step && detector === each.detector),
        );
        expect(found, JSON.stringify(setting)).not.toEqual([]);
      }
    }
  });
});

test('every loop in the firing traces can be kept quiet by something', () => {
  const stubborn = detectors.flatMap(({ name }) =>
    tracesOf(name).flatMap(([trace, run]) =>
      explainRun(run)
        .loops.filter(({ settings }) => !settings!.some(({ still }) => !still))
        .map(({ start, end }) => `${name}: ${trace}, ${start} to ${end}`),
    ),
  );
  expect(stubborn).toEqual([]);
});

describe('work that would take too long', () => {
  const run = runFrom(
    momentsOf([`lookup {"order":7} -> "Order 7 was shipped on Monday and is on its way." x4`]).flatMap(({ events }) => events),
  );
  const alarm = { start: 0, end: 3, light: false, detectors: ['repeated-call'], members: follow(run).steps };

  test.each([
    ['nothing', 0, null],
    ['one setting', run.events.length, 1],
  ])('is left out when there is room for %s', (_, most, count) => {
    const replayer = createReplayer(run, undefined, most);
    const settings = keepQuiet(alarm, { ...createWorkshop(follow(run)), replayer });
    expect(settings?.length ?? null).toBe(count);
    expect(replayer.isSpent).toBe(true);
  });

  test('is told of', () => {
    const explained = explainRun(run);
    const said = runText({ ...explained, loops: [{ ...explained.loops[0]!, settings: null }] }, { paint: noColours, width: 200 });
    expect(said.join('\n')).toContain('was not tried, as the run is long');
  });

  test('is not begun: of a long run only the beginning is read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unrut-long-'));
    const path = join(folder, 'long.jsonl');
    writeFileSync(path, '{"type":"user-spoke","session":"s","at":1}\n'.repeat(20_010));
    const { events, limits } = await readRun(path, {});
    rmSync(folder, { recursive: true });
    expect(events).toHaveLength(20_000);
    expect(limits).toEqual(['The run is long: only its steps up to 19999 are explained.']);
  });
});

describe('variants', () => {
  test.each<[unknown, unknown[], unknown[]]>([
    [true, [false], []],
    [3, [2, 1], [4, 5, 6]],
    [300, [240, 200, 150], [375, 450, 600]],
    [0.9, [0.85, 0.8, 0.75], [0.95, 1]],
    ['text', [], []],
    [Number.NaN, [], []],
  ])('of %j go down and up from it, the nearest first', (was, down, up) => {
    const values = valuesOf(was);
    const isDown = ({ value }: { value: unknown }): boolean => typeof value === 'boolean' || Number(value) < Number(was);
    expect(values.filter(isDown).slice(0, 3)).toEqual(down.map((value, i) => ({ value, notches: i + 1 })));
    expect(
      values
        .filter((each) => !isDown(each))
        .slice(0, 3)
        .slice(0, up.length),
    ).toEqual(up.map((value, i) => ({ value, notches: i + 1 })));
  });

  test.each(detectors.filter(({ yields }) => yields).map(({ name }) => name))(
    'of the net %s stay silent beside those that speak',
    (net) => {
      const { events } = runFrom(
        momentsOf(['lookup {"order":7} -> "Order 7 was shipped on Monday and is on its way." x12']).flatMap((moment) => moment.events),
      );
      const speaking = spokenAt({ events } as Run, null, true).map(({ step }) => step);
      const voices = whatIf({ events }, { detectors: [net] }).flatMap((each) => each.voices);
      expect(voices.filter(({ step }) => speaking.includes(step))).toEqual([]);
    },
  );
});
