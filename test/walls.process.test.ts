import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './structure/tree.ts';

/** A file of the engine that other rooms may not import, and one that they may. */
const HIDDEN =
  "import { createReader } from '@unrut/engine/fingerprint/reader';\nconsole.log(typeof createReader);\n";
const LISTED =
  "import { createGuard } from '@unrut/engine/guard';\nconsole.log(typeof createGuard);\n";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-walls-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'hidden.ts'), HIDDEN);
  writeFileSync(join(folder, 'listed.ts'), LISTED);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (...args: string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
};

const compile = (file: string): string => {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
  const modules = ['--target', 'es2024', '--module', 'nodenext', '--types', 'node'];
  return node(join(root, 'node_modules/typescript/bin/tsc'), ...options, ...modules, file);
};

describe('an import across a wall', () => {
  it('fails in Node unless the room exports the file', () => {
    expect(node('hidden.ts')).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(node('listed.ts')).toContain('function');
  });

  it('fails in the compiler unless the room exports the file', () => {
    expect(compile('hidden.ts')).toContain("Cannot find module '@unrut/engine/fingerprint/reader'");
    expect(compile('listed.ts')).toBe('');
  });
});
