import { runInProcess } from '@unrut/test/run-in-process';
import { describe, expect, test } from 'vitest';

const SIXTEEN = [
  'scan',
  'show',
  'explain',
  'install',
  'uninstall',
  'doctor',
  'off',
  'on',
  'false-alarm',
  'run',
  'mcp',
  'gateway',
  'serve',
  'config',
  'stats',
  'watch',
];

/** The commands that a help lists. */
const listed = (help: string): string[] =>
  [...help.matchAll(/^ {2}unrut ([a-z][a-z-]*(?: (?:forget|export|import|migrate|upkeep))?)/gm)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'help');

describe('the help', () => {
  test('lists sixteen commands', async () => {
    for (const args of [['help'], ['--help'], ['-h']])
      expect(listed((await runInProcess(...args)).stdout)).toEqual(SIXTEEN);
  });

  test('with --all lists every command, grouped by who needs it', async () => {
    const { stdout } = await runInProcess('help', '--all');
    expect(stdout).toMatch(/^For editors and screen agents$/m);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    const names = listed(stdout);
    expect(names.slice(0, 16)).toEqual(SIXTEEN);
    for (const name of names) {
      const { status, stdout: own, stderr } = await runInProcess(...name.split(' '), '--help');
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: [] });
      expect(own).toContain(`unrut ${name}`);
      expect(own.split('\n').filter((line) => line.length > 100)).toEqual([]);
    }
  });

  test('of a command is the same with unrut help before it', async () => {
    for (const name of [['show'], ['ledger', 'export'], ['ledger']])
      expect((await runInProcess('help', ...name)).stdout).toBe(
        (await runInProcess(...name, '--help')).stdout,
      );
  });
});

describe('an earlier name of a command', () => {
  test.each([
    ['replay examples/stuck-on-a-test.jsonl', 'show FILE', 'show examples/stuck-on-a-test.jsonl'],
    ['sessions --help', 'show --list', 'show --list --help'],
    ['log --help', 'show --log', 'show --log --help'],
    ['forgive --help', 'false-alarm', 'false-alarm --help'],
    ['report --help', 'false-alarm --report', 'false-alarm --report --help'],
    ['forget --help', 'ledger forget', 'ledger forget --help'],
    ['export --help', 'ledger export', 'ledger export --help'],
    ['import-ledger --help', 'ledger import', 'ledger import --help'],
    ['migrate --help', 'ledger migrate', 'ledger migrate --help'],
    ['upkeep --help', 'ledger upkeep', 'ledger upkeep --help'],
  ])('`unrut %s` works and says that it is now `unrut %s`', async (old, now, same) => {
    const before = await runInProcess(...old.split(' '));
    const after = await runInProcess(...same.split(' '));
    expect(before.stderr).toEqual([`[unrut] unrut ${old.split(' ')[0]} is now: unrut ${now}`]);
    expect(after.stderr).toEqual([]);
    expect({ ...before, stderr: [] }).toEqual({ ...after, stderr: [] });
  });
});

describe('completion', () => {
  test('offers the options that commands declare, and no word of their help', async () => {
    const { stdout } = await runInProcess('completion', 'bash');
    const after = (name: string): string[] =>
      new RegExp(`^ {4}${name}\\).*compgen -W '([^']*)'`, 'm').exec(stdout)![1]!.split(' ');
    expect(after('doctor')).toEqual(['--help', '--json']);
    expect(after('show')).toEqual(expect.arrayContaining(['--list', '--log', '--preset']));
    expect(after('statusline')).toEqual(['--help']);
    expect(after('ledger')).toEqual(expect.arrayContaining(['export', 'migrate', '--since']));
    expect(stdout).not.toMatch(/\bsessions\b|\breplay\b/);
  });
});
