import { describe, expect, test } from 'vitest';
import { redact } from './redact.ts';

/** What must not be read stands between braces. */
const SENTENCES = [
  'login failed: password {hunter2xyz} rejected',
  'wrong password: {Tr0ub4dor&3} for user bob',
  'authentication failed for bob with password {hunter2}',
  'The password {hunter2xyz} is incorrect.',
  "password '{swordfish}' is wrong",
  'invalid password "{correct horse battery}" for bob',
  'invalid password ({hunter2xyz})',
  'the password is {hunter2xyz}, which was rejected',
  'Password was set to {p@ssword}.',
  'password for bob: {hunter2xyz}',
  'the password of user bob42 is {hunter2xyz}',
  'passphrase {corr3ct-h0rse} does not unlock the key',
  'passcode `{A7x9}` has expired',
  'the API key {ab12cd34} was revoked',
  'access token {x9y8z7w6} expired',
  'client secret {s3cr3t99} does not match',
  'credentials bob:{hunter2} were rejected',
];

const TWINS = [
  'password is missing',
  'password must be at least 8 characters',
  'passwords do not match',
  'password field rejected',
  'password rejected',
  'the password "must" not be empty',
  'password authentication failed for user "bob42"',
  'Access denied for user root@localhost (using password YES)',
  'password is required and was not sent',
  'password 12-character minimum',
  'password policy3 was not met',
  'password input2 not found in form1',
  'Enter passphrase for key /home/bob/.ssh/id_rsa2',
  'password hashes use sha256 or argon2id',
  'password sha256 digest differs',
  'password reset mailed to bob42@example.com',
  'reset password bob42@example.com',
  'password for user bob42 is wrong',
  'password changed 2026-11-19T10:00:00Z',
  'password check in src/auth/password2.ts failed',
  'password auth2.ts:14 failed',
  'password name=q1 is not an element',
  'api key v2 is deprecated',
  'access token endpoint returned 404',
  "Could not find credentials 'github-deploy2'",
  'credentials github-deploy-2 were not found',
  'password %s1 rejected',
  'unknown column password2 in table users4',
  'Unexpected token x1y2z3 in JSON at position 4',
  'secret "db-creds-1" not found',
];

describe('a secret that a sentence names is masked', () => {
  test.each(SENTENCES)('%s', (sentence) => {
    const expected = sentence.replace(/\{.*\}/, '<secret>').replace(/ bob:<secret>/, ' <secret>');
    const masked = redact(sentence.replace(/[{}]/g, ''));
    expect(masked).toBe(expected);
    expect(redact(masked)).toBe(masked);
  });
});

describe('a sentence about a password is left as it is', () => {
  test.each(TWINS)('%s', (sentence) => expect(redact(sentence)).toBe(sentence));
});

test('a word without digits, symbols or quotes cannot be told from the sentence', () => {
  expect(redact('password swordfish rejected')).toBe('password swordfish rejected');
});
