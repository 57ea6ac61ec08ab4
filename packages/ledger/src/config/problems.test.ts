import { join } from 'node:path';
import { createGuard, type GuardOptions } from '@unrut/engine/guard';
import { recommended } from '@unrut/engine/presets';
import { makePlace } from '@unrut/test/config/place';
import { describe, expect, test } from 'vitest';
import { serverIn } from './addresses.ts';
import { variableName } from './environment.ts';
import { valueAt } from './layers.ts';
import type { LoadedSettings } from './load-settings.ts';
import { configKeys } from './schema.ts';

const USER = 'user/unrut.config.json';

/** The problems of a config and the resulting settings, without the file name. */
function load(content: string | object) {
  const place = makePlace({ [USER]: content });
  const { problems, settings } = place.load();
  const [file, { tools }] = [join(place.user, 'unrut.config.json'), settings.guard];
  return {
    problems: problems.map((problem) => problem.replace(`${file}: `, '')),
    acts: !settings.shadow,
    tools,
  };
}

describe('a faulty part is ignored in one line, and the rest counts', () => {
  test.each<[{ [key: string]: unknown; tools?: object }, string]>([
    [
      { notify: { mail: 'x' } },
      'Unknown key `notify.mail`. Known: command, webhook, desktop. Ignored.',
    ],
    [
      { detectors: { 'of-another-version': false } },
      'Unknown key `detectors.of-another-version`. Known: amnesia, chanting, ',
    ],
    [
      { detectors: { stuck: { calls: 9 } } },
      '`detectors.stuck` is retired: `stalling` sees what it saw. Ignored.',
    ],
    [
      { detectors: { cycle: { laps: 0 } } },
      'Expected `detectors.cycle.laps` to be an integer of at least 2, got `0`. Ignored.',
    ],
    [
      { detectors: { cycle: { laps: 2.5 } } },
      'Expected `detectors.cycle.laps` to be an integer of at least 2, got `2.5`. Ignored.',
    ],
    [
      { detectors: { cycle: { lapps: 4 } } },
      'Unknown key `detectors.cycle.lapps`. Did you mean `laps`? Ignored.',
    ],
    [
      { detectors: { monologue: { fresh: 34 } } },
      'Expected `detectors.monologue.fresh` to be a number from 0 to 1, got `34`. Ignored.',
    ],
    [
      { tools: { updateCard: { patch: [] } } },
      'Expected `tools.updateCard.patch` to be a list of at least one name of an argument, got an empty list. Ignored.',
    ],
    [
      { tools: { showCard: { look: [] } } },
      'Expected `tools.showCard.look` to be a list of at least one name of an argument, got an empty list. Ignored.',
    ],
    [
      { tools: { 'a b': { poll: 1 } } },
      'Expected `tools["a b"].poll` to be true or false, got `1`. Ignored.',
    ],
    [
      { notify: { command: [] } },
      'Expected `notify.command` to be a string or a list of strings, got an empty list. Ignored.',
    ],
    [
      { ledger: { retention: { days: 0 } } },
      'Expected `ledger.retention.days` to be a number of at least 1, got `0`. Ignored.',
    ],
    [
      { allow: 'all' },
      'Expected `allow` to be a list of names of recoveries or candidates, got `"all"`. Ignored.',
    ],
    [
      { allow: ['activate-by-kee'] },
      'Expected `allow[0]` to be the name of a recovery or a candidate, got `"activate-by-kee"`. Did you mean `activate-by-key`? Ignored.',
    ],
    [{ companion: 'off' }, 'Expected `companion` to be true or false, got `"off"`. Ignored.'],
  ])('%j', (config, problem) => {
    const found = load({ ...config, tools: { ...config.tools, kept: { poll: true } } });
    expect(found).toMatchObject({
      problems: [expect.stringContaining(problem)],
      acts: true,
      tools: { kept: { poll: true } },
    });
  });
});

const RECORDS = 'Unrut runs in record-only mode';
const NOTES = 'Unrut only adds notes';

describe('where ignoring a part might let Unrut act against what was meant, the rest counts and a precaution applies', () => {
  test.each<[config: { [key: string]: unknown; tools?: object }, problem: string, until: string]>([
    [{ shadow: 'no' }, 'Expected `shadow` to be true or false, got `"no"`.', RECORDS],
    [{ shadwo: true }, 'Unknown key `shadwo`. Did you mean `shadow`?', RECORDS],
    [{ presett: 'observe' }, 'Unknown key `presett`. Did you mean `preset`?', RECORDS],
    [
      { preset: 'strikt' },
      'Expected `preset` to be one of recommended, strict, observe, got `"strikt"`. Did you mean `strict`?',
      RECORDS,
    ],
    [{ attended: 'yes' }, 'Expected `attended` to be true or false, got `"yes"`.', NOTES],
    [
      { skip: ['note', 'shout'] },
      'Expected `skip[1]` to be one of note, hint, substitute, block, redirect, escalate, stop, got `"shout"`.',
      NOTES,
    ],
    [
      { detectors: { cylce: false } },
      'Unknown key `detectors.cylce`. Did you mean `cycle`?',
      '`cycle` is off',
    ],
    [
      { detectors: { cycle: 'off' } },
      'Expected `detectors.cycle` to be true, false or an object, got `"off"`.',
      '`cycle` is off',
    ],
    [
      { detectors: { cycle: null } },
      'Expected `detectors.cycle` to be true, false or an object, got `null`.',
      '`cycle` is off',
    ],
    [{ detectors: [] }, 'Expected `detectors` to be an object, got an empty list.', NOTES],
    [
      { recoveries: { 'stop-run': 0 } },
      'Expected `recoveries.stop-run` to be true, false or an object, got `0`.',
      '`stop-run` is off',
    ],
    [
      { detectors: { cycle: { rungs: { highest: 'hints' } } } },
      'Expected `detectors.cycle.rungs.highest` to be one of note, hint, substitute, block, redirect, escalate, stop, got `"hints"`. Did you mean `hint`?',
      '`cycle` only adds notes',
    ],
    [
      { detectors: { cycle: { rungs: { first: 'block', highest: 'note' } } } },
      'Expected `detectors.cycle.rungs` to have `first` not above `highest`, got `block` and `note`.',
      '`cycle` only adds notes',
    ],
  ])('%j', (config, problem, until) => {
    const found = load({ ...config, tools: { kept: { poll: true } } });
    expect(found).toEqual({
      problems: [`${problem} Until this is fixed, ${until}.`],
      acts: until !== RECORDS,
      tools: { kept: { poll: true } },
    });
  });

  const presetWith = (config: object, variables: Record<string, string> = {}) =>
    makePlace({ [USER]: config }).load(variables).settings.guard.preset!;
  const namesIn = (pieces: readonly { name: string }[]) => pieces.map(({ name }) => name);

  test('a wrong detector or recovery is off alone, in a file and in a variable', () => {
    const others = namesIn(recommended.detectors).filter((name) => name !== 'cycle');
    expect(namesIn(presetWith({ detectors: { cycle: 7 } }).detectors)).toEqual(others);
    expect(namesIn(presetWith({}, { UNRUT_DETECTORS_CYCLE: 'maybe' }).detectors)).toEqual(others);
    expect(namesIn(presetWith({ recoveries: { 'stop-run': 7 } }).recoveries)).toEqual(
      namesIn(recommended.recoveries).filter((name) => name !== 'stop-run'),
    );
    expect(presetWith({ detectors: { cycle: 7 } }, { UNRUT_DETECTORS_CYCLE: 'on' })).toEqual(
      recommended,
    );
  });

  test('a detector whose ladder is wrong only adds notes, and the others are as they come', () => {
    for (const rungs of [{ highest: 'hints' }, { first: 'block', highest: 'note' }, 7]) {
      const { detectors } = presetWith({ detectors: { cycle: { laps: 4, rungs } } });
      for (const { name, rungs: now } of detectors)
        expect(now).toEqual(
          name === 'cycle'
            ? { first: 'note', highest: 'note' }
            : recommended.detectors.find((each) => each.name === name)!.rungs,
        );
      expect(detectors.find(({ name }) => name === 'cycle')!.options).toMatchObject({ laps: 4 });
    }
  });

  test.each([{ attended: 'yes' }, { skip: ['shout'] }, { detectors: [] }, { recoveries: 1 }])(
    'a guard still adds notes, and does nothing else: %j',
    (config) => {
      const loops = (options: GuardOptions) => {
        const guard = createGuard(options);
        return Array.from({ length: 40 }, (_, i) => {
          const call = { id: `${i}`, tool: 'Read', args: { file_path: 'a.ts' } };
          const [session, at] = ['s', i * 5000];
          return [
            guard.observe({ type: 'call-proposed', session, at, call }),
            guard.observe({ type: 'call-finished', session, at, call, result: 'one answer' }),
          ].map(({ plan }) => plan?.rung);
        }).flat();
      };
      const { guard } = makePlace({ [USER]: config }).load().settings;
      expect(new Set(loops(guard))).toEqual(new Set([undefined, 'note']));
      expect(loops({})).toContain('block');
    },
  );

  test('of a text that is no JSON the part that can be read is kept', () => {
    const found = load('{\n  "tools": { "kept": { "poll": true } },\n  "preset": strict\n}');
    expect(found).toEqual({
      problems: [
        'line 3, column 13: invalid symbol. Until this is fixed, Unrut runs in record-only mode.',
      ],
      acts: false,
      tools: { kept: { poll: true } },
    });
  });
});

describe('permissions', () => {
  test('a wrong name in allow is left out alone, in a file and in a variable', () => {
    const config = { allow: ['nonsense', 'activate-by-key', 'stop-run', 7] };
    const ofFile = makePlace({ [USER]: config }).load();
    expect(ofFile.settings.guard.allow).toEqual(['activate-by-key', 'stop-run']);
    expect(ofFile.problems).toHaveLength(2);
    const ofVariable = makePlace().load({ UNRUT_ALLOW: 'nonsense,activate-by-key' });
    expect(ofVariable).toMatchObject({
      settings: { shadow: false, guard: { allow: ['activate-by-key'] } },
    });
    expect(ofVariable.problems).toEqual([
      'Expected `UNRUT_ALLOW[0]` to be the name of a recovery or a candidate, got `"nonsense"`. Ignored.',
    ]);
  });

  test('a recovery that is switched off is not allowed either', () => {
    const { settings } = makePlace({
      [USER]: { recoveries: { 'stop-run': false }, allow: ['stop-run'] },
    }).load();
    expect(settings.guard.allow).toEqual([]);
    createGuard(settings.guard);
  });
});

describe('every setting', () => {
  const WRONG = [
    'nonsense',
    '',
    'a,b',
    -1,
    0.5,
    1e300,
    null,
    [],
    ['nonsense'],
    [null],
    {},
    { nonsense: 1 },
  ];

  test.each(configKeys().map(({ path }) => [path.join('.'), path] as const))(
    '%s with any value is refused or used',
    (_, path) => {
      for (const value of WRONG) {
        const config = path.reduceRight<unknown>(
          (inner, key) => ({ [key]: inner }),
          value,
        ) as object;
        const place = makePlace({ [USER]: config });
        const loaded = place.load();
        expect(
          loaded.problems.length > 0 || isInForce(loaded, path, value),
          JSON.stringify(value),
        ).toBe(true);
        createGuard(loaded.settings.guard);
        createGuard(place.load({ [variableName(path)]: String(value) }).settings.guard);
      }
    },
  );

  const isInForce = ({ config }: LoadedSettings, path: readonly string[], value: unknown) =>
    JSON.stringify(valueAt(config, path)) === JSON.stringify(value);
});

describe('addresses', () => {
  test.each(['nonsense', 'localhost:4717', 'ftp://host', 'http://', '//host', '-1'])(
    'UNRUT_SERVER=%s is reported and ignored',
    (UNRUT_SERVER) => {
      expect(serverIn({ UNRUT_SERVER })).toBeUndefined();
      expect(makePlace().load({ UNRUT_SERVER }).problems).toEqual([
        'Expected `UNRUT_SERVER` to be a URL such as http://127.0.0.1:4717, got something else. Ignored.',
      ]);
    },
  );

  test('UNRUT_LEDGER with an unknown scheme is reported without its password, and ignored', () => {
    const place = makePlace();
    const { settings, problems } = place.load({ UNRUT_LEDGER: 'mysql://me:planted@host/x' });
    expect(problems).toEqual([
      'Expected `UNRUT_LEDGER` to be a path or a postgres:// URL, got another URL. Ignored.',
    ]);
    expect(settings.ledger).toEqual(place.load().settings.ledger);
  });

  test.each(['https://unrut.example', 'http://127.0.0.1:4717', 'HTTP://localhost:1/x'])(
    'UNRUT_SERVER=%s is used',
    (UNRUT_SERVER) => {
      expect(serverIn({ UNRUT_SERVER })).toBe(UNRUT_SERVER);
      expect(makePlace().load({ UNRUT_SERVER }).problems).toEqual([]);
    },
  );

  test.each(['postgres://me@host/db', '/var/ledger.db', 'ledger.db', 'C:\\\\ledger.db'])(
    'UNRUT_LEDGER=%s is used',
    (UNRUT_LEDGER) => expect(makePlace().load({ UNRUT_LEDGER }).problems).toEqual([]),
  );
});

describe('variables', () => {
  test('a variable is checked as the file is', () => {
    const { problems, settings } = makePlace().load({
      UNRUT_DETECTORS_CYCLE_LAPS: 'three',
      UNRUT_PRESET: 'strict',
      UNRUT_SHADDOW: '1',
      UNRUT_TEST_REPORT: '/tmp/report.json',
      UNRUT_SKIP: ' stop , hint',
      UNRUT_ALLOW: '',
    });
    expect(problems).toEqual([
      'Expected `UNRUT_DETECTORS_CYCLE_LAPS` to be an integer of at least 2, got `"three"`. Ignored.',
      'Unknown variable `UNRUT_SHADDOW`. Did you mean `UNRUT_SHADOW`? Until this is fixed, Unrut runs in record-only mode.',
    ]);
    expect(settings).toMatchObject({
      preset: 'strict',
      shadow: true,
      guard: { preset: { skip: ['stop', 'hint'] } },
    });
  });

  test('what may be secret is not quoted', () => {
    const place = makePlace({
      [USER]: {
        notify: { webhook: 'hooks.example/T0/B0/planted' },
        preset: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5',
      },
    });
    const text = place.load().problems.join('\n');
    expect(text).toContain(
      'Expected `notify.webhook` to be a URL such as https://chat.example/hooks/1, got a string (not shown). Ignored.',
    );
    expect(text).not.toMatch(/planted|ghp_/);
  });
});

describe('where it cannot be known whether Unrut may act, it only records', () => {
  test.each<[string, string | object, string]>([
    [
      'broken JSON',
      '{\n  "preset": strict\n}',
      'line 2, column 13: invalid symbol. Until this is fixed, Unrut runs in record-only mode.',
    ],
    [
      'an empty file',
      '',
      'line 1, column 1: value expected. Until this is fixed, Unrut runs in record-only mode.',
    ],
    [
      'a list',
      '[]',
      'Expected an object, got an empty list. Until this is fixed, Unrut runs in record-only mode.',
    ],
    [
      'null',
      'null',
      'Expected an object, got `null`. Until this is fixed, Unrut runs in record-only mode.',
    ],
  ])('%s', (_, content, problem) => {
    expect(load(content)).toMatchObject({ problems: [problem], acts: false });
  });

  test('a wrong variable', () => {
    expect(makePlace().load({ UNRUT_SHADOW: 'perhaps' })).toMatchObject({
      settings: { shadow: true },
      problems: [
        'Expected `UNRUT_SHADOW` to be true or false, got `"perhaps"`. Until this is fixed, Unrut runs in record-only mode.',
      ],
    });
  });

  test('unless something stronger says so', () => {
    const { settings, problems } = makePlace({ [USER]: '{' }).load({ UNRUT_SHADOW: 'off' });
    expect({ shadow: settings.shadow, problems: problems.length }).toEqual({
      shadow: false,
      problems: 1,
    });
  });
});
