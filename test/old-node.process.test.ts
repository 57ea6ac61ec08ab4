import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledPrograms } from './bundled-programs.ts';
import { newFolder } from './ledger-files.ts';

const { cli } = bundledPrograms();

/** Runs the command in a Node that says of itself that it is this version. */
function runIn(version: string, ...args: string[]) {
  const preload = join(newFolder(), 'version.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: ${JSON.stringify(version)} } });\n`,
  );
  return spawnSync(process.execPath, ['--require', preload, cli, ...args], { encoding: 'utf8' });
}

test.each(['18.20.8', '20.20.2', '22.12.0'])(
  'on Node %s one line says that it is too old',
  (version) => {
    const { status, stdout, stderr } = runIn(version, '--version');
    expect(stderr).toBe(
      `Unrut needs Node 22.13 or newer, and this is Node ${version}. Install a newer one: https://nodejs.org\n`,
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  },
);

test.each(['22.13.0', '24.1.0'])('Node %s is not', (version) => {
  expect(runIn(version, '--version')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});
