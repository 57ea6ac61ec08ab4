import { readFileSync } from 'node:fs';
import { processorTime } from '@unrut/test/processor-time';
import { expect, it } from 'vitest';
import { failuresIn } from './failures.ts';

const cases: [string, number | null][] = [
  ['3 failed', 3],
  ['9 failed, 3 passed\nmake: *** [Makefile:3: test] Error 1', 9],
  ['make: *** [Makefile:3: test] Error 1', null],
  ['make[1]: *** [all] Error 2', null],
  ['# fail 4\nmake: *** [check] Error 1', 4],
  ['Tests: 12, Assertions: 12, Failures: 8.', 8],
  ['Tests: 12, Assertions: 9, Errors: 1, Failures: 2.', 3],
  ['2 failing', 2],
  ['1 test failing - auth', 1],
  ['3 tests failing - auth, login, logout', 3],
  ['Running tests... 2 failed: auth.test.ts - login test timeout, logout test assertion', 2],
  ['failures=2', 2],
  ['FAILED (failures=2, errors=1)', 3],
  ['Error: 1 failed', 1],
  ['Error: 2 tests failed', 2],
  ['2 failed\nAssertionError: 3 != 4', 2],
  ['AssertionError: 3 != 4', null],
  ['Errors: 3', 3],
  ['FAILED: 3 of 12 integration tests are still failing', 3],
  ['Failures: 1 Errors: 2', 3],
  ['Errors: 2', 2],
  ['Errors: 2, 1 failed', 3],
  ['Found 5 errors', 5],
  ['Found 5 errors in 3 files.', 5],
  ['Found 1 error in src/cart.ts:7', 1],
  ['Tests: 1 failed, 4 passed', 1],
  [
    'Test Suites: 1 failed, 1 total\nTests:       4 failed, 2 passed, 6 total\nSnapshots:   0 total',
    4,
  ],
  [' Test Files  2 failed | 3 passed (5)\n      Tests  7 failed | 20 passed (27)', 7],
  ['\u001b[1mTests: \u001b[22m\u001b[1m\u001b[31m3 failed\u001b[39m\u001b[22m, 3 total', 3],
  ['====== 2 failed, 1 passed, 1 error in 0.12s ======', 3],
  ['Tests run: 12, Failures: 1, Errors: 2, Skipped: 0', 3],
  ['3 examples, 1 failure', 1],
  ['# tests 4\n# pass 3\n# fail 1', 1],
  ['Failed!  - Failed:     2, Passed:     3', 2],
  ['test result: FAILED. 3 passed; 2 failed; 0 ignored', 2],
  [
    'test result: FAILED. 3 passed; 2 failed; 0 ignored\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored',
    3,
  ],
  ['--- FAIL: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL', 2],
  ['5 problems (4 errors, 1 warning)', 4],
  ['error: could not compile `x` due to 2 previous errors', 2],
  ['a.ts(1,2): error TS2322: no\nb.ts(1,2): error TS2304: no', 2],
  ['2 errors generated.', 2],
  ["main.c:3:5: error: 'a' undeclared\nmain.c:4:5: error: 'b' undeclared", 2],
  ["main.c:3:5: error: 'a' undeclared\nmake: *** [Makefile:2: main] Error 1", 1],
  ['a.h:1:9: fatal error: b.h: No such file or directory', 1],
  ['App.java:7: error: cannot find symbol', 1],
  ["Program.cs(3,5): error CS0103: The name 'a' does not exist", 1],
  ['main.c:3:5: warning: unused variable', null],
  ['error: pathspec did not match', null],
  ['server error: 10:30: error: none', null],
  ['3 of 12 tests failed', 3],
  ['0 failed', 0],
  ['0 tests failed', 0],
  ['No errors found. Updated auth.ts at 10:00', 0],
  ['no failures', 0],
  ['Fixed 3 errors. 2 tests still failing', 2],
  ['Fixed 3 errors', null],
  ['All 12 tests passed', null],
  ['Error: TypeError - Cannot read property of null at auth.ts:45', null],
  ['throw new Error(404)', null],
  ['error code 12 at 10:00', null],
  ['it failed 3 times', null],
  ['failed to load', null],
  ['', null],
];

it.each(cases)('%j reports %s', (text, expected) => {
  expect(failuresIn(text)).toBe(expected);
});

it('looks at the tail first, then at the head of a long result', () => {
  const middle = 'nothing of note here\n'.repeat(2000);
  expect(failuresIn(`9 failed\n${middle}4 failed`)).toBe(4);
  expect(failuresIn(`9 failed\n${middle}`)).toBe(9);
  expect(failuresIn(`${middle}9 failed\n${middle}`)).toBe(null);
});

it.each([
  ['vitest-first', 1],
  ['vitest-color', 1],
  ['jest-first', 1],
  ['jest-color', 1],
  ['pytest-first', 1],
  ['pytest-color', 1],
  ['go-first', 1],
  ['cargo-first', 1],
  ['tsc-first', 1],
  ['tsc-color', 1],
  ['eslint-other', 2],
  ['node-first', null],
])('the recorded output %s reports %s', (name, expected) => {
  expect(
    failuresIn(
      readFileSync(
        new URL(`../../../../test/fixtures/outputs/${name}.txt`, import.meta.url),
        'utf8',
      ),
    ),
  ).toBe(expected);
});

it('is quick on 10 KB, with and without anything to count', () => {
  const plain = 'export function total(items) { return items.length; }\n'.repeat(190);
  const source = 'if (!response.ok) throw new Error(`cannot load: ${error.message}`);\n'.repeat(
    150,
  );
  for (const text of [plain, source, `${plain}3 failed`]) {
    const rounds = 500;
    const time = processorTime(() => {
      for (let i = 0; i < rounds; i++) failuresIn(text);
    });
    expect(time / rounds).toBeLessThan(1);
  }
});
