import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { secretsInFiles } from './secret-files.ts';

function file(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'unrut-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'secret'), content);
  return join(folder, 'secret');
}

test('a secret is read from the file that its variable with _FILE names, without the line feed at its end', () => {
  const environment = {
    UNRUT_TOKEN_FILE: file('correct-horse-battery\n'),
    UNRUT_LEDGER_FILE: file('postgres://unrut:hidden@db/unrut'),
    X_FILE: '/',
  };
  expect(secretsInFiles(environment)).toEqual({
    UNRUT_TOKEN: 'correct-horse-battery',
    UNRUT_LEDGER: 'postgres://unrut:hidden@db/unrut',
  });
  expect(secretsInFiles({ UNRUT_TOKEN: 'as-it-stands', UNRUT_TOKEN_FILE: '' })).toEqual({});
});

test('a program that was started by one that has read the file gets both', () => {
  expect(secretsInFiles({ UNRUT_TOKEN: 'the-same', UNRUT_TOKEN_FILE: file('the-same\n') })).toEqual(
    { UNRUT_TOKEN: 'the-same' },
  );
});

test('both at once that differ, or a file that is not there, is said in one line without the secret', () => {
  expect(() =>
    secretsInFiles({ UNRUT_TOKEN: 'hidden', UNRUT_TOKEN_FILE: file('another') }),
  ).toThrow('Set UNRUT_TOKEN or UNRUT_TOKEN_FILE; got both.');
  expect(() => secretsInFiles({ UNRUT_SECRET_FILE: '/nowhere/secret' })).toThrow(
    'Cannot read UNRUT_SECRET_FILE, /nowhere/secret: ENOENT.',
  );
  expect(secretsInFiles({ UNRUT_SECRET_FILE: '/nowhere/secret' }, ['UNRUT_TOKEN'])).toEqual({});
});
