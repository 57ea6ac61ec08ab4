import { describe, expect, test } from 'vitest';
import { exitCodeIn, unwrapped } from './envelope.ts';

describe('a line that states an exit code', () => {
  test.each([
    ['Exit code: 1', 1],
    ['Exit code 127', 127],
    ['exit status 2', 2],
    ['rc=1', 1],
    ['returncode: 3', 3],
    ['return code = 0', 0],
    ['POSIX exit code: 1', 1],
    ['exitcode: 1 (execution failed)', 1],
    ['exitcode: 0 (execution succeeded)', 0],
    ['Process exited with code 1', 1],
    ['Process exited with code 1.', 1],
    ['(Command exited with code 1)', 1],
    ['Command exited with code 137', 137],
    ['[The command completed with exit code -1.]', -1],
    ['[Command finished with exit code 0]', 0],
    ['Command failed with exit code: 2', 2],
    ['<exit_code>1</exit_code>', 1],
    ['Error: Exit code 1', 1],
  ])('%s', (line, code) => {
    expect(exitCodeIn(line)).toBe(code);
  });

  test.each([
    'The exit code is documented in chapter 1',
    'code 1',
    'status: 200',
    'error code 7 means that the disk is full',
    'src/a.ts:1: process.exit code: 1 is used here',
    'It returned 4 rows',
  ])('is not: %s', (line) => {
    expect(exitCodeIn(line)).toBeUndefined();
  });
});

test('the header of a command is removed, even if another line stands before the known ones', () => {
  const header = "Command: /bin/zsh -lc 'ls\nbuild'\nChunk ID: 6fbc90\nWall time: 0.0501 seconds";
  expect(
    unwrapped(`${header}\nProcess exited with code 1\nOriginal token count: 4\nOutput:\nls: build`),
  ).toMatchObject({ content: 'ls: build', exitCode: 1, isHostWorded: true, durationMs: 50 });
});

test('an output that only looks like a header stays', () => {
  const text = 'some text\nKey: value\nOutput:\nmore';
  expect(unwrapped(text)).toMatchObject({ content: text, exitCode: undefined });
});

test('a megabyte is unwrapped as fast as a kilobyte', () => {
  const time = (text: string): number => {
    const before = performance.now();
    for (let i = 0; i < 50; i++) unwrapped(text);
    return performance.now() - before;
  };
  for (const piece of [' ', 'a: b\n', '(', 'exit code ', '\n', '<output>', 'exited with '])
    expect(time(piece.repeat(1_000_000 / piece.length))).toBeLessThan(400);
});
