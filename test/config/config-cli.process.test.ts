import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundledPrograms } from '../bundled-programs.ts';
import { makePlace, type Place } from './place.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const UNRUT = new URL('../../packages/cli/src/index.ts', import.meta.url).href;

function unrutConfig(place: Place, args: string[] = [], environment: Record<string, string> = {}) {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:UNRUT_|XDG_)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    HOME: place.home,
    USERPROFILE: place.home,
    ...environment,
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bundledPrograms().cli, 'config', ...args],
    {
      cwd: place.project,
      env,
      encoding: 'utf8',
    },
  );
  const lines = (text: string) => text.trimEnd().split('\n').filter(Boolean);
  return { status, stdout: lines(stdout), stderr: lines(stderr), text: stdout };
}

const CONFIG = {
  detectors: { cycle: { laps: 4 }, monologue: false },
  notify: { webhook: 'https://chat.example/hooks/planted' },
};

describe('unrut config', () => {
  test('shows what is in force, and from where', () => {
    const place = makePlace({
      'user/unrut.config.json': CONFIG,
      'project/unrut.config.json': { preset: 'strict' },
    });
    const { status, stdout, stderr } = unrutConfig(place, [], { UNRUT_SHADOW: '1' });
    const rows = stdout.map((line) => line.split(/ {2,}/));
    const [user, project] = [place.user, place.project].map((folder) =>
      join(folder, 'unrut.config.json'),
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: [] });
    for (const row of [
      ['user config', user],
      ['project config', project],
      ['preset', 'strict', project],
      ['shadow', 'yes', 'UNRUT_SHADOW'],
      ['attended', 'not set', 'default'],
      ['skip', 'hint', 'default'],
      ['detectors.cycle.laps', '4', user],
      ['detectors.monologue', 'no', user],
      ['notify.webhook', 'https://chat.example/…', user],
      ['ledger.retention.days', '30', 'default'],
    ])
      expect(rows).toContainEqual(row);
    expect(stdout.join('\n')).not.toMatch(/planted|stalling/);
  });

  test('lists with --all what a plugin adds, and reports a wrong value of it', () => {
    const plugin = `import { defineDetector, definePlugin, option } from ${JSON.stringify(UNRUT)};
      export default definePlugin({ detectors: [defineDetector({
        name: 'sighs', status: 'stable', watches: ['text-added'], moves: ['say what is wrong'],
        rungs: { first: 'note', highest: 'hint' },
        options: { count: option.integer(2, { from: 1 }, 'Sighs.'), words: option.integer(9, { from: 1 }, 'Words.') },
        start: () => ({}), step: () => null, explain: () => 'you sighed' })] });`;
    const place = makePlace({
      'user/unrut.config.json': {
        plugins: ['./sighs.mjs'],
        detectors: { sighs: { count: 5, words: 'many' } },
      },
      'user/sighs.mjs': plugin,
    });
    const { status, text, stderr } = unrutConfig(place, ['--all']);
    expect(text).toMatch(/^detectors\.sighs +yes +/m);
    expect(text).toMatch(/^detectors\.sighs\.count +5 +\S+unrut\.config\.json$/m);
    expect(text).toMatch(/^detectors\.sighs\.words +9 +default$/m);
    expect(text).toMatch(/^detectors\.sighs\.rungs\.highest +hint +default$/m);
    expect(stderr).toEqual([expect.stringContaining('`detectors.sighs.words` to be an integer')]);
    expect(status).toBe(2);
    expect(unrutConfig(place).text).not.toContain('sighs.words');
  });

  test('lists with --all also what is as it comes, but no options of what is off', () => {
    const { text } = unrutConfig(makePlace({ 'user/unrut.config.json': CONFIG }), ['--all']);
    expect(text).toMatch(/^detectors\.stalling\.calls +5 +default$/m);
    expect(text).toMatch(/^recoveries\.stop-run +yes +default$/m);
    expect(text).not.toContain('detectors.monologue.calls');
  });

  test('gives everything as JSON', () => {
    const place = makePlace({ 'user/unrut.config.json': CONFIG });
    const { files, settings, problems } = JSON.parse(unrutConfig(place, ['--json']).text);
    expect(files).toEqual({ user: join(place.user, 'unrut.config.json') });
    expect(problems).toEqual([]);
    expect(settings).toContainEqual({ key: 'detectors.cycle.laps', value: 4, from: files.user });
    expect(settings).toContainEqual({ key: 'detectors.cycle.longest', value: 16, from: 'default' });
    expect(JSON.stringify(settings)).not.toContain('planted');
  });

  test.each([[[]], [['--check']], [['--json']]])(
    'ends with 2 when something cannot be used: %j',
    (args) => {
      const place = makePlace({ 'project/unrut.config.json': { presett: 'strict' } });
      const { status, stdout, stderr } = unrutConfig(place, args);
      const line = `${join(place.project, 'unrut.config.json')}: Unknown key \`presett\`. Did you mean \`preset\`? Until this is fixed, Unrut runs in record-only mode.`;
      expect(status).toBe(2);
      if (args[0] === '--json') expect(JSON.parse(stdout.join('\n')).problems).toEqual([line]);
      else expect(stderr).toEqual([`[unrut] ${line}`]);
      if (args[0] === '--check') expect(stdout).toEqual([]);
    },
  );

  test('checks in silence when all is well', () => {
    expect(unrutConfig(makePlace(), ['--check'])).toMatchObject({
      status: 0,
      stdout: [],
      stderr: [],
    });
  });

  test('prints the schema that is shipped', () => {
    const shipped = JSON.parse(readFileSync(join(root, 'schemas/unrut.schema.json'), 'utf8'));
    expect(JSON.parse(unrutConfig(makePlace(), ['--schema']).text)).toEqual(shipped);
  });
});
