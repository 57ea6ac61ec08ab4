import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../deploy/make-secrets.mjs');

test('the key for Prometheus is taken from standard input, and what is there stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const make = (args: string[], input = ''): number | null =>
    spawnSync(process.execPath, [PROGRAM, folder, ...args], { input }).status;
  const kept = (name: string): string => readFileSync(join(folder, name), 'utf8');
  expect([make([]), kept('metrics-key')]).toEqual([0, '']);
  const secret = kept('secret');
  expect([make(['metrics-key'], 'unrut_1_x\n'), kept('metrics-key')]).toEqual([0, 'unrut_1_x']);
  expect([make(['metrics-key'], 'Error.'), kept('metrics-key')]).toEqual([1, 'unrut_1_x']);
  expect([make([]), kept('secret'), kept('metrics-key')]).toEqual([0, secret, 'unrut_1_x']);
});
