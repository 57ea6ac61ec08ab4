import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../scripts/build.ts';

/** What `npm install` of a clone says at its end, if npm runs on this Node and scripts on that. */
function said(machine: string, own = '24.1.0'): string {
  const version = `data:text/javascript,Object.defineProperty(process,'version',{value:'v${own}'})`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', version, join(root, 'scripts/own-node.mjs')],
    {
      encoding: 'utf8',
      env: { npm_config_user_agent: `npm/11.0.0 node/v${machine} linux x64 workspaces/false` },
    },
  );
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}

describe('npm install in a clone', () => {
  test.each(['18.20.8', '20.20.2', '22.12.0'])(
    'says in one line that Node %s is old',
    (version) => {
      expect(said(version)).toMatch(
        /^Node \S+ is older than Unrut needs .* the Node 24\.1\.0 .*\.\n$/,
      );
    },
  );

  test.each(['22.13.0', '24.1.0', '26.0.0'])('says nothing about Node %s', (version) => {
    expect(said(version)).toBe('');
  });

  test('says what to do if the newer Node was not installed either', () => {
    expect(said('20.20.2', '20.20.2')).toBe(
      'Unrut needs Node 22.13 or later; got 20.20.2. Install it and try again.\n',
    );
  });

  test('is kept by settings from a warning for each package', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^loglevel=error$/m);
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    // `prepare` runs only in a clone: those who install the package run no script of ours.
    expect(scripts.prepare).toBe('node scripts/own-node.mjs');
    for (const name of ['preinstall', 'install', 'postinstall'])
      expect(scripts[name]).toBe(undefined);
  });
});
