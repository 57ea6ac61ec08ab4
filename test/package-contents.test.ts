import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../scripts/build.ts';
import {
  checkContents,
  checkLinks,
  checkModules,
  checkSizes,
} from '../scripts/package-contents.ts';

const folder = mkdtempSync(join(tmpdir(), 'unrut-package-contents-'));
afterAll(() => rmSync(folder, { recursive: true }));

const manifest = {
  name: 'unrut',
  exports: { '.': {}, './core': {}, './adapter': {}, './package.json': '' },
} as unknown as Manifest;

const SOUND: Readonly<Record<string, string>> = {
  'README.md': 'See [the docs](docs/a.md#b), [this](#here) and [that](https://example.com).',
  'docs/a.md': 'Back to [the README](../README.md).\n\n```ts\n[not](a-link)\n```\n',
  'dist/index.js': "import { a } from './shared/guard.js';\nexport const createGuard = () => a;\n",
  'dist/index.d.ts': "export { A } from './shared/guard.js';\n",
  'dist/core.js': "export { a as createGuard } from './shared/guard.js';\n",
  'dist/core.d.ts': 'export {};\n',
  'dist/shared/guard.js': 'export const a = 1;\n',
  'dist/shared/guard.d.ts': 'export type A = 1;\n',
  'dist/adapter.js':
    'export const [guardModel, guardProvider, unrutHooks, unrutMiddleware, unrutProcessor, followMessages, UnrutPlugin, unrutPlugin] = [];\n',
  'dist/adapter.d.ts': 'export {};\n',
  'dist/cli.js': "await import('./command/unrut.mjs');\n",
  'dist/command/unrut.mjs': 'export {};\n',
  'dist/hook.cjs': '',
  'dist/hook-program.cjs': '',
  'dist/hook-postgres.cjs': '',
  'dist/agent-plugins.js': '',
  'dist/dashboard/page.js': '',
};

/** Documents are in the repository only. */
const SHIPPED = { 'docs/a.md': undefined, 'schemas/unrut.schema.json': '{}', LICENSE: '' };

let made = 0;
/**
 * A project with a package that differs from a sound one in these files; nothing stands for a file
 * that is missing.
 */
function projectWith(files: Record<string, string | undefined> = {}): string {
  const project = join(folder, `${made++}`);
  for (const [name, text] of Object.entries({ ...SOUND, ...files })) {
    if (text === undefined) continue;
    const path = join(project, 'node_modules/unrut', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const exports = {
    '.': './dist/index.js',
    './core': './dist/core.js',
    './*': './dist/adapter.js',
  };
  writeFileSync(
    join(project, 'node_modules/unrut/package.json'),
    JSON.stringify({ name: 'unrut', type: 'module', exports }),
  );
  return project;
}
const packageWith = (files?: Record<string, string | undefined>): string =>
  join(projectWith(files), 'node_modules/unrut');

describe('the check of a package', () => {
  test('finds nothing wrong with a sound one', async () => {
    expect(() => checkModules(packageWith(), manifest)).not.toThrow();
    expect(() => checkLinks(packageWith())).not.toThrow();
    expect(() => checkContents(packageWith(SHIPPED), 1_500_000)).not.toThrow();
    expect(await checkSizes(projectWith())).toMatch(/of \d+ KB/);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['a module that no entry reaches', { 'dist/stray.js': '' }, 'no entry reaches dist/stray.js'],
    [
      'types that no entry reaches',
      { 'dist/shared/stray.d.ts': '' },
      'no entry reaches dist/shared/stray.d.ts',
    ],
    ['an entry that is missing', { 'dist/core.js': undefined }, 'dist/core.js is needed'],
    ['a program that is missing', { 'dist/hook.cjs': undefined }, 'dist/hook.cjs is needed'],
    [
      'a module that another needs',
      { 'dist/shared/guard.js': undefined },
      'dist/shared/guard.js is needed',
    ],
    [
      'types that import source',
      { 'dist/core.d.ts': "export { A } from './a.ts';\n" },
      'imports ./a.ts',
    ],
    [
      'too many files',
      Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`docs/${i}.txt`, ''])),
      'at most 500 files',
    ],
  ])('fails on %s', (_, files, complaint) => {
    expect(() => checkModules(packageWith(files), manifest)).toThrow(complaint);
  });

  test.each<[string, Record<string, string | undefined>, number, string]>([
    ['a document', { 'docs/b.md': '' }, 0, 'expected only dist and schemas, got docs/b.md'],
    [
      'a second copy of the hook',
      { 'dist/plugin/hook-program.cjs': '' },
      0,
      'shipped again in dist/plugin/hook-program.cjs',
    ],
    ['too many bytes', {}, 1_500_001, 'at most 1500000 bytes packed, got 1500001'],
  ])('fails on %s that is shipped', (_, files, packed, complaint) => {
    expect(() => checkContents(packageWith({ ...SHIPPED, ...files }), packed)).toThrow(complaint);
  });

  test.each<[string, Record<string, string | undefined>, string]>([
    ['in the README', { 'README.md': 'See [it](docs/b.md).' }, 'README.md links to docs/b.md'],
    [
      'in a document',
      { 'docs/a.md': 'See [it](../src/guard.ts).' },
      'docs/a.md links to ../src/guard.ts',
    ],
    ['to documents that are missing', { 'docs/a.md': undefined }, 'holds no docs'],
  ])('fails on a dead link %s', (_, files, complaint) => {
    expect(() => checkLinks(packageWith(files))).toThrow(complaint);
  });

  test('fails on an import that costs more than its budget', async () => {
    const incompressible = Array.from({ length: 20_000 }, (_, i) => `"${Math.sin(i + 1)}"`).join();
    const heavy = { 'dist/shared/guard.js': `export const a = [${incompressible}];\n` };
    await expect(checkSizes(projectWith(heavy))).rejects.toThrow(
      /'unrut'; expected at most \d+ KB gzipped, got \d+/,
    );
  });
});
