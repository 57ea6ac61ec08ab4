import { readFileSync } from 'node:fs';
import { casesOf } from '@unrut/test/full-runs';
import { processorTime } from '@unrut/test/processor-time';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filesIn } from './file-names.ts';
import { readOutput } from './output.ts';
import { classOf, detectOutputLoop, extractSignature, signatureInWords } from './signature.ts';

const recorded = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/outputs/${name}.txt`, import.meta.url), 'utf8');

describe('the required rows', () => {
  it.each([
    [
      'Running tests... 2 failed: auth.test.ts - login test timeout, logout test assertion',
      'test-fail:2-auth.test.ts:login-timeout,logout-assertion',
    ],
    [
      'Modified auth.ts line 45-52, added null check for user.profile',
      'file:auth.ts:null-check:added',
    ],
    [
      "Searched GitHub for 'oauth2 refresh token', found 3 patterns...",
      'search:oauth2-refresh-token',
    ],
    [
      "Error: TypeError - Cannot read property 'id' of null at auth.ts:45",
      'error:TypeError-null-auth.ts',
    ],
    [
      "TypeError: Cannot read property 'id' of undefined at Foo (x.ts:3:4)",
      'error:TypeError-undefined-x.ts',
    ],
    ['TypeError: Cannot read … at Foo (x.ts:3:4)', 'error:TypeError-cannot-read-x.ts'],
    [
      "TypeError: Cannot read properties of undefined (reading 'id')\n    at Foo (x.ts:3:4)",
      'error:TypeError-undefined-id-x.ts',
    ],
    ['No errors found. Updated auth.ts at 10:00', 'file:auth.ts:updated'],
    ['Error updating database', 'error:updating-database'],
    ['Updated auth.tsx', 'file:auth.tsx:updated'],
    ['Updated main.rs', 'file:main.rs:updated'],
    ['Updated Foo.java', 'file:Foo.java:updated'],
    ['Updated a/b/c.go', 'file:a/b/c.go:updated'],
    ['Fixed auth.ts - added null check', 'file:auth.ts:null-check:added'],
    ['3 tests failing - auth, login, logout', 'test-fail:3-auth,login,logout'],
    ['2 tests failing - auth, login', 'test-fail:2-auth,login'],
    ['1 test failing - auth', 'test-fail:1-auth'],
  ])('%j', (output, expected) => {
    expect(extractSignature(output)).toBe(expected);
  });

  it.each([
    '0 tests failed',
    'All 12 tests passed',
    'No errors found.',
    'Tests: 0 failed, 4 passed',
  ])('%j is neither an error nor a failure', (output) => {
    expect(classOf(extractSignature(output))).toBe('text');
  });

  it('the same error at another line, the same fix at another place', () => {
    expect(
      extractSignature("Error: TypeError - Cannot read property 'id' of null at auth.ts:99"),
    ).toBe('error:TypeError-null-auth.ts');
    expect(extractSignature('Modified auth.ts line 3-4, added null check for user.profile')).toBe(
      'file:auth.ts:null-check:added',
    );
  });

  it('another action on the same file', () => {
    const done = [
      'added null check',
      'updated validation',
      'refactored handler',
      'updated null check',
      'removed null check',
    ];
    expect(new Set(done.map((action) => extractSignature(`Fixed auth.ts - ${action}`))).size).toBe(
      done.length,
    );
  });
});

describe('errors', () => {
  it.each([
    [
      'Traceback (most recent call last):\n  File "/home/dev/shop/cart.py", line 3, in total\n    x["a"]\nKeyError: \'a\'',
      'error:KeyError-a-shop/cart.py',
    ],
    [
      'panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/dev/shop/main.go:8 +0x1d',
      'error:panic-assignment-to-entry-in-nil-map-shop/main.go',
    ],
    [
      'error[E0308]: mismatched types\n --> src/lib.rs:4:5',
      'error:E0308-mismatched-types-src/lib.rs',
    ],
    ["main.c:3:5: error: expected ';' before 'return'", 'error:expected-before-return-main.c'],
    [
      'Exception in thread "main" java.lang.NullPointerException: no cart\n\tat com.acme.Foo.bar(Foo.java:12)',
      'error:NullPointerException-no-cart-Foo.java',
    ],
    [
      "Error: ENOENT: no such file or directory, open '/tmp/x12/config.json'",
      'error:ENOENT-no-such-file-or-directory-open-config.json',
    ],
    ['Error: connect ECONNREFUSED 127.0.0.1:5432', 'error:connect-econnrefused'],
    ['bash: foo: command not found', 'error:foo-command-not-found'],
    ['fatal: not a git repository', 'error:fatal-not-a-git-repository'],
    [
      'a.py:3: error: Incompatible types\nb.py:4: error: Missing return\nFound 2 errors in 2 files',
      'error:incompatible-types-a.py+1~',
    ],
  ])('%j', (output, expected) => {
    expect(extractSignature(output)).toContain(expected);
  });

  it.each([
    'Fixed the TypeError: Cannot read property of null, all good now',
    'Error handling added to auth.ts',
    'The bug where TypeError: x is not a function came up is resolved.',
    'I looked at the log from last night and saw there was a TypeError: x is not a function, so I went on.',
    'Added error messages to the form.',
    'throw new Error("x") is what it does',
    'That errors out at times, look at data.',
  ])('%j is no error', (output) => {
    expect(classOf(extractSignature(output))).not.toBe('error');
  });

  it('fewer stated errors are another outcome', () => {
    const stated = [5, 4, 3].map(
      (n) => `src/a.ts:1:1 - error TS2304: Cannot find name 'x'.\n\nFound ${n} errors in 2 files.`,
    );
    expect(new Set(stated.map(extractSignature)).size).toBe(3);
  });

  it('an error inside a failing test keeps the tests and the count', () => {
    const output = (n: number): string =>
      ` FAIL  a.test.ts > cart > adds\nTypeError: Cannot read properties of undefined (reading 'id')\n ❯ total src/cart.ts:3:20\n\n Tests  ${n} failed | 4 passed (6)`;
    expect(extractSignature(output(2))).toBe(
      'error:TypeError-undefined-id-src/cart.ts+test-fail:2-a.test.ts:cart-adds',
    );
    expect(extractSignature(output(1))).not.toBe(extractSignature(output(2)));
  });
});

describe('failing tests', () => {
  it.each([
    [
      'unittest',
      'FAIL: test_adds (test_cart.TestCart)\nAssertionError: 3 != 4\nFAILED (failures=1)',
      'test-fail:1-test_adds-test_cart.TestCart',
    ],
    [
      'mocha',
      '  3 passing (8ms)\n  1 failing\n\n  1) cart adds:\n     AssertionError: expected 3 to equal 4',
      'test-fail:1-cart-adds',
    ],
    ['TAP', 'not ok 2 - adds up # time=3ms\n# fail 1', 'test-fail:1-adds-up'],
    [
      'gradle',
      'CartTest > adds() FAILED\n3 tests completed, 1 failed',
      'test-fail:1-CartTest-adds',
    ],
    [
      'rspec',
      '3 examples, 1 failure\n\nrspec ./spec/cart_spec.rb:4 # Cart adds',
      'test-fail:1-spec/cart_spec.rb:Cart-adds',
    ],
  ])('%s', (_runner, output, expected) => {
    expect(extractSignature(output)).toContain(expected);
  });

  it('another wrong value is another outcome, another duration is not', () => {
    const output = (got: string, ms: number): string =>
      ` FAIL  a.test.ts > adds\nAssertionError: expected ${got} to be 4\n × adds ${ms}ms\n Tests  1 failed (1)`;
    expect(extractSignature(output('3', 12))).toBe(extractSignature(output('3', 7)));
    expect(extractSignature(output('undefined', 12))).not.toBe(extractSignature(output('3', 12)));
  });

  it('the order in which they are reported does not matter', () => {
    const [a, b] = ['FAILED test_a.py::test_x - assert 1', 'FAILED test_b.py::test_y - assert 2'];
    expect(extractSignature(`${a}\n${b}\n2 failed in 0.1s`)).toBe(
      extractSignature(`${b}\n${a}\n2 failed in 0.3s`),
    );
  });
});

describe('everything else', () => {
  it('rounds, times and ids are masked; quantities with direction and numbered things are not', () => {
    const same = (a: string, b: string): boolean => extractSignature(a) === extractSignature(b);
    expect(same('Iteration 3: nothing to do', 'Iteration 4: nothing to do')).toBe(true);
    expect(same('Waited 312 ms for 7 answers', 'Waited 280 ms for 9 answers')).toBe(true);
    expect(same('Processed 10 of 200', 'Processed 11 of 200')).toBe(false);
    expect(same('Wrote chapter 3', 'Wrote chapter 4')).toBe(false);
    expect(same('Nothing to do', 'Everything to do')).toBe(false);
  });

  it('in a long output the rest counts as well', () => {
    const long = (news: string): string => `Updated TODO.md.\n\n${news.repeat(12)}`;
    expect(extractSignature(long('The parser reads numbers now. '))).not.toBe(
      extractSignature(long('The lexer knows comments now. ')),
    );
    expect(extractSignature(long('The parser reads numbers now. '))).toBe(
      extractSignature(long('The parser reads numbers now. ')),
    );
  });

  it('colours and redrawn lines make no difference', () => {
    expect(extractSignature('\u001b[32mAll\u001b[0m good here\r\n')).toBe(
      extractSignature('All good here'),
    );
    expect(extractSignature('10%\r50%\r100% done\nAll good')).toBe(
      extractSignature('100% done\nAll good'),
    );
  });

  it('an empty output has an empty signature', () => {
    expect(extractSignature(' \n\t')).toBe('');
  });
});

describe.each(['vitest', 'jest', 'pytest', 'go', 'cargo', 'tsc', 'eslint', 'node'])(
  'real output of %s',
  (tool) => {
    const first = extractSignature(recorded(`${tool}-first`));

    it('two runs of one failure are equal, another failure differs', () => {
      expect(recorded(`${tool}-first`)).not.toBe(recorded(`${tool}-second`));
      expect(extractSignature(recorded(`${tool}-second`))).toBe(first);
      expect(extractSignature(recorded(`${tool}-other`))).not.toBe(first);
      expect(classOf(first)).toBe(['tsc', 'eslint', 'node'].includes(tool) ? 'error' : 'tests');
    });

    if (tool === 'go') return; // go test prints no colours
    it('colours make no difference', () => {
      expect(recorded(`${tool}-color`)).toContain('\u001b[');
      expect(extractSignature(recorded(`${tool}-color`))).toBe(first);
    });
  },
);

describe('signatures', () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';

  it.each([
    `Error: bad credentials ${secret} at auth.ts:3`,
    `Updated auth.ts - added token ${secret}`,
    `2 failed: a.test.ts - ${secret}`,
    `said ${secret}`,
    `error:${secret}`,
  ])('hold no secret: %j', (output) => {
    expect(extractSignature(output)).not.toContain('ghp_');
    expect(readOutput(output).text).not.toContain('ghp_');
  });

  it('are bounded, stable and their own signature, for any text', () => {
    const words = fc.constantFrom(
      'Error: ',
      'TypeError: ',
      ' at auth.ts:45',
      '3 failed: ',
      'FAIL  a.test.ts > x',
      'Updated ',
      'src/a/b.ts',
      'added ',
      "searched for 'x'",
      '\n',
      ' - ',
      'panic: ',
      '✗ ',
      '12 ',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 40 }),
        (parts) => {
          const signature = extractSignature(parts.join(''));
          expect(signature.length).toBeLessThanOrEqual(200);
          expect(signature).not.toMatch(/\s/);
          expect(extractSignature(parts.join(''))).toBe(signature);
          expect(extractSignature(signature)).toBe(signature);
        },
      ),
      { numRuns: casesOf(1000) },
    );
  });

  it('of a very long output cost little', () => {
    for (const piece of [
      'Error: x at y.ts:3\n',
      'FAIL a > b\n',
      'x'.repeat(70),
      'Updated a.ts and ',
      '\u001b[31m',
      '/a.b'.repeat(20),
      '(((((((',
      'at at at at ',
      '12 34 ',
    ]) {
      const output = piece.repeat(Math.ceil(5_000_000 / piece.length));
      expect(processorTime(() => void extractSignature(output))).toBeLessThan(4000);
    }
  });
});

describe('a loop of outputs', () => {
  const [a, b] = [
    "Error: TypeError - Cannot read property 'id' of null at auth.ts:45",
    'Fixed auth.ts - added null check',
  ].map(extractSignature) as [string, string];
  const output = "Error: TypeError - Cannot read property 'id' of null at auth.ts:51";

  it('is three in a row: a, b, a, a is none, a, b, a, a, a is one', () => {
    for (const current of [output, a]) {
      expect(detectOutputLoop(current, [])).toBe(false);
      expect(detectOutputLoop(current, [a])).toBe(false);
      expect(detectOutputLoop(current, [a, b, a])).toBe(false);
      expect(detectOutputLoop(current, [a, b, a, a])).toBe(true);
      expect(detectOutputLoop(current, [b, a, a, a])).toBe(true);
      expect(detectOutputLoop(current, [a, a, b])).toBe(false);
    }
    expect(detectOutputLoop('a', ['a', 'b', 'a'])).toBe(false);
    expect(detectOutputLoop('a', ['a', 'b', 'a', 'a'])).toBe(true);
  });

  it('takes another threshold, and none of empty outputs', () => {
    expect(detectOutputLoop(output, [a], 2)).toBe(true);
    expect(detectOutputLoop(output, [a, a], 4)).toBe(false);
    expect(detectOutputLoop('', ['', '', ''])).toBe(false);
  });

  it('is not progress: 3, 2, 1 failing; other work on one file', () => {
    const progress = [
      '3 tests failing - auth, login, logout',
      '2 tests failing - auth, login',
      '1 test failing - auth',
    ];
    const work = [
      'Fixed auth.ts - added null check',
      'Fixed auth.ts - updated validation',
      'Fixed auth.ts - refactored handler',
    ];
    for (const outputs of [progress, work]) {
      outputs.forEach((each, i) => {
        expect(detectOutputLoop(each, outputs.slice(0, i).map(extractSignature))).toBe(false);
      });
    }
    expect(detectOutputLoop(work[0]!, [work[0]!, work[0]!].map(extractSignature))).toBe(true);
  });
});

describe('file names', () => {
  it.each([
    ['see auth.tsx, main.rs and Foo.java', ['auth.tsx', 'main.rs', 'Foo.java']],
    ['a/b/c.go:12:3', ['a/b/c.go']],
    ['`src/x.test.ts`', ['src/x.test.ts']],
    ['C:\\Users\\bob\\shop\\cart.cs', ['shop/cart.cs']],
    ['file:///home/dev/project/cart.js:2', ['project/cart.js']],
    ['/tmp/run-8f3a91/cart.js', ['cart.js']],
    ['./lib/cart.zig', ['lib/cart.zig']],
    ['Dockerfile and .env', ['Dockerfile', '.env']],
    ['user.profile, e.g. Node.js 20.1 at 10:00. Done.', []],
    ['https://example.com/index.html', []],
  ])('in %j', (line, expected) => {
    expect(filesIn(line).map(({ name }) => name)).toEqual(expected);
  });
});

describe('for a reader', () => {
  it.each([
    ['file:auth.ts:null-check:added', 'auth.ts null check added'],
    ['file:my-page.ts:header:changed~abcdef', 'my-page.ts header changed'],
    ['error:TypeError-null-auth.ts', 'TypeError null auth.ts'],
    ['error:incompatible-types-a.py+1~qwerty', 'incompatible types a.py and 1 more'],
    ['error:x3~qwerty', '3 errors'],
    [
      'test-fail:2-auth.test.ts:login-timeout,logout-assertion',
      '2, auth.test.ts login timeout, logout assertion',
    ],
    ['search:oauth2-refresh-token', 'oauth2 refresh token'],
    ['text:waiting-for-a-review~abcdef', 'waiting for a review'],
  ])('%s', (signature, words) => {
    expect(signatureInWords(signature)).toBe(words);
  });
});
