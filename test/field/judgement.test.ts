import { noColours } from '@unrut/ledger/text/paint';
import { explainRun } from '@unrut/logs/explain/explain-run';
import { explainStep } from '@unrut/logs/explain/explain-step';
import { runText } from '@unrut/logs/explain/run-text';
import { describe, expect, test } from 'vitest';
import { runOf } from '../explain-run.ts';

/** Findings of fresh runs about the detectors: `explain` tells why each was a loop or not. */

const textOf = (...lines: string[]): string =>
  runText(explainRun(runOf(...lines)), { paint: noColours, width: 1000 }).join('\n');
const broughtBy = (step: number, ...lines: string[]): string =>
  explainStep(runOf(...lines), step)!.step.brought;
const times = (count: number, line: string): string[] =>
  Array.from({ length: count }, (_, i) => line.replaceAll('$i', String(i + 1)));

const REPORT =
  '"ok  a/b/internal/sem  187.098s\\n?   a/b/internal/sem/grammars/clojure  [no test files]\\n?   a/b/internal/sem/grammars/zig  [no test files]\\nok  a/b/internal/cli  12.1s\\nok  a/b/internal/store  3.4s\\nok  a/b/internal/serve  4.8s"';
const RUNNING = 'BashOutput {"bash_id":"7"} -> "The command is still running, with no output."';

describe('a poll', () => {
  const ends = [
    `Bash {"command":"go test -race ./..."} -> ${REPORT}`,
    ...times(9, RUNNING),
    `BashOutput {"bash_id":"7"} -> ${REPORT}`,
  ];

  test('whose last answer is a report that was seen before has an answer, and explain says so', () => {
    const text = textOf(...ends);
    expect(text).toContain('no loop');
    expect(broughtBy(10, ...ends)).toBe('polling, and another answer than the last time');
  });

  test('that gets the same answer ten times is named', () => {
    expect(textOf(...times(10, RUNNING))).toContain('`BashOutput 7` was called 10 times');
  });

  test('of a task that does not exist fails, and does not wait', () => {
    const text = textOf(...times(3, 'TaskOutput {"task_id":"23$i"} -> "No task found for 23$i"'));
    expect(text).toContain('`TaskOutput` failed 3 times in a row in the same way');
    expect(text).toContain('No task found for 233');
  });
});

describe('edits by search and replace', () => {
  const block = (search: string, replace: string): string =>
    `edit {"path":"src/page.ts","search":"${search}","replace":"${replace}"} -> "Applied edit to src/page.ts"`;

  test('that swing between two versions are a loop', () => {
    expect(
      textOf(block('a = 1;', 'a = 2;'), block('a = 2;', 'a = 1;'), block('a = 1;', 'a = 2;')),
    ).toMatch(/an earlier version of src\/page\.ts came back 2 times/i);
  });

  test('that replace a text by itself are said to change nothing', () => {
    const lines = ['a = 1;', 'b = 2;', 'c = 3;'].map((text) => block(text, text));
    expect(textOf(...lines)).toContain('replaced a text by the very same text');
    expect(broughtBy(0, ...lines)).toBe('replaced a text by the same text');
  });

  test('that only move a text to the right are writes', () => {
    const lines = ['a = 1;', 'b = 2;', 'c = 3;'].map((text) => block(text, `  ${text}`));
    expect(textOf(...lines)).toContain('no loop');
    expect(broughtBy(0, ...lines)).toBe('made a change');
  });
});

describe('searches through files', () => {
  const grep = (pattern: string): string =>
    `Bash {"command":"grep -rn '${pattern}' /w/dist --include=*.js"} -> ""`;

  test('for one name in six spellings, without a match, are said to look for one thing', () => {
    const names = ['no_think', 'noThink', 'thinking', 'enable_thinking', 'think_off', 'off_think'];
    expect(textOf(...names.map(grep))).toContain(
      '6 calls (`grep`) looked for the same thing, and none found it',
    );
  });

  test('for six names are a check that all of them are gone', () => {
    const names = ['colour', 'legacyMode', 'oldParser', 'retry_limit', 'fastPath', 'grand_total'];
    expect(textOf(...names.map(grep))).toContain('no loop');
  });
});

test('what fails for one thing is distinguished from what works for others', () => {
  const server =
    'WebFetch {"url":"https://docs.example.com/server","prompt":"part $i"} -> error "Request failed with status code 303"';
  expect(
    textOf(
      ...times(2, server),
      'WebFetch {"url":"https://docs.example.com/overview"} -> "Core concepts: routes and loaders."',
      ...times(2, server),
    ),
  ).toContain('`WebFetch` failed 4 times for one thing in the same way');
});

test('a failing test that prints words of a lost connection is not turned away', () => {
  const line =
    'Bash {"command":"go test ./sync"} -> exit 1 "--- FAIL: TestFallback (2.97s)\\n    fallback_test.go:12: connection reset by peer\\n    fallback_test.go:80: no second host\\nFAIL"';
  expect(broughtBy(0, line)).not.toContain('transient');
  expect(
    broughtBy(0, 'Bash {"command":"go test ./sync"} -> exit 1 "dial tcp: connection reset"'),
  ).toBe('a transient error');
});

test('looks at parts of one file are named by the file, whatever tool showed it last', () => {
  const look = (offset: number): string =>
    `Read {"file_path":"/w/t.go","offset":${offset},"limit":2} -> "one for the sparrow\\ntwo for the crow"`;
  expect(
    textOf(
      'Read {"file_path":"/w/t.go"} -> "one for the sparrow\\ntwo for the crow\\nthree for the owl"',
      ...[1, 2, 3, 4].map(look),
    ),
  ).toContain('4 looks at parts of /w/t.go showed almost nothing new');
});

describe('a file that is read in parts after the context was compacted', () => {
  const line = (i: number): string => `line ${i} alpha beta ${7 * i} gamma`;
  const part = (from: number, count: number): string =>
    JSON.stringify(Array.from({ length: count }, (_, i) => line(from + i)).join('\n'));
  const whole = `Read {"file_path":"/w/t.go"} -> ${part(1, 60)}`;
  const look = (offset: number): string =>
    `Read {"file_path":"/w/t.go","offset":${offset},"limit":10} -> ${part(offset, 10)}`;
  const parts = [11, 21, 31, 41, 51].map(look);

  test('is forgotten part by part', () => {
    expect(textOf(whole, 'compacted', ...parts)).toContain('no loop');
  });

  test('twin: without a compaction nothing of it is new', () => {
    expect(textOf(whole, ...parts)).toContain('5 looks at parts of /w/t.go');
  });
});

describe('searches that list files', () => {
  const list = (word: string, files: string): string =>
    `Bash {"command":"grep -rl ${word} src"} -> "${files}"`;

  test('for different words answer each with other files of a known folder', () => {
    expect(
      textOf(
        list('bigram', 'src/index.cpp\\nsrc/settings.cpp\\nsrc/token.cpp\\nsrc/utils.cpp'),
        list('BIGRAM', 'src/index.cpp\\nsrc/settings.cpp\\nsrc/query.cpp'),
        list('bigram_index', 'src/settings.cpp\\nsrc/utils.cpp'),
        list('ESphBigram', 'src/settings.cpp\\nsrc/token.cpp'),
      ),
    ).toContain('no loop');
  });

  test('twin: that find nothing because of the same wrong option are named, whatever else was found', () => {
    const grep = (pattern: string): string =>
      `Grep {"pattern":"${pattern}","output_mode":"content","glob":"\\"*.go\\""} -> "No matches found"`;
    expect(
      textOf(
        ...['github.com/go-git/v5', 'go-git/v5', 'go-git'].map(grep),
        'Grep {"pattern":"go-git","path":"/w/go.mod"} -> "6: github.com/go-git/v5 v5.17.0"',
        ...['com/go-git', 'plumbing'].map(grep),
      ),
    ).toContain('5 different calls to `Grep` found nothing');
  });
});

describe('a check that is run again after each edit, with short thoughts in between', () => {
  const check = 'bash {"command":"pnpm test"} -> exit 0 "12 tests passed"';
  const edit = (i: number): string =>
    `Edit {"file_path":"/w/a${i}.ts","old_string":"x${i}","new_string":"y${i}"} -> "The file /w/a${i}.ts has been updated."`;
  const rounds = (between: (i: number) => string[]): string[] =>
    [1, 2, 3, 4, 5].flatMap((i) => ['think "**Running tests**"', ...between(i), check]);

  test('is no loop', () => expect(textOf(...rounds((i) => [edit(i)]))).toContain('no loop'));
  test('twin: is one without the edits', () =>
    expect(textOf(...rounds(() => []))).toContain('`pnpm test`'));
});

test('calls of one response that fail are said to have failed, and others are not', () => {
  const both = (said: string) => [
    `edit {"path":"a.ts","search":"a","replace":"b"} -> ${said}`,
    `& edit {"path":"b.ts","search":"a","replace":"b"} -> ${said}`,
  ];
  const fails = both('"Could not find the exact text"');
  expect(broughtBy(1, ...fails)).toBe(
    'one of a parallel batch, failed: Could not find the exact text',
  );
  expect(broughtBy(1, ...both('"The edit was applied."'))).not.toContain('failed');
});
