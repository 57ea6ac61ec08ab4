import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { typeableHere } from './typeable-here.ts';

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'unrut-path-')), 'bin');
  mkdirSync(folder);
  vi.stubEnv('PATH', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(folder, '..'), { recursive: true });
});

test.each([
  ['unrut show af36 shows what happened', 'npx unrut show af36 shows what happened'],
  ['Switch it on: unrut on', 'Switch it on: npx unrut on'],
  ['(unrut show a; wrong? unrut false-alarm)', '(npx unrut show a; wrong? npx unrut false-alarm)'],
])('a command is shown as it can be typed where the PATH has no unrut: %s', (text, typed) => {
  expect(typeableHere(text)).toBe(typed);
});

test.each([
  'npx unrut show',
  'in /home/dev/unrut show',
  'unrut means something',
  'Unrut is on',
  'my-unrut show',
])('no other text is changed: %s', (text) => {
  expect(typeableHere(text)).toBe(text);
});

test('nothing is changed where the PATH has unrut', () => {
  writeFileSync(join(folder, process.platform === 'win32' ? 'unrut.cmd' : 'unrut'), '');
  expect(typeableHere('unrut show af36')).toBe('unrut show af36');
});
