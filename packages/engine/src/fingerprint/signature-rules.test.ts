import { describe, expect, test } from 'vitest';
import { classOf, extractSignature, signatureInWords } from './signature.ts';

describe('how errors are reported', () => {
  test.each([
    [
      'a lint rule under its file',
      "src/a.js\n  2:9  error  'rate' is never used  no-unused-vars",
      'error:no-unused-vars-rate-is-never-used-src/a.js',
    ],
    [
      'a lint message without a rule',
      'src/a.js\n  2:9  error  Missing thing',
      'error:lint-missing-thing-src/a.js',
    ],
    [
      'a lint rule under the nearest file',
      'a.js\nb.ts\n  1:1  error  oh  rule-x',
      'error:rule-x-oh-b.ts',
    ],
    [
      'a compiler with the place in parentheses',
      'a.ts(7,3): error TS2322: No good.',
      'error:TS2322-no-good-a.ts',
    ],
    ['a compiler with a dash', 'a.ts:7:3 - error TS2322: No good.', 'error:TS2322-no-good-a.ts'],
    ['a fatal error of a compiler', 'a.c:3: fatal error: x.h: No', 'error:x.h-no-a.c'],
    ['an error code without a place', 'error TS5: wide', 'error:TS5-wide'],
    ['an error code in brackets', 'error[E0308]: mismatched', 'error:E0308-mismatched'],
    ['an error without a name', 'error: plain words', 'error:plain-words'],
    ['a fatal one', 'FATAL error: boom goes it', 'error:boom-goes-it'],
    ['a panic', 'panic: oh no', 'error:panic-oh-no'],
    ['git', 'fatal: oh no', 'error:fatal-oh-no'],
    ['npm, by its code', 'npm ERR! code ELIFECYCLE', 'error:ELIFECYCLE'],
    ['npm, by its words', 'npm ERR! missing script: x', 'error:npm-missing-script-x'],
    ['npm, a code and words', 'npm ERR! ENOTFOUND registry', 'error:ENOTFOUND-registry'],
    [
      'a thread that panicked',
      "thread 'main' panicked at src/main.rs:4:5:\nindex out of bounds",
      'error:panic-src/main.rs',
    ],
    [
      'a shell that counts lines',
      'sh: line 3: foo: No such file or directory',
      'error:foo-no-such-file-or-directory',
    ],
    ['another shell', 'zsh: foo: command not found', 'error:foo-command-not-found'],
    ['a shell by its path', '/bin/sh: foo: command not found', 'error:foo-command-not-found'],
    [
      'a name with a package',
      'java.lang.IllegalStateException: bad state here',
      'error:IllegalStateException-bad-state-here',
    ],
    ['a name and a dash', 'my.mod.CustomError - went wrong', 'error:CustomError-went-wrong'],
    ['a name and a code', 'TypeError [ERR_X]: went wrong', 'error:TypeError-went-wrong'],
    ['a name after six words', 'one two three four five six TypeError: x y', 'error:TypeError-x-y'],
    ['an error in something', 'Error in the loader', 'error:in-the-loader'],
    ['an error and a dash', 'Error - it broke', 'error:it-broke'],
    ['an error after a time', '10:00:01 error: it broke', 'error:it-broke'],
    ['an uncaught one', 'Uncaught Error: it broke', 'error:it-broke'],
    ['an internal one', 'internal error while loading', 'error:while-loading'],
    ['an error and its place', 'error a.ts:3: bad thing', 'error:bad-thing-a.ts'],
    ['an error with a number', 'Error 404 there', 'error:404-there'],
    ['a code after the word', 'Error: ENOENT: no such file', 'error:ENOENT-no-such-file'],
    ['a code alone', 'Error: ESLINT_FAILED', 'error:ESLINT_FAILED'],
    ['a name after the word', 'Error: TypeError: x y', 'error:TypeError-x-y'],
    ['a code and a dash', 'Error: BIG_CODE - gone wrong', 'error:BIG_CODE-gone-wrong'],
    ['a plain exception', 'Exception: went wrong', 'error:went-wrong'],
    [
      'the first frame',
      'TypeError: x y\n    at foo (src/a.ts:3:4)',
      'error:TypeError-x-y-src/a.ts',
    ],
    [
      'the first frame of our own',
      'TypeError: x y\n    at foo (node_modules/a.ts:3:4)\n    at foo (node:fs.ts:3:4)\n    at bar (src/b.ts:1:1)',
      'error:TypeError-x-y-src/b.ts',
    ],
    [
      'the last frame before it',
      '  File "src/z.py", line 1\n  File "src/a.py", line 3\n    foo\nKeyError: zed',
      'error:KeyError-zed-src/a.py',
    ],
    [
      'a place in the message',
      'TypeError: x y at Foo (x.ts:3:4) and so on',
      'error:TypeError-x-y-x.ts',
    ],
    [
      'a place without parentheses',
      'TypeError: x y at src/d.ts:3:4 and so on',
      'error:TypeError-x-y-src/d.ts',
    ],
    ['no place', 'TypeError: x y at <anonymous>', 'error:TypeError-x-y-at-anonymous'],
    [
      'what was read of nothing',
      "TypeError: Cannot read properties of null (reading 'foo')",
      'error:TypeError-null-foo',
    ],
    [
      'what was set of nothing',
      "TypeError: Cannot set property 'x' of undefined",
      'error:TypeError-undefined',
    ],
    [
      'a path in the message',
      'TypeError: bad path /home/me/x/y/config.json here',
      'error:TypeError-bad-path-config.json-here',
    ],
  ])('%s', (_, output, signature) => {
    expect(extractSignature(output)).toBe(signature);
  });

  test.each([
    ...[
      '  2:9  warning  x  y-z\nall good',
      '$TypeError: x y',
      'a/TypeError: x y',
      'No TypeError: x y',
      'It catches TypeError: x y',
    ],
    ...[
      'TypeError: x is now fixed',
      'one two three four five six seven TypeError: x y',
      'Error handling is nice',
      'errors are fun',
    ],
  ])('%j reports none', (output) => {
    expect(classOf(extractSignature(output))).toBe('text');
  });

  test('a frame too far away is not the place of an error', () => {
    const after = (lines: number): string =>
      `TypeError: x y\n${'words\n'.repeat(lines)}    at foo (src/a.ts:3:4)`;
    expect(extractSignature(after(14))).toBe('error:TypeError-x-y-src/a.ts');
    expect(extractSignature(after(15))).toBe('error:TypeError-x-y');
    const before = (lines: number): string =>
      `  File "src/a.py", line 3\n${'words\n'.repeat(lines)}KeyError: zed`;
    expect(extractSignature(before(11))).toBe('error:KeyError-zed-src/a.py');
    expect(extractSignature(before(12))).toBe('error:KeyError-zed');
  });

  test('further errors are counted, and which they are makes a difference', () => {
    const [one, two] = ['beta', 'gamma'].map((word) =>
      extractSignature(`error: alpha\nerror: ${word}`),
    );
    expect(one).toMatch(/^error:alpha\+1~[a-z]{6}$/);
    expect(two).toMatch(/^error:alpha\+1~[a-z]{6}$/);
    expect(one).not.toBe(two);
    expect(extractSignature('error: alpha\nerror: alpha')).toBe('error:alpha');
    expect(extractSignature('error: alpha\nerror: beta\nerror: gamma')).toBe(
      extractSignature('error: alpha\nerror: gamma\nerror: beta'),
    );
  });

  test.each([
    ['error: expected 3 to be 4'],
    ['AssertionError: x'],
    ['error: test failed, to rerun pass --lib'],
    ['error: 2 targets failed'],
    ['Error: Command failed: x'],
    ['npm ERR! code ELIFECYCLE'],
  ])('where tests fail, %j is what they or their runner say', (line) => {
    expect(extractSignature(`--- FAIL: TestX (0.00s)\n${line}`)).toMatch(/^test-fail:\d-TestX/);
  });
});

describe('how failing tests are reported', () => {
  test.each([
    ['mocha', '1 failing\n\n  1) cart adds:', '1-cart-adds'],
    ['jest in short, with a duration', '✕ adds two (5 ms)\nTests: 1 failed', '1-adds-two'],
    ['vitest in short, with a duration', '× adds two 12ms\n1 failed', '1-adds-two'],
    ['a duration with a fraction', '× adds two 1.5 s\n1 failed', '1-adds-two'],
    ['a count of problems is no name', '✖ 3 problems\n1 failed', '1'],
    ['a file', 'FAIL src/a.test.ts\n1 failed', '1-src/a.test.ts'],
    ['vitest with a project', 'FAIL |web| src/a.test.ts > x > y\n 1 failed', '1-src/a.test.ts:x-y'],
    [
      'a full name outweighs a short one',
      'FAIL src/a.test.ts > x > y\n× other\n1 failed',
      '1-src/a.test.ts:x-y',
    ],
    ['jest', '● cart › adds\n1 failed', '1-cart-adds'],
    ['what jest printed is no name', '● Console\n1 failed', '1'],
    ['pytest', 'FAILED tests/a.py::test_x - assert 1\n1 failed', '1-tests/a.py:test_x'],
    ['pytest, a whole file', 'ERROR tests/a.py\n1 error', '1-tests/a.py'],
    ['go', '--- FAIL: TestX (0.00s)', '1-TestX'],
    ['cargo', 'test a::b ... FAILED\ntest result: FAILED. 3 passed; 1 failed', '1-a-b'],
    ['TAP', 'not ok 3 - adds # time=4\n1 failed', '1-adds'],
    ['TAP without a dash', 'not ok 3 adds\n1 failed', '1-adds'],
    ['maven', '[ERROR]   CartTest.adds:12 expected\nTests run: 3, Failures: 1', '1-CartTest.adds'],
    ['dotnet', 'Failed Cart.Adds [12 ms]\nFailed: 1', '1-Cart.Adds'],
    ['phpunit', '1) CartTest::testAdds\nFailures: 1', '1-CartTest-testAdds'],
    [
      'two of them, sorted, each once',
      '--- FAIL: TestB\n--- FAIL: TestA\n--- FAIL: TestB\n3 failed',
      '3-TestA,TestB',
    ],
    [
      'prose with a file',
      '2 failed: a.test.ts - login, logout and the signup',
      '2-a.test.ts:login,logout,signup',
    ],
    ['prose in parentheses', '3 failing (one; two)', '3-one,two'],
    ['prose up to the full stop', '2 failures — alpha. More text', '2-alpha'],
    ['prose without articles', '2 tests failed: the login test!', '2-login'],
  ])('%s', (_, output, signature) => {
    expect(extractSignature(output)).toBe(`test-fail:${signature}`);
  });

  test('a list in prose needs a count before it', () => {
    expect(classOf(extractSignature('failed: x'))).toBe('text');
  });

  test('what was expected and what came make a difference, how long it took does not', () => {
    const failed = (reason: string): string =>
      extractSignature(`1 failed\nFAIL a.test.ts > x\n${reason}`);
    expect(failed('Expected: 3\nReceived: 4')).not.toBe(failed('Expected: 3\nReceived: 5'));
    expect(failed('E   assert 1 == 2')).toBe(failed('assert 1 == 2'));
    expect(failed('want 1')).not.toBe(failed('want 2'));
    expect(failed('a_test.go:12: one')).not.toBe(failed('a_test.go:12: two'));
    expect(failed('so far 1')).toBe(failed('so far 2'));
  });
});

describe('what was done', () => {
  test.each([
    ['Updated a.ts and b.ts', 'file:a.ts,b.ts:updated'],
    ["I've updated a.ts to handle nulls", 'file:a.ts:handle-nulls:updated'],
    ['Null check added in a.ts', 'file:a.ts:null-check:added'],
    ['Updated the a.ts file so that it works', 'file:a.ts:it-works:updated'],
    ['Created new file a.ts', 'file:a.ts:created'],
    ['I also successfully updated a.ts', 'file:a.ts:updated'],
    ['Split a.ts into two', 'file:a.ts:split'],
    ['Rewrote a.ts', 'file:a.ts:rewrote'],
    ['Applied patch to a.ts', 'file:a.ts:patch:applied'],
    ['Simplified loader of a.ts', 'file:a.ts:loader:simplified'],
    ['Removed a lot of very old unused code from a.ts', 'file:a.ts:lot:removed'],
    ['Removed old unused dead slow code in a.ts', 'file:a.ts:old-unused-dead-slow:removed'],
    ['a.ts: fixed', 'file:a.ts:fixed'],
    ['Searched for "foo bar" in src', 'search:foo-bar'],
    ['Grepped for foo_bar in src', 'search:foo_bar'],
    ['looking up “alpha beta”', 'search:alpha-beta'],
    ['Querying for things across files', 'search:things'],
    ['Search for lamps, then', 'search:lamps'],
  ])('%j', (output, signature) => {
    expect(extractSignature(output)).toBe(signature);
  });

  test.each([
    ...[
      'Did not update a.ts',
      'Never updated a.ts',
      'a.ts should be updated',
      "We haven't updated a.ts",
      'Updated x',
      'a.ts is fine',
    ],
    ...['Googled foo', "Looked up 'a'", 'searching nothing', 'hello world'],
  ])('%j names no work', (output) => {
    expect(classOf(extractSignature(output))).toBe('text');
  });

  test('of a long output the rest counts as well', () => {
    const long = (end: string): string =>
      `Updated a.ts.\n${'and then some more words of it '.repeat(6)}${end}`;
    expect(extractSignature(long('here'))).toMatch(/^file:a\.ts:updated~[a-z]{6}$/);
    expect(extractSignature(long('here'))).not.toBe(extractSignature(long('there')));
    expect(extractSignature(`Updated a.ts. ${'x'.repeat(146)}`)).toBe('file:a.ts:updated');
    expect(extractSignature(`Updated a.ts. ${'x'.repeat(147)}`)).not.toBe('file:a.ts:updated');
  });
});

test('the signature of a signature is the same signature', () => {
  for (const signature of [
    'error:TypeError-x',
    'test-fail:2-a',
    'file:a.ts:updated',
    'search:foo',
    'text:hello~abcdef',
    'error:',
  ])
    expect(extractSignature(signature)).toBe(signature);
  expect(extractSignature('error:TypeError x')).not.toBe('error:TypeError x');
  expect(extractSignature('   ')).toBe('');
});

test.each([
  ['error:TypeError-x-y-src/a.ts', 'TypeError x y src/a.ts'],
  ['error:ENOENT+1~bgrbom', 'ENOENT and 1 more'],
  ['error:x11~xykmad', '11 errors'],
  ['error:lost+x4', 'lost, 4 errors'],
  ['test-fail:1-a.test.ts:x~uqtkbs', '1, a.test.ts x'],
  ['error:lost+test-fail:2-a,b', 'lost, failing tests 2 a, b'],
  ['test-fail:3-one,two,+4~abcdef', '3, one, two and 4 more'],
  ['file:a.ts,b.ts:null-check:added', 'a.ts, b.ts null check added'],
  ['search:foo-bar', 'foo bar'],
])('%j in words', (signature, words) => {
  expect(signatureInWords(signature).replace(/\s+/g, ' ')).toBe(words);
});
