import { defineConfig } from '@unrut/ledger/config/config';
import { describe, expect, test } from 'vitest';
import { defineDetector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import type { CallFinished } from './event.ts';
import { createGuard, type GuardOptions } from './guard.ts';
import { option } from './option.ts';
import { recommended, strict, without } from './presets.ts';

/** The lines of the error that a guard with these options throws. */
function complaints(options: unknown): string[] {
  try {
    createGuard(options as GuardOptions);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(UnrutError);
    expect(error).toMatchObject({ code: 'bad-option' });
    return (error as Error).message.replace('[unrut] createGuard: ', '').split('\n');
  }
}

describe('createGuard says what is wrong before it starts', () => {
  const ofCall = (threshold: unknown) => ({ options: { 'repeated-call': { threshold } } });
  test.each<[unknown, string]>([
    [
      ofCall(0),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `0`. The default is `3`.',
    ],
    [
      ofCall(-1),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `-1`. The default is `3`.',
    ],
    [
      ofCall('x'),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `"x"`. The default is `3`.',
    ],
    [
      ofCall(2.5),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `2.5`. The default is `3`.',
    ],
    [
      ofCall(Number.NaN),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `NaN`. The default is `3`.',
    ],
    [
      ofCall(null),
      'repeated-call: Expected `threshold` to be an integer of at least 2, got `null`. The default is `3`.',
    ],
    [
      { options: { 'repeated-call': { treshold: 4 } } },
      'repeated-call: Unknown key `treshold`. Did you mean `threshold`?',
    ],
    [
      { options: { 'repeated-call': 4 } },
      'Expected `options.repeated-call` to be an object, got `4`.',
    ],
    [
      { options: { monologue: { fresh: 34 } } },
      'monologue: Expected `fresh` to be a number from 0 to 1, got `34`. The default is `0.34`.',
    ],
    [
      { options: [] },
      'Expected `options` to be an object of options by detector name, got an empty list.',
    ],
    [
      { can: ['notes'] },
      'Expected `can[0]` to be one of note, hint, substitute, block, redirect, escalate, stop, got `"notes"`. Did you mean `note`?',
    ],
    [{ can: 'note' }, 'Expected `can` to be a list of capabilities, got `"note"`.'],
    [{ shadwo: true }, 'Unknown key `shadwo`. Did you mean `shadow`?'],
    [{ shadow: 'no' }, 'Expected `shadow` to be true or false, got `"no"`.'],
    [
      { preset: 'strict' },
      'Expected `preset` to be a preset, such as `strict` of `import { strict } from \'unrut\'`, got `"strict"`.',
    ],
    [
      { preset: { detectors: [] } },
      "Expected `preset` to be a preset, such as `strict` of `import { strict } from 'unrut'`, got an object.",
    ],
    [{ sessions: 0 }, 'Expected `sessions` to be an integer of at least 1, got `0`.'],
    [{ tools: { jobs: { pol: true } } }, 'Unknown key `tools.jobs.pol`. Did you mean `poll`?'],
    [{ key: 7 }, 'Expected `key` to be a string, got `7`.'],
  ])('%j', (options, line) => expect(complaints(options)).toEqual([line]));

  test('everything at once, a line each', () => {
    const options = {
      shadwo: true,
      attended: 1,
      options: { cycle: { laps: 1, longest: 0 }, whatever: {} },
      allow: ['wipe'],
    };
    expect(complaints(options)).toEqual([
      expect.stringContaining('Unknown key `options.whatever`. Known: amnesia, chanting, cycle, '),
      'Expected `attended` to be true or false, got `1`.',
      'Expected `allow[0]` to be the name of a recovery or a candidate, got `"wipe"`.',
      'Unknown key `shadwo`. Did you mean `shadow`?',
      'cycle: Expected `laps` to be an integer of at least 2, got `1`. The default is `3`.',
      'cycle: Expected `longest` to be an integer from 2 to 16, got `0`. The default is `16`.',
    ]);
  });

  test('nothing of options that are in order', () => {
    expect(complaints({})).toEqual([]);
    expect(
      complaints({
        can: [],
        options: { cycle: { laps: 2 } },
        shadow: undefined,
        sessions: 1,
        tools: { a: { verb: 'read' } },
      }),
    ).toEqual([]);
    for (const { name, options } of recommended.detectors)
      expect(complaints({ options: { [name]: options } })).toEqual([]);
  });
});

test('an option that is undefined keeps its default', () => {
  const guard = createGuard({
    options: { 'repeated-call': { threshold: undefined }, cycle: undefined },
  });
  const call = { id: '1', tool: 'lookup', args: {} };
  const verdicts = [1, 2, 3].map((i) =>
    guard.observe({
      type: 'call-finished',
      session: 's',
      at: i * 5000,
      call,
      result: 'the same answer',
    }),
  );
  expect(verdicts.map(({ signals }) => signals.length)).toEqual([0, 0, 1]);
});

test('options are typed by the detectors of the preset', () => {
  createGuard({ options: { 'repeated-call': { threshold: 4 } } });
  createGuard({ preset: without('cycle'), options: { 'repeated-call': { threshold: 4 } } });
  // @ts-expect-error: a misspelt name
  expect(() => without('cycles')).toThrow(/has no detector or recovery of that name/);
  // @ts-expect-error: the same with a preset
  expect(() => without(strict, 'cycles')).toThrow(/has no detector or recovery of that name/);
  expect(without(strict, 'cycle', 'stop-run').recoveries.length).toBe(strict.recoveries.length - 1);
  // @ts-expect-error: a misspelt option
  expect(() => createGuard({ options: { 'repeated-call': { treshold: 4 } } })).toThrow(UnrutError);
  // @ts-expect-error: a misspelt detector
  expect(() => createGuard({ options: { 'repeated-cal': { threshold: 4 } } })).toThrow(UnrutError);
  // @ts-expect-error: a value of another kind
  expect(() => createGuard({ options: { 'repeated-call': { threshold: '4' } } })).toThrow(
    UnrutError,
  );
  // @ts-expect-error: the name of a preset, as in a config
  expect(() => createGuard({ preset: 'strict' })).toThrow(UnrutError);
});

test('options of a detector of your own are typed too, and so are those in a config', () => {
  const mine = defineDetector({
    name: 'mine',
    status: 'trial',
    watches: ['call-finished'],
    rungs: { first: 'note', highest: 'note' },
    options: { limit: option.integer(2, { from: 1 }, 'Calls that are too many.') },
    start: () => ({ calls: 0 }),
    step: (state, { step }, { limit }) =>
      ++state.calls > limit
        ? {
            variant: 'many',
            count: state.calls,
            since: step,
            keys: ['mine'],
            strength: 1,
            facts: {},
          }
        : null,
    explain: ({ count }) => `${count} calls`,
    moves: ['make fewer'],
  });
  const preset = { ...recommended, detectors: [mine, ...recommended.detectors] };
  const event: CallFinished = {
    type: 'call-finished',
    session: 's',
    at: 0,
    call: { id: '1', tool: 'lookup', args: {} },
  };
  const guard = createGuard({ preset, options: { mine: { limit: 1 }, cycle: { laps: 4 } } });
  const seen = [event, { ...event, at: 5000 }].map((each) =>
    guard.observe(each).signals.map(({ detector }) => detector),
  );
  expect(seen).toEqual([[], ['mine']]);
  // @ts-expect-error: an option that it does not have
  expect(() => createGuard({ preset, options: { mine: { most: 1 } } })).toThrow(UnrutError);
  defineConfig({ detectors: { cycle: { laps: 4, rungs: { highest: 'hint' } }, monologue: false } });
  // @ts-expect-error: a misspelt option
  defineConfig({ detectors: { cycle: { lap: 4 } } });
});

test('allow takes recoveries and candidates by name', () => {
  for (const name of ['activate-by-key', 'take-rights', 'stop-run', 'use-named-tool'])
    expect(() => createGuard({ allow: [name] }), name).not.toThrow();
  expect(() => createGuard({ allow: ['activate-by-kee'] })).toThrow(
    'Did you mean `activate-by-key`?',
  );
});
