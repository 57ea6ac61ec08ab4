import { describe, expect, test } from 'vitest';
import { causeOf, type SightedSignal } from './cause.ts';

interface Seen {
  variant?: string;
  tool?: string;
  error?: string;
  keys?: string[];
  label?: string;
  repo?: string;
  folder?: string;
}

const sighted = ({ variant = 'same-error', keys = [], label, repo, folder, ...facts }: Seen) =>
  ({
    signal: {
      detector: 'repeated-error',
      evidence: { variant, count: 3, since: 0, keys, strength: 1, facts },
    },
    label,
    repo,
    folder,
  }) as SightedSignal;
const keyOf = (seen: Seen): string | undefined => causeOf(sighted(seen))?.key;

const OUTAGE: Seen = {
  variant: 'transient',
  tool: 'http_request POST',
  error: '503 Service Unavailable: connect ECONNREFUSED payments.internal.example:443',
  label: 'http_request POST https://payments.internal.example/v1/charge',
};

describe('two failures have one cause', () => {
  test.each<[string, Seen, Seen]>([
    [
      'if one machine is away, whatever it says and whatever repository it is met in',
      { ...OUTAGE, repo: 'shop' },
      {
        ...OUTAGE,
        error: '502 Bad Gateway',
        label: 'http_request POST https://payments.internal.example/v1/refund',
        repo: 'billing',
      },
    ],
    [
      'if only the error names the machine',
      { tool: 'npm', label: 'npm install', error: 'getaddrinfo ENOTFOUND registry.example.com' },
      { tool: 'npm', label: 'npm ci', error: 'getaddrinfo ENOTFOUND registry.example.com' },
    ],
    [
      'if errors differ in numbers alone',
      {
        tool: 'npm',
        label: 'npm test',
        repo: 'shop',
        error: 'expected 200, got 503 (request a81f)',
      },
      {
        tool: 'npm',
        label: 'npm test',
        repo: 'shop',
        error: 'expected 200, got 503 (request 77c1)',
      },
    ],
    [
      'if the same call loops in the same folder',
      { tool: 'edit', keys: ['b', 'a'], folder: 'docs' },
      { tool: 'edit', keys: ['a', 'b'], folder: 'docs' },
    ],
  ])('%s', (_, one, other) => {
    expect(keyOf(one)).toBeDefined();
    expect(keyOf(one)).toBe(keyOf(other));
  });
});

describe('twin: two failures have different causes', () => {
  test.each<[string, Seen, Seen]>([
    ['if they are of other machines', OUTAGE, { ...OUTAGE, label: 'GET https://ledger.example/' }],
    ['if they are of other tools', OUTAGE, { ...OUTAGE, tool: 'curl' }],
    [
      'if the same words are said in other repositories',
      { tool: 'npm', label: 'npm test', error: 'exit code 1', repo: 'shop' },
      { tool: 'npm', label: 'npm test', error: 'exit code 1', repo: 'docs' },
    ],
    [
      'if the machine is the own one of each agent, in other repositories',
      { tool: 'curl', label: 'curl http://localhost:3000', error: 'ECONNREFUSED', repo: 'shop' },
      { tool: 'curl', label: 'curl http://localhost:3000', error: 'ECONNREFUSED', repo: 'docs' },
    ],
    [
      'if a file looks like a machine',
      { tool: 'read', label: 'read a.ts', error: 'ENOENT: no such file, open a.ts', repo: 'a' },
      { tool: 'read', label: 'read a.ts', error: 'ENOENT: no such file, open a.ts', repo: 'b' },
    ],
    [
      'if other things are said of the same call',
      { tool: 'npm', label: 'npm test', error: 'expected 2, got 3', repo: 'shop' },
      { tool: 'npm', label: 'npm test', error: 'cannot find module x', repo: 'shop' },
    ],
    [
      'if nobody knows their repository, and their fingerprints differ',
      { tool: 'npm', label: 'npm test', error: 'exit code 1', keys: ['a'] },
      { tool: 'npm', label: 'npm test', error: 'exit code 1', keys: ['b'] },
    ],
    ['if other calls loop', { tool: 'edit', keys: ['a'] }, { tool: 'edit', keys: ['b'] }],
  ])('%s', (_, one, other) => {
    expect(keyOf(one)).toBeDefined();
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  test('and sessions share no words without a tool, and no machine of their own', () => {
    expect(causeOf(sighted({ keys: ['a'] }))).toBeUndefined();
    const own = { tool: 'curl', label: 'curl http://127.0.0.1:3000', error: 'ECONNREFUSED' };
    expect([causeOf(sighted(own)), keyOf({ ...own, repo: 'a' })]).toEqual([
      undefined,
      expect.any(String),
    ]);
  });
});

test('a cause is said in one sentence', () => {
  expect(causeOf(sighted(OUTAGE))).toMatchObject({
    kind: 'failure',
    target: 'payments.internal.example',
    text: '`http_request POST` fails at payments.internal.example: 503 Service Unavailable: connect ECONNREFUSED payments.internal.example:443',
  });
  expect(causeOf(sighted({ tool: 'edit', label: 'edit theme.ts', repo: 'docs' }))?.text).toBe(
    '`edit theme.ts` is repeated without anything new in docs',
  );
});
