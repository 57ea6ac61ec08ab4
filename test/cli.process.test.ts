import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './structure/tree.ts';

function unrut(args: string[], input?: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['packages/cli/src/main.ts', ...args],
    { cwd: root, encoding: 'utf8', input },
  );
  return { status, stdout, stderr: stderr.trim().split('\n').filter(Boolean) };
}

const call = (i: number): string =>
  JSON.stringify({
    type: 'call-finished',
    session: 's',
    at: i * 5000,
    call: { id: `c${i}`, tool: 'lookup', args: { i } },
    result: `${i}`,
  });

test('unrut --version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(unrut(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: [] });
});

test('unrut exits with 64 after one line when the command line is wrong', () => {
  const { status, stdout, stderr } = unrut(['nonsense']);
  expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
  expect(stderr).toEqual([expect.stringContaining('Unknown command `nonsense`')]);
});

test('unrut show reads standard input and writes verdicts as JSON', () => {
  const { status, stdout } = unrut(['show', '--json', '-'], `${call(1)}\n${call(2)}\n`);
  expect(status).toBe(0);
  const verdicts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(verdicts.map(({ step }) => step)).toEqual([0, 1]);
});
