import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { layerRules, readArchitecture, readLayers, readRules, strayParts } from '../scripts/layers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the layers', () => {
  const layers = readLayers(readArchitecture());

  it('in ARCHITECTURE.md name every part of src, and nothing else', () => {
    expect(strayParts(layers)).toEqual([]);
  });

  it('are what Biome checks; `npm run format` brings its rules up to date', () => {
    expect(readRules()).toEqual(layerRules(layers));
  });

  it('stop imports from above, and let all others pass', () => {
    const forbidden = {
      'src/views/a.ts': "import { a } from '../report/a.ts';",
      'src/report/html/a.ts': "import type { A } from '../../scan/a.ts';",
      'src/tasks/a.ts': "export { a } from '../run/a.ts';",
      'src/ledger/a.ts': "import { readFileSync } from 'node:fs';",
      'src/event.ts': "import { a } from './json.ts';",
    };
    const allowed = {
      'src/report/html/b.ts': "import { a } from '../../views/a.ts';",
      'src/run/b.ts': "import { a } from '../tasks/a.ts';",
      'src/ledger/sqlite/b.ts': "import { readFileSync } from 'node:fs';",
      'src/views/b.test.ts': "import { a } from '../report/a.ts';",
    };
    expect(stopped({ ...forbidden, ...allowed })).toEqual(Object.keys(forbidden).sort());
  });
});

/** Which of these files Biome stops, by the rules that are in the project. */
function stopped(files: Record<string, string>): string[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'unrut-layers-')));
  try {
    copyFileSync(`${root}biome.layers.json`, join(folder, 'biome.layers.json'));
    writeFileSync(join(folder, 'biome.json'), '{ "root": true, "extends": ["./biome.layers.json"] }');
    for (const [path, line] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${line}\n`);
    }
    const biome = `${root}node_modules/@biomejs/biome/bin/biome`;
    const args = [biome, 'lint', '--only=style/noRestrictedImports', '--reporter=github'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return [...stdout.matchAll(/file=([^,]+),/g)].map(([, path]) => relative(folder, path!)).sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
