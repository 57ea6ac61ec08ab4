import { createGuard } from '@unrut/engine/guard';
import { makePlace } from '@unrut/test/config/place';
import { describe, expect, test } from 'vitest';

const USER = 'user/unrut.config.json';
const PROJECT = 'project/unrut.config.json';

/** A detector and a recovery, as a package of somebody else's has them. */
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
