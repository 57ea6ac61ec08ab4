import { expect, test } from 'vitest';
import { sentence } from './wording.ts';

test.each([
  ['the same call failed', 'The same call failed'],
  ['npm test failed. It did before', 'Npm test failed. It did before'],
  ['theme/config.ts was changed back', 'theme/config.ts was changed back'],
  ['index.ts was changed back', 'index.ts was changed back'],
  ['read_file returned the same', 'read_file returned the same'],
  ['./a.ts was changed', './a.ts was changed'],
  ['`search` returned the same', '`search` returned the same'],
  ['', ''],
])('%j begins as %j', (text, expected) => {
  expect(sentence(text)).toBe(expected);
});
