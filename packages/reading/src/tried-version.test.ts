import { expect, it } from 'vitest';
import { isUntried, versionIn } from './tried-version.ts';

it.each([
  ['0.167.0', '0.166', true],
  ['0.166.9', '0.166', false],
  ['0.9.1', '0.166', false],
  ['1.0.0', '0.166', true],
  ['2.1.400', '2.1', false],
  ['4', '3', true],
  ['3', '3', false],
  ['none', '3', false],
])('version %s is untried after %s: %s', (version, tried, expected) => {
  expect(isUntried(version, { tried, at: 'version' })).toBe(expected);
});

it.each([
  [{ payload: { cli_version: '0.118.0-alpha' } }, '0.118.0'],
  [{ payload: { cli_version: 3 } }, '3'],
  [{ payload: { cli_version: 'x'.repeat(99) } }, undefined],
  [{ payload: {} }, undefined],
  [null, undefined],
])('of %j the version is %s', (record, version) => {
  expect(versionIn(record, { tried: '1', at: 'payload.cli_version' })).toBe(version);
});
