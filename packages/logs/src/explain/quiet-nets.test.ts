import { recommended } from '@unrut/engine/presets';
import { noColours } from '@unrut/ledger/text/paint';
import { runOf } from '@unrut/test/explain-run';
import { describe, expect, test } from 'vitest';
import { explainRun } from './explain-run.ts';
import type { Quiet } from './report.ts';
import { runText } from './run-text.ts';

const quietIn = (...lines: string[]): Record<string, Quiet> =>
  Object.fromEntries(explainRun(runOf(...lines)).quiet.map((each) => [each.detector, each]));

const FAILS = 'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds"';
const EDIT = 'Edit {"file_path":"/repo/a.ts","old_string":"x","new_string":"y"} -> "updated"';

describe('why a detector kept quiet', () => {
  test.each<[string, string[], string, Partial<Quiet>]>([
    [
      'progress',
      [`${FAILS} x2`, EDIT, `${FAILS} x2`],
      'repeated-call',
      {
        reached: 2,
        threshold: 3,
        why: expect.stringMatching(/^then step 2, Edit .*, made progress \(write\)$/),
      },
    ],
    [
      'the end',
      [`${FAILS} x2`],
      'repeated-call',
      { reached: 2, step: 1, why: 'then the run ended' },
    ],
    [
      'a person',
      [`${FAILS} x2`, 'user "Once more, please."', `${FAILS} x2`],
      'repeated-call',
      { reached: 2, why: 'then the user spoke, which resets all counts' },
    ],
    [
      'a net that would have spoken',
      [`${FAILS} x6`],
      'stalling',
      { reached: 5, threshold: 5, why: expect.stringMatching(/^it gave way to .*repeated-call/) },
    ],
    [
      'a net that has not seen enough',
      [`${FAILS} x6`, EDIT],
      'stuck',
      { threshold: 8, why: expect.stringContaining('made progress (write)') },
    ],
    ['nothing of the kind', [`${FAILS} x2`], 'monologue', { why: 'Quiet at any threshold' }],
  ])('is told: %s', (_, lines, detector, expected) =>
    expect(quietIn(...lines)[detector]).toMatchObject(expected),
  );

  test('one that spoke is not among them; every other stable one is, the nearest first', () => {
    const { quiet } = explainRun(runOf(`${FAILS} x3`));
    const names = quiet.map(({ detector }) => detector);
    expect(names).not.toContain('repeated-call');
    const spoke = ['repeated-call', 'repeated-error'];
    expect(names.toSorted()).toEqual(
      recommended.detectors
        .flatMap(({ name, status }) => (status === 'stable' && !spoke.includes(name) ? [name] : []))
        .toSorted(),
    );
    const shares = quiet.map(({ reached = 0, threshold = 1 }) => reached / threshold);
    expect(shares).toEqual(shares.toSorted((one, other) => other - one));
  });

  test('a lap of ten steps that was made only twice', () => {
    const lap = Array.from(
      { length: 10 },
      (_, i) =>
        `goto {"line":${i * 70 + 3}} -> "line ${i}: the quick brown fox of part ${i} jumps over"`,
    );
    for (const net of ['stalling', 'stuck'])
      expect(quietIn(...lap, ...lap)[net]!.why).toMatch(
        /^10 calls brought nothing \(steps 10 to 19\), but/,
      );
    const text = runText(explainRun(runOf(...lap, ...lap)), { paint: noColours, width: 100 }).join(
      '\n',
    );
    expect(text).toContain('Why the detectors kept quiet\n· ');
  });

  test('with --detector only those are told of', () => {
    expect(
      explainRun(runOf(`${FAILS} x2`), ['stuck', 'cycle'])
        .quiet.map(({ detector }) => detector)
        .toSorted(),
    ).toEqual(['cycle', 'stuck']);
  });
});

test('what keeps a run quiet is given as a line of the settings, also where it is a detector that is switched off', () => {
  const text = runText(explainRun(runOf('duplicate {"a":1} -> "x"', `${FAILS} x6`)), {
    paint: noColours,
    width: 400,
  }).join('\n');
  expect(text).toMatch(/detectors\.repeated-(?:call|error) false/);
  expect(text).toContain('or in unrut.config.json: "detectors": { "');
  expect(text).not.toMatch(/would have kept it quiet:\n\s*· without\(/);
});
