import { join } from 'node:path';
import type { Detector } from '@unrut/engine/detectors/detector';
import { createGuard } from '@unrut/engine/guard';
import { observe, recommended, strict } from '@unrut/engine/presets';
import { makePlace } from '@unrut/test/config/place';
import { casesOf } from '@unrut/test/full-runs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settings } from './settings.ts';

const PROJECT = 'project/unrut.config.json';
const USER = 'user/unrut.config.json';

const detector = (settings: Settings, name: string): Detector | undefined =>
  settings.guard.preset!.detectors.find((each) => each.name === name);

describe('without any config', () => {
  test('the defaults are in force', () => {
    const place = makePlace();
    expect(place.load()).toEqual({
      settings: {
        preset: 'recommended',
        companion: true,
        stall: { call: 900_000, silence: 600_000 },
        said: { off: [], on: [], forgiven: [], stop: [], told: [] },
        shadow: false,
        guard: { preset: recommended, shadow: false },
        ledger: { path: join(place.home, '.local/state/unrut/ledger.db') },
      },
      config: {},
      sources: {},
      problems: [],
      plugins: { detectors: [], recoveries: [] },
      files: { user: join(place.user, 'unrut.config.json') },
    });
  });
});

describe('what a config says', () => {
  test.each<[string, object, (settings: Settings) => unknown, unknown]>([
    [
      'leaves a detector out',
      { detectors: { cycle: false } },
      (s) => detector(s, 'cycle'),
      undefined,
    ],
    [
      'keeps a detector that is on',
      { detectors: { cycle: true } },
      (s) => detector(s, 'cycle')?.options,
      { laps: 3, longLap: 9, longest: 16 },
    ],
    [
      'changes an option',
      { detectors: { cycle: { laps: 4 } } },
      (s) => detector(s, 'cycle')?.options,
      { laps: 4, longLap: 9, longest: 16 },
    ],
    [
      'changes where a ladder ends',
      { detectors: { cycle: { rungs: { highest: 'hint' } } } },
      (s) => detector(s, 'cycle')?.rungs,
      { first: 'note', highest: 'hint' },
    ],
    [
      'leaves a recovery out',
      { recoveries: { 'stop-run': false } },
      (s) => s.guard.preset!.recoveries.some(({ name }) => name === 'stop-run'),
      false,
    ],
    [
      'changes an option of a recovery',
      { recoveries: { 'suggest-backoff': { mostSeconds: 60 } } },
      (s) => s.guard.preset!.recoveries.find(({ name }) => name === 'suggest-backoff')?.options,
      { firstSeconds: 15, mostSeconds: 60 },
    ],
    ['skips rungs', { skip: ['block', 'stop'] }, (s) => s.guard.preset!.skip, ['block', 'stop']],
    ['begins from another preset', { preset: 'strict' }, (s) => s.guard.preset!.skip, strict.skip],
    [
      'only records with observe',
      { preset: 'observe' },
      (s) => [s.shadow, s.guard.shadow],
      [observe.shadow, true],
    ],
    [
      'acts with observe when told so',
      { preset: 'observe', shadow: false },
      (s) => [s.shadow, s.guard.shadow],
      [false, false],
    ],
    [
      'says that nobody is there',
      { attended: false },
      (s) => [s.attended, s.guard.attended],
      [false, false],
    ],
    [
      'declares tools',
      { tools: { jobs: { poll: true, identity: ['id'] } } },
      (s) => s.guard.tools,
      { jobs: { poll: true, identity: ['id'] } },
    ],
    [
      'tells whom to notify',
      { notify: { command: ['say', '{text}'] } },
      (s) => s.notify,
      { command: ['say', '{text}'] },
    ],
    ['keeps less', { ledger: { retention: { days: 7 } } }, (s) => s.ledger.retention, { days: 7 }],
  ])('%s', (_, config, look, expected) => {
    const { settings, problems } = makePlace({ [USER]: config }).load();
    expect(problems).toEqual([]);
    expect(look(settings)).toEqual(expected);
    expect(() => createGuard(settings.guard)).not.toThrow();
  });

  test('reaches the guard', () => {
    const { settings } = makePlace({
      [PROJECT]: { detectors: { 'repeated-call': { threshold: 2 } } },
    }).load();
    const guard = createGuard(settings.guard);
    const call = (i: number) =>
      guard.observe({
        type: 'call-finished',
        session: 's',
        at: i * 5000,
        call: { id: `${i}`, tool: 'ask', args: {} },
        result: 'one answer',
      });
    expect([call(1), call(2)].map(({ plan }) => plan?.rung)).toEqual([undefined, 'note']);
  });

  test('may have comments, commas at the end and a byte order mark', () => {
    const text = '\uFEFF{\n  // why\n  "preset": "strict", /* a\n block */\n}\n';
    expect(makePlace({ [PROJECT]: text }).load().settings.preset).toBe('strict');
  });
});

describe('which config counts', () => {
  test('the environment beats the project, and that the user, key by key', () => {
    const place = makePlace({
      [USER]: {
        preset: 'strict',
        attended: false,
        detectors: { cycle: { laps: 4, longest: 6 }, monologue: false },
      },
      [PROJECT]: { attended: true, detectors: { cycle: { laps: 5 }, monologue: true } },
    });
    const { settings, sources, problems } = place.load({
      UNRUT_DETECTORS_CYCLE_LAPS: '6',
      UNRUT_ATTENDED: 'off',
    });
    const [user, project] = [
      join(place.user, 'unrut.config.json'),
      join(place.project, 'unrut.config.json'),
    ];
    expect(problems).toEqual([]);
    expect(detector(settings, 'cycle')?.options).toEqual({ laps: 6, longLap: 9, longest: 6 });
    expect(settings.attended).toBe(false);
    expect(sources).toEqual({
      preset: user,
      attended: 'UNRUT_ATTENDED',
      'detectors.cycle.laps': 'UNRUT_DETECTORS_CYCLE_LAPS',
      'detectors.cycle.longest': user,
      'detectors.monologue': project,
    });
  });

  test('the project is looked for upward, to the nearest file', () => {
    const place = makePlace({
      [PROJECT]: { preset: 'strict' },
      'project/packages/one/src/a.ts': '',
    });
    const deep = join(place.project, 'packages/one/src');
    expect(place.load({}, deep).settings.preset).toBe('strict');
    place.write('project/packages/one/unrut.config.json', { preset: 'observe' });
    expect(place.load({}, deep).settings.preset).toBe('observe');
  });

  test.each([
    [
      'the root of the repository',
      'home/code/unrut.config.json',
      'home/code/inner/.git',
      'code/inner',
    ],
    ["the user's home", 'outside/../unrut.config.json', 'home/scratch/a.txt', 'scratch'],
  ])('it is not looked for above %s', (_, above, made, cwd) => {
    const place = makePlace({ [above]: { preset: 'strict' }, [made]: '' });
    expect(place.load({}, join(place.home, cwd)).files.project).toBeUndefined();
  });

  test.each<[NodeJS.Platform, string]>([
    ['linux', '/home/dev/.config/unrut'],
    ['darwin', '/home/dev/Library/Application Support/unrut'],
    ['win32', '\\home\\dev\\AppData\\Roaming\\unrut'],
  ])("on %s the user's is in %s", async (platform, folder) => {
    const { userConfigFolder } = await import('./find-config.ts');
    expect(userConfigFolder({ home: '/home/dev', variables: {}, platform })).toBe(folder);
  });

  test('UNRUT_HOME holds both the config and the ledger', () => {
    const place = makePlace({ 'own/unrut.config.json': { preset: 'strict' } });
    const own = join(place.home, '../own');
    const { settings, sources } = place.load({ UNRUT_HOME: own });
    expect(settings).toMatchObject({ preset: 'strict', ledger: { path: join(own, 'ledger.db') } });
    expect(sources['ledger.path']).toBe('UNRUT_HOME');
  });

  test('a second file in the same folder is ignored, and reported', () => {
    const place = makePlace({
      [PROJECT]: { preset: 'strict' },
      'project/unrut.config.js': 'throw 1',
    });
    const { settings, problems } = place.load();
    expect(settings.preset).toBe('strict');
    expect(problems).toEqual([
      `${join(place.project, 'unrut.config.js')}: ignored, because unrut.config.json is in the same folder. Keep one of them.`,
    ]);
  });

  test.each([
    ['from its file', 'user', { ledger: { path: 'own/ledger.db' } }, '.config/unrut/own/ledger.db'],
    ['from home', 'user', { ledger: { path: '~/ledger.db' } }, 'ledger.db'],
  ])('the path of the ledger is taken %s', (_, where, config, expected) => {
    const place = makePlace({ [`${where}/unrut.config.json`]: config });
    expect(place.load().settings.ledger.path).toBe(join(place.home, expected));
  });
});

describe('whatever stands in a config', () => {
  const value = fc.oneof(
    fc.anything({ maxDepth: 3 }),
    fc.record(
      {
        preset: fc.constantFrom('strict', 'observe', 'loose', 3),
        shadow: fc.anything(),
        detectors: fc.dictionary(
          fc.constantFrom('cycle', 'stuck', 'near-repeat', 'toString', '__proto__'),
          fc.anything({ maxDepth: 2 }),
        ),
        tools: fc.dictionary(fc.string(), fc.anything({ maxDepth: 2 })),
        skip: fc.array(fc.constantFrom('note', 'stop', 'shout')),
        ledger: fc.anything(),
      },
      { requiredKeys: [] },
    ),
  );

  test('nothing is thrown, and the guard takes it', () => {
    const place = makePlace();
    fc.assert(
      fc.property(value, fc.string(), (config, variable) => {
        place.write(PROJECT, JSON.stringify(config) ?? '');
        const { settings } = place.load({
          UNRUT_DETECTORS_CYCLE_LAPS: variable,
          UNRUT_TRUST: place.home,
        });
        createGuard(settings.guard);
      }),
      { numRuns: casesOf(300) },
    );
  });

  test('nothing is thrown when the place itself makes no sense', () => {
    const { settings, problems } = makePlace().load({}, undefined as never);
    expect(settings.shadow).toBe(false);
    expect(problems).toEqual([]);
    expect(makePlace().load({}, 3 as never)).toMatchObject({
      settings: { shadow: true },
      problems: [expect.stringMatching(/^Cannot read the settings: /)],
    });
  });
});
