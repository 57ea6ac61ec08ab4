import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace } from './place.ts';

const USER = 'user/unrut.config.json';

/** What is wrong with a config, without the name of the file, and what it brings about. */
function load(content: string | object) {
  const place = makePlace({ [USER]: content });
  const { problems, settings } = place.load();
  const [file, { tools }] = [join(place.user, 'unrut.config.json'), settings.guard];
  return { problems: problems.map((problem) => problem.replace(`${file}: `, '')), acts: !settings.shadow, tools };
}

describe('a wrong part is left out in one line, and the rest counts', () => {
  test.each<[{ [key: string]: unknown; tools?: object }, string]>([
    [{ presett: 'strict' }, 'presett: there is no such key, perhaps you mean preset; it is left out.'],
    [{ detectors: { cylce: false } }, 'detectors.cylce: there is no such key, perhaps you mean cycle; it is left out.'],
    [{ notify: { mail: 'x' } }, 'notify.mail: there is no such key, only command, webhook; it is left out.'],
    [{ preset: 'strikt' }, 'preset: expected one of recommended, strict, observe, got "strikt", perhaps you mean strict; it is left out.'],
    [{ attended: 'yes' }, 'attended: expected true or false, got "yes"; it is left out.'],
    [{ detectors: { cycle: { laps: 0 } } }, 'detectors.cycle.laps: expected a whole number from 1 up, got 0; it is left out.'],
    [{ detectors: { cycle: { laps: 2.5 } } }, 'detectors.cycle.laps: expected a whole number from 1 up, got 2.5; it is left out.'],
    [{ detectors: { monologue: { fresh: 34 } } }, 'detectors.monologue.fresh: expected a number from 0 to 1, got 34; it is left out.'],
    [{ detectors: { cycle: 3 } }, 'detectors.cycle: expected true or false or an object, got 3; it is left out.'],
    [{ detectors: { cycle: null } }, 'detectors.cycle: expected true or false or an object, got null; it is left out.'],
    [{ detectors: [] }, 'detectors: expected an object, got a list; it is left out.'],
    [
      { skip: ['note', 'shout'] },
      'skip[1]: expected one of note, hint, substitute, block, redirect, escalate, stop, got "shout"; it is left out.',
    ],
    [{ tools: { 'a b': { poll: 1 } } }, 'tools["a b"].poll: expected true or false, got 1; it is left out.'],
    [{ notify: { command: [] } }, 'notify.command: expected a text or a list of texts, got an empty list; it is left out.'],
    [{ ledger: { retention: { days: 0 } } }, 'ledger.retention.days: expected a number from 1 up, got 0; it is left out.'],
  ])('%j', (config, problem) => {
    const found = load({ ...config, tools: { ...config.tools, kept: { poll: true } } });
    expect(found).toMatchObject({ problems: [problem], acts: true, tools: { kept: { poll: true } } });
  });

  test('a ladder that would end before it begins is left out', () => {
    const { problems } = load({ detectors: { cycle: { rungs: { first: 'block', highest: 'note' } } } });
    expect(problems).toEqual(['detectors.cycle.rungs: expected first not above highest, got block and note; they are left out.']);
  });

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
      'UNRUT_DETECTORS_CYCLE_LAPS: expected a whole number from 1 up, got "three"; it is left out.',
      'UNRUT_SHADDOW: there is no such variable, perhaps you mean UNRUT_SHADOW; it is left out.',
    ]);
    expect(settings).toMatchObject({ preset: 'strict', guard: { preset: { skip: ['stop', 'hint'] } } });
  });

  test('what may be secret is not quoted', () => {
    const place = makePlace({
      [USER]: { notify: { webhook: 'hooks.example/T0/B0/planted' }, preset: 'ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5' },
    });
    const text = place.load().problems.join('\n');
    expect(text).toContain('notify.webhook: expected a text such as https://chat.example/hooks/1, got another text; it is left out.');
    expect(text).not.toMatch(/planted|ghp_/);
  });
});

describe('where it cannot be known whether Unrut may act, it only records', () => {
  test.each<[string, string | object, string]>([
    ['broken JSON', '{\n  "preset": strict\n}', 'line 2, column 13: expected a value; until that is mended, Unrut only records.'],
    ['an empty file', '', 'line 1, column 1: expected a value; until that is mended, Unrut only records.'],
    ['a list', '[]', 'expected an object, got a list; until that is mended, Unrut only records.'],
    ['null', 'null', 'expected an object, got null; until that is mended, Unrut only records.'],
    ['a wrong shadow', { shadow: 'no' }, 'shadow: expected true or false, got "no"; until that is mended, Unrut only records.'],
  ])('%s', (_, content, problem) => {
    expect(load(content)).toMatchObject({ problems: [problem], acts: false });
  });

  test('a wrong variable', () => {
    expect(makePlace().load({ UNRUT_SHADOW: 'perhaps' })).toMatchObject({
      settings: { shadow: true },
      problems: ['UNRUT_SHADOW: expected true or false, got "perhaps"; until that is mended, Unrut only records.'],
    });
  });

  test('unless something stronger says so', () => {
    const { settings, problems } = makePlace({ [USER]: '{' }).load({ UNRUT_SHADOW: 'off' });
    expect({ shadow: settings.shadow, problems: problems.length }).toEqual({ shadow: false, problems: 1 });
  });
});
