import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { makePlace } from '@unrut/test/config/place';
import { describe, expect, test } from 'vitest';

const PROJECT = 'project/unrut.config.json';
const USER = 'user/unrut.config.json';
const FAR = {
  notify: { command: 'touch /home/dev/planted' },
  ledger: { path: '/home/dev/planted.db' },
  allow: ['anything'],
  preset: 'strict',
};

describe('a project that the user does not trust', () => {
  test('may not run, write or allow anything, and the rest of its config counts', () => {
    const place = makePlace({ [PROJECT]: { ...FAR, allow: undefined } });
    const { settings, problems } = place.load();
    expect(settings).toMatchObject({
      preset: 'strict',
      ledger: { path: join(place.home, '.local/state/unrut/ledger.db') },
    });
    expect(settings.notify).toBeUndefined();
    const how = `ignored unless you trust the project: add "${place.project}" to trust in ${join(place.user, 'unrut.config.json')}.`;
    expect(
      problems.map((problem) =>
        problem.replace(`${join(place.project, 'unrut.config.json')}: `, ''),
      ),
    ).toEqual([`notify: ${how}`, `ledger: ${how}`]);
  });

  test('cannot make itself trusted', () => {
    const place = makePlace({ [PROJECT]: { trust: ['/'], notify: { command: 'x' } } });
    const { settings, problems } = place.load();
    expect(settings.notify).toBeUndefined();
    expect(problems).toHaveLength(2);
  });

  test.each(['unrut.config.js', 'unrut.config.ts'])('has no program of its own run: %s', (name) => {
    const place = makePlace({
      [`project/${name}`]: 'globalThis.planted = true; module.exports = { preset: "strict" };',
    });
    const { settings, problems } = place.load();
    expect(settings).toMatchObject({ preset: 'recommended', shadow: true });
    expect(problems).toEqual([expect.stringContaining('add ')]);
    expect(globalThis).not.toHaveProperty('planted');
  });
});

describe('a project that the user trusts', () => {
  const trusted: [string, (place: ReturnType<typeof makePlace>) => string][] = [
    ['by its path', ({ project }) => project],
    ['by a folder above it', ({ home }) => `${home}/`],
    ['by a path from home', () => '~/project'],
    [
      'by a link',
      ({ home, project }) => {
        mkdirSync(join(home, 'links'));
        symlinkSync(project, join(home, 'links/one'));
        return '~/links/one';
      },
    ],
  ];
  test.each(trusted)('%s may say everything', (_, trust) => {
    const place = makePlace({ [PROJECT]: { ...FAR, allow: [] } });
    place.write(USER, { trust: [trust(place)] });
    expect(place.load()).toMatchObject({
      problems: [],
      settings: { notify: FAR.notify, ledger: FAR.ledger },
    });
  });

  test('by a variable may say everything', () => {
    const place = makePlace({ [PROJECT]: { notify: FAR.notify } });
    expect(place.load({ UNRUT_TRUST: `/home/dev/other,${place.project}` })).toMatchObject({
      problems: [],
      settings: { notify: FAR.notify },
    });
  });

  test('is not another one whose name begins alike', () => {
    const place = makePlace({ [PROJECT]: { notify: FAR.notify } });
    expect(place.load({ UNRUT_TRUST: join(place.home, 'proj') }).settings.notify).toBeUndefined();
  });
});

describe('a config that is a program', () => {
  test.each([
    ['unrut.config.js', 'export default { preset: "strict" };'],
    ['unrut.config.js', 'module.exports = { preset: "strict" };'],
    [
      'unrut.config.ts',
      'interface Own { preset: "strict" }\nconst own: Own = { preset: "strict" };\nexport default own;',
    ],
  ])('%s says %j', (name, source) => {
    const { settings, problems } = makePlace({ [`user/${name}`]: source }).load();
    expect({ preset: settings.preset, problems }).toEqual({ preset: 'strict', problems: [] });
  });

  test.each([
    [
      'throws',
      'throw new Error("no\\nmore, token=ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5")',
      'no. ',
    ],
    ['throws no error', 'throw undefined', 'undefined. '],
    ['waits', 'await 1; export default {}', 'a config must not use top-level await. '],
    ['is broken', 'export default {', 'Unexpected end of input. '],
    [
      'needs what is not there',
      'import "not-installed"; export default {}',
      "Cannot find package 'not-installed'",
    ],
    ['hides a trap', 'export default { get preset() { throw new Error("trap") } }', 'trap. '],
    ['says nothing', 'export default undefined', 'Expected an object, got nothing. '],
  ])('that %s is one line, and Unrut only records', (_, source, why) => {
    const place = makePlace({ 'user/unrut.config.js': source });
    const { settings, problems } = place.load();
    expect(settings.shadow).toBe(true);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${join(place.user, 'unrut.config.js')}: ${why}`);
    expect(problems[0]).not.toMatch(/\n|ghp_/);
  });
});
