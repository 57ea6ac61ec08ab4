import { createGuard } from '@unrut/engine/guard';
import { makePlace } from '@unrut/test/config/place';
import { describe, expect, test } from 'vitest';
import { effectiveSettings } from './effective-settings.ts';

const USER = 'user/unrut.config.json';
const PROJECT = 'project/unrut.config.json';

/** A detector and a recovery, as a third-party package exports them. */
const PLUGIN = `
const sighs = {
  name: 'sighs', status: 'stable', rungs: { first: 'note', highest: 'hint' }, watches: ['text-added'],
  options: { count: 2 }, declared: {}, moves: ['Say what is wrong.'],
  start: () => ({ count: 0 }),
  step(state, event, { count }) {
    state.count++;
    return state.count < count ? null : { variant: 'sigh', strength: 0.9, count: state.count, since: 1, keys: ['sigh'], facts: {} };
  },
  explain: ({ count }) => \`you sighed \${count} times\`,
};
module.exports = { detectors: [sighs] };
`;

const RECOVERY = `
  name: 'calm', rung: 'hint', answers: ['sighs'], needs: [], safety: 'advisory',
  options: { breaths: 3 }, declared: { breaths: { default: 3, from: 1, integer: true, about: 'Breaths.' } },
  plan: () => ({}), toModel: () => 'Breathe.', toHuman: () => 'It sighs.'`;

const said = (i: number) =>
  ({
    type: 'text-added',
    session: 's',
    at: 20_000 * i,
    text: `Sigh number ${i}.`,
    channel: 'answer',
    done: true,
  }) as const;

describe('plugins', () => {
  test('of the user are loaded from a path, and a guard by the settings uses them', () => {
    const place = makePlace({ [USER]: { plugins: ['./sighs.cjs'] }, 'user/sighs.cjs': PLUGIN });
    const { settings, problems } = place.load();
    expect(problems).toEqual([]);
    const guard = createGuard(settings.guard);
    const verdicts = [0, 1, 2].map((i) => guard.observe(said(i)));
    expect(verdicts.map(({ faults }) => faults)).toEqual([[], [], []]);
    expect(verdicts[2]!.signals.map(({ detector }) => detector)).toEqual(['sighs']);
  });

  test('twin: without the key nothing is loaded, and nobody sighs', () => {
    const { settings } = makePlace({ 'user/sighs.cjs': PLUGIN }).load();
    const guard = createGuard(settings.guard);
    expect([0, 1, 2].flatMap((i) => guard.observe(said(i)).signals)).toEqual([]);
  });

  const configured = (detectors: object) =>
    makePlace({
      [USER]: { plugins: ['./sighs.cjs'], detectors },
      'user/sighs.cjs': PLUGIN.replace(
        'declared: {}',
        "declared: { count: { default: 2, from: 1, integer: true, about: 'Sighs.' } }",
      ),
    }).load();
  const heard = (detectors: object) => {
    const guard = createGuard(configured(detectors).settings.guard);
    return [0, 1, 2].flatMap((i) => guard.observe(said(i)).signals.map(({ step }) => step));
  };

  test('are configured under detectors like any other', () => {
    const all = heard({});
    expect(all.length).toBe(2);
    expect(heard({ sighs: { count: 3 } })).toEqual(all.slice(1));
    expect(heard({ sighs: false })).toEqual([]);
    const { settings, problems } = configured({ sighs: { rungs: { highest: 'note' } } });
    expect(problems).toEqual([]);
    const sighs = settings.guard.preset!.detectors.find(({ name }) => name === 'sighs');
    expect(sighs!.rungs).toEqual({ first: 'note', highest: 'note' });
  });

  test('with a wrong name or value under detectors are a problem, said once', () => {
    expect(configured({ sighs: { count: 0 } }).problems).toEqual([
      expect.stringContaining('`detectors.sighs.count` to be an integer of at least 1, got `0`'),
    ]);
    expect(configured({ sigs: false }).problems).toEqual([
      expect.stringContaining('Unknown key `detectors.sigs`. Did you mean `sighs`?'),
    ]);
  });

  test('show in the effective settings with their options, and where each value comes from', () => {
    const rows = effectiveSettings(configured({ sighs: { count: 3 } })).filter(({ key }) =>
      key.startsWith('detectors.sighs'),
    );
    expect(rows.map(({ key, value, from }) => [key, value, from.split('/').at(-1)])).toEqual([
      ['detectors.sighs', true, 'default'],
      ['detectors.sighs.count', 3, 'unrut.config.json'],
      ['detectors.sighs.rungs.first', 'note', 'default'],
      ['detectors.sighs.rungs.highest', 'hint', 'default'],
    ]);
    const off = effectiveSettings(configured({ sighs: false }));
    expect(off.filter(({ key }) => key.startsWith('detectors.sighs'))).toEqual([
      { key: 'detectors.sighs', value: false, from: expect.stringContaining('unrut.config.json') },
    ]);
  });

  test('twin: without plugins nothing of them shows', () => {
    const rows = effectiveSettings(makePlace({ 'user/sighs.cjs': PLUGIN }).load());
    expect(rows.filter(({ key }) => key.includes('sighs'))).toEqual([]);
  });

  test('have recoveries, which show and are switched off like any other', () => {
    const load = (recoveries: object) =>
      makePlace({
        [USER]: { plugins: ['./calm.cjs'], recoveries },
        'user/calm.cjs': `module.exports = { recoveries: [{ ${RECOVERY} }] };`,
      }).load();
    const shown = (loaded: ReturnType<typeof load>) =>
      effectiveSettings(loaded)
        .filter(({ key }) => key.startsWith('recoveries.calm'))
        .map(({ key, value }) => [key, value]);
    const names = ({ settings }: ReturnType<typeof load>) =>
      settings.guard.preset!.recoveries.map(({ name }) => name);
    expect(load({}).problems).toEqual([]);
    expect(shown(load({}))).toEqual([
      ['recoveries.calm', true],
      ['recoveries.calm.breaths', 3],
    ]);
    expect(shown(load({ calm: { breaths: 5 } }))).toContainEqual(['recoveries.calm.breaths', 5]);
    expect(names(load({}))).toContain('calm');
    expect(names(load({ calm: false }))).not.toContain('calm');
    expect(load({ calm: { breaths: 'many' } }).problems).toEqual([
      expect.stringContaining('`recoveries.calm.breaths` to be an integer'),
    ]);
  });

  test.each([
    ['a name that Unrut has', PLUGIN.replace("name: 'sighs'", "name: 'cycle'"), 'a second `cycle`'],
    ['a name twice', PLUGIN.replace('[sighs]', '[sighs, sighs]'), 'a second `sighs`'],
    [
      'a name in another case',
      PLUGIN.replace("name: 'sighs'", "name: 'Sighs'"),
      'the name `Sighs`',
    ],
    ['no rungs', PLUGIN.replace('rungs:', 'steps:'), '`sighs` without `rungs`'],
    [
      'an unknown rung',
      PLUGIN.replace("first: 'note'", "first: 'shout'"),
      '`sighs` without `rungs`',
    ],
    ['no options', PLUGIN.replace('options:', 'values:'), '`sighs` without `options`'],
    ['no step', PLUGIN.replace('step(', 'walk('), '`sighs` without `step`'],
    ['no list', PLUGIN.replace('detectors:', 'detector:'), 'a list of detectors or recoveries'],
    [
      'no answers',
      `module.exports = { recoveries: [{ ${RECOVERY.replace('answers', 'to')} }] };`,
      '`calm` without `answers`',
    ],
    [
      'no rung',
      `module.exports = { recoveries: [{ ${RECOVERY.replace('rung:', 'step:')} }] };`,
      '`calm` without `rung`',
    ],
  ])('with %s are a problem in one line, and nothing of theirs is used', (_, code, why) => {
    const { settings, problems } = makePlace({
      [USER]: { plugins: ['./wrong.cjs'] },
      'user/wrong.cjs': code,
    }).load();
    expect(problems).toEqual([expect.stringContaining(why)]);
    expect(problems[0]).toMatch(/unrut\.config\.json: plugins: `\.\/wrong\.cjs`: expected [^\n]+$/);
    const names = settings.guard.preset!.detectors.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(settings.shadow).toBe(false);
  });

  test('of a project are ignored unless the user trusts it', () => {
    const files = { [PROJECT]: { plugins: ['./sighs.cjs'] }, 'project/sighs.cjs': PLUGIN };
    const names = (place: ReturnType<typeof makePlace>) =>
      place.load().settings.guard.preset!.detectors.map(({ name }) => name);
    expect(names(makePlace(files))).not.toContain('sighs');
    expect(names(makePlace({ ...files, [USER]: { trust: ['~/project'] } }))).toContain('sighs');
  });

  test('that cannot be used are problems, and the rest of the config counts', () => {
    const place = makePlace({
      [USER]: { preset: 'strict', plugins: ['./no.cjs', 'no-such-package', './wrong.cjs'] },
      'user/wrong.cjs': 'module.exports = { detectors: [{ name: "x" }] };',
    });
    const { settings, problems } = place.load();
    expect(settings).toMatchObject({ preset: 'strict', shadow: false });
    expect(problems).toHaveLength(3);
    for (const problem of problems) expect(problem).toMatch(/unrut\.config\.json: plugins: `/);
  });
});
