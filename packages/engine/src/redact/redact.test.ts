import { casesOf } from '@unrut/test/full-runs';
import { processorTime } from '@unrut/test/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskValue, redact } from './redact.ts';

const masked: [where: string, text: string, expected: string][] = [
  ['JSON', '{"apiKey":"abc","x":1}', '{"apiKey":"<secret>","x":1}'],
  [
    'JSON inside JSON',
    '{\\"password\\":\\"a b\\",\\"x\\":1}',
    '{\\"password\\":\\"<secret>\\",\\"x\\":1}',
  ],
  [
    'a list in JSON',
    '{"set-cookie":["sid=1; Path=/","b=2"],"z":1}',
    '{"set-cookie":[<secret>],"z":1}',
  ],
  [
    'a list of headers',
    '{"name":"Authorization","value":"xyz"}',
    '{"name":"Authorization","value":"<secret>"}',
  ],
  [
    'a quoted value with an escaped quote',
    '{"secret":"a\\"b","x":1}',
    '{"secret":"<secret>","x":1}',
  ],
  ['Python', "{'client_secret': 'abc', 'x': 1}", "{'client_secret': '<secret>', 'x': 1}"],
  ['Ruby', "{'token' => 'abc'}", "{'token' => '<secret>'}"],
  ['XML', '<password>abc</password>', '<password><secret></password>'],
  ['a query string', 'GET /a?api_key=abc&x=1', 'GET /a?api_key=<secret>&x=1'],
  [
    'an environment assignment',
    'export DB_PASSWORD=hunter2 && run',
    'export DB_PASSWORD=<secret> && run',
  ],
  [
    'an abbreviated environment name',
    'SMTP_PASS=hunter2 node a.js',
    'SMTP_PASS=<secret> node a.js',
  ],
  ['a flag and its value', 'deploy --token abc --force', 'deploy --token <secret> --force'],
  ['a flag with =', 'deploy --password=abc now', 'deploy --password=<secret> now'],
  ['a list of arguments', '["--api-key","abc","x"]', '["--api-key","<secret>","x"]'],
  ['a user and password', 'curl -u bob:hunter2 http://a.b', 'curl -u <secret> http://a.b'],
  ['YAML', 'user: bob\npassword: correct horse\nport: 1', 'user: bob\npassword: <secret>\nport: 1'],
  ['a header', 'API-KEY: xyz', 'API-KEY: <secret>'],
  ['a cookie header', 'Cookie: a=b; c=d\nAccept: x', 'Cookie: <secret>\nAccept: x'],
  ['a set-cookie header', 'Set-Cookie: sid=abc; HttpOnly', 'Set-Cookie: <secret>'],
  ['an authorization header', 'Authorization: Bearer xyz\nnext', 'Authorization: <secret>\nnext'],
  [
    'a header in quotes',
    `curl -H "Authorization: Basic dXNlcjpwYXNz" a.b`,
    'curl -H "Authorization: <secret>" a.b',
  ],
  [
    'a header in a JSON text',
    '"x\\nCookie: a=b\\nAccept: y"',
    '"x\\nCookie: <secret>\\nAccept: y"',
  ],
  ['words', 'my api key: abc', 'my api key: <secret>'],
  ['Bearer', 'sent Bearer xyz.', 'sent Bearer <secret>.'],
  ['Basic', 'sent Basic xyz', 'sent Basic <secret>'],
  ['an address', 'https://user:pass@host/path', 'https://<secret>@host/path'],
  ['a database address', 'postgres://u:p%40@db:5432/x', 'postgres://<secret>@db:5432/x'],
  [
    'a PEM block',
    'a -----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY----- b',
    'a <secret> b',
  ],
  ['a PEM block that was cut', '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg', '<secret>'],
  ['a JSON web token', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def.', 'got <secret>.'],
  ['a key with slashes', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', '<secret>'],
  [
    'a token in a path',
    'https://a.b/c/ghp_abcdefghijklmnopqrstuvwxyz0123456789/d',
    'https://a.b/c/<secret>/d',
  ],
];

const untouched = [
  '',
  'npm test -- src/fingerprint/output-signature.test.ts',
  '/home/dev/project/src/components/UserProfileV2/index.test.ts',
  '/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/x',
  'C:\\Users\\Bob\\AppData\\Local\\Programs\\Python39\\python.exe',
  '550e8400-e29b-41d4-a716-446655440000',
  'session-550e8400-e29b-41d4-a716-446655440000',
  'commit 0123456789abcdef0123456789abcdef01234567',
  'image@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  'getUserProfileByAccountIdentifier',
  'testOAuth2RefreshTokenV2Works',
  'parseXMLHTTPRequestHeaders',
  'MAX_RETRY_COUNT_V2_DEFAULT_VALUE',
  'antidisestablishmentarianism-internationalization',
  'api-deployment-7d9f8b6c5d-x2x4z',
  'Basic usage of bearer tokens',
  'Unexpected token: foo',
  'max_tokens=5, tokens: 1234',
  'function f(token: string, password?: string)',
  'const token = getToken(user);',
  'secret=$TOKEN token="${TOKEN}" password=${{ secrets.X }}',
  'PWD=/home/dev OLDPWD=/',
  '{"token":null,"password":"","secret":{"type":"string"}}',
  'https://git@github.com/a/b',
  'docker run -u 1000:1000 image',
  'Edit src/secret-value.ts',
  'use crate::Token::Eof',
];

describe('a secret is masked', () => {
  it.each(masked)('in %s', (_where, text, expected) => {
    expect(redact(text)).toBe(expected);
    expect(redact(expected)).toBe(expected);
  });

  it.each(
    'apiKey api_key API-KEY password secret token passwd authorization cookie set-cookie private_key accessToken x-api-key'.split(
      ' ',
    ),
  )('after the name %s, however it is written down', (name) => {
    for (const write of [
      `{"${name}": "hunter2!"}`,
      `?${name}=hunter2!&x=1`,
      `--${name} hunter2!`,
      `--${name}=hunter2!`,
      `${name}: hunter2!`,
    ]) {
      expect(redact(`run ${write} end`)).not.toContain('hunter2');
      expect(redact(write)).not.toContain('hunter2');
    }
  });
});

it.each(untouched)('%j is left as it is', (text) => {
  expect(redact(text)).toBe(text);
});

it('says only how long a typed value was', () => {
  expect(maskValue('hunter2hunt!')).toBe('<value:12 chars>');
  expect(redact(`{"password":"${maskValue('x')}"}`)).toBe('{"password":"<value:1 chars>"}');
});

it('cuts a long text to its head and tail', () => {
  const long = `head ${'words and words '.repeat(40_000)} token=abc tail`;
  expect(redact(long).length).toBeLessThan(65_536);
  expect(redact(long)).toMatch(/^head .* token=<secret> tail$/s);
});

/**
 * Random as a key generator is: fast-check's own strings shrink to `aaaa`, which nobody would call
 * a key.
 */
function randomText(alphabet: string, length: number, seed: number): string {
  let state = seed | 1;
  let text = '';
  while (text.length < length) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    text += alphabet[(state >>> 0) % alphabet.length];
  }
  return text;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALNUM = `${UPPER}${UPPER.toLowerCase()}0123456789`;
const shapes: Record<string, (seed: number) => string> = {
  aws: (seed) => `AKIA${randomText(`${UPPER}234567`, 16, seed)}`,
  github: (seed) => `ghp_${randomText(ALNUM, 36, seed)}`,
  'github fine-grained': (seed) =>
    `github_pat_${randomText(ALNUM, 22, seed)}_${randomText(ALNUM, 59, seed + 1)}`,
  gitlab: (seed) => `glpat-${randomText(`${ALNUM}-_`, 20, seed)}`,
  slack: (seed) => `xoxb-${randomText('0123456789', 12, seed)}-${randomText(ALNUM, 24, seed + 1)}`,
  openai: (seed) => `sk-${randomText(ALNUM, 48, seed)}`,
  anthropic: (seed) => `sk-ant-api03-${randomText(`${ALNUM}-_`, 80, seed)}AA`,
  stripe: (seed) => `sk_live_${randomText(ALNUM, 24, seed)}`,
  google: (seed) => `AIza${randomText(`${ALNUM}-_`, 35, seed)}`,
  npm: (seed) => `npm_${randomText(ALNUM, 36, seed)}`,
  jwt: (seed) =>
    `eyJ${randomText(ALNUM, 17, seed)}.eyJ${randomText(ALNUM, 30, seed + 1)}.${randomText(`${ALNUM}-_`, 43, seed + 2)}`,
  'any key': (seed) => randomText(ALNUM, 40, seed),
  'hex key': (seed) => randomText('0123456789abcdef', 48, seed),
  bearer: (seed) => `Bearer ${randomText(ALNUM, 12, seed)}`,
  address: (seed) => `https://bob:${randomText(ALNUM, 9, seed)}@example.com`,
  pem: (seed) =>
    `-----BEGIN PRIVATE KEY-----\n${randomText(`${ALNUM}+/`, 64, seed)}\n-----END PRIVATE KEY-----`,
  json: (seed) => `{"password": "${randomText(`${ALNUM} !%&`, 12, seed)}"}`,
  flag: (seed) => ` --token ${randomText(ALNUM, 8, seed)}`,
};

/** What may stand next to a token without becoming part of it. */
const surroundings = fc.string({
  unit: fc.constantFrom(...' \n\t,;:(){}[]"\'<>.=&?abcXYZ019-/\u00e4\u2713'),
  maxLength: 40,
});
const edge = fc.constantFrom(' ', '\n', ', ', '(', ' "', '; ');

it.each(Object.entries(shapes))('a planted secret never survives: %s', (_name, plant) => {
  fc.assert(
    fc.property(
      surroundings,
      edge,
      fc.integer({ min: 1, max: 2 ** 31 - 5 }),
      edge,
      surroundings,
      (before, left, seed, right, after) => {
        const planted = plant(seed);
        const telling = planted
          .match(/[A-Za-z0-9+/_-]{8,}/g)!
          .filter((part) => !/BEGIN|PRIVATE|password|token|https|Bearer|example/.test(part));
        const out = redact(`${before}${left}${planted}${right}${after}`);
        for (const part of telling) expect(out).not.toContain(part);
      },
    ),
    { numRuns: casesOf(300) },
  );
});

it('is idempotent', () => {
  const pieces = fc.oneof(
    surroundings,
    fc.constantFrom(
      ...masked.map(([, text]) => text),
      ...untouched,
      '<secret>',
      '<',
      '-----BEGIN ',
      'token',
      'password:',
      '=',
      '://',
      '@',
      '\\"',
      '--token ',
    ),
    fc
      .tuple(fc.constantFrom(...Object.values(shapes)), fc.integer({ min: 1, max: 2 ** 31 - 5 }))
      .map(([plant, seed]) => plant(seed)),
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const once = redact(parts.join(''));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: casesOf(3000) },
  );
  const growing = `${'token=a '.repeat(8000)}${'://a:b@ '.repeat(100)}`;
  expect(redact(redact(growing))).toBe(redact(growing));
});

it.each([
  'sk-',
  'token:{',
  'token:f(',
  'cookie:$a ',
  '-u=',
  '@',
  'AKIAIOSFODNN7EXAMPLE/',
  '-----BEGIN ',
  'token="',
  'password for ',
  'password is \t',
  'Bearer ',
  '://',
  'aB3',
])('takes little time for 60 KB of %j', (piece) => {
  const text = piece.repeat(Math.ceil(60_000 / piece.length));
  expect(processorTime(() => void redact(text))).toBeLessThan(4000);
});

it('costs next to nothing for a label without anything suspicious', () => {
  const label = 'fetch https://example.com/articles/today and read the result';
  const rounds = 50_000;
  const time = processorTime(() => {
    for (let i = 0; i < rounds; i++) redact(label);
  });
  expect(time / rounds).toBeLessThan(0.02);
});
