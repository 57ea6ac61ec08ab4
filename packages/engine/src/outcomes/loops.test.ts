import { describe, expect, test } from 'vitest';
import { createGuard } from '../guard.ts';

interface Finished {
  tool: string;
  args: object;
  result: unknown;
  error?: boolean;
}

/** The detectors that speak about these calls. */
function alarms(calls: readonly Finished[]): string[] {
  const guard = createGuard();
  const heard = calls.flatMap(({ tool, args, result, error }, i) => {
    const base = { session: 's', at: 1_700_000_000_000 + i * 5000 };
    const call = { id: `c${i}`, tool, args: args as never };
    return [
      guard.observe({ ...base, type: 'call-proposed', call }),
      guard.observe({
        ...base,
        at: base.at + 1000,
        type: 'call-finished',
        call,
        result,
        ...(error === undefined ? {} : { error }),
      }),
    ];
  });
  return [...new Set(heard.flatMap(({ signals }) => signals.map(({ detector }) => detector)))];
}

const five = <T>(make: (i: number) => T): T[] => [0, 1, 2, 3, 4].map(make);

describe('refused edits that the host flags as fine', () => {
  const edit = (i: number, result: unknown): Finished => ({
    tool: 'edit',
    args: { path: '/w/a.ts', edits: [{ oldText: `foo(${i})`, newText: `bar(${i})` }] },
    result,
    error: false,
  });
  const refusal = JSON.stringify({
    status: 'error',
    tool: 'edit',
    error: 'Could not find the exact text in /w/a.ts. It must match exactly.',
  });

  test('are a loop if a status field says that nothing was changed', () => {
    expect(alarms(five((i) => edit(i, refusal)))).toContain('repeated-error');
  });

  test('are honest work if the status field says that they were applied', () => {
    const applied = JSON.stringify({ status: 'ok', tool: 'edit', error: null });
    expect(alarms(five((i) => edit(i, applied)))).not.toContain('repeated-error');
  });
});

describe('commands whose exit code only the text states', () => {
  const run = (i: number, code: number): Finished => ({
    tool: 'exec',
    args: { command: `npm run build -- --target t${i}` },
    result: `vite v5\nCannot resolve entry module\n\n(Command exited with code ${code})`,
    error: false,
  });

  test('are a loop if each fails in the same way', () => {
    expect(alarms(five((i) => run(i, 1)))).toContain('repeated-error');
  });

  test('are no repeated error if each exits with code 0', () => {
    expect(alarms(five((i) => run(i, 0)))).not.toContain('repeated-error');
  });
});

describe('an unknown header with a random id', () => {
  const list = (i: number, files: string): Finished => ({
    tool: 'shell_exec',
    args: { command: 'ls build' },
    result: `Request: ${(0x9f3ab1 + i * 7919).toString(16)}x${i}\nStarted: 2026-01-0${i + 1} 10:00:00\n\n${files}`,
  });

  test('does not hide that the same command returns the same', () => {
    const calls = [
      ...five((i) => list(i, 'a.js\nb.js')),
      ...five((i) => list(i + 5, 'a.js\nb.js')),
    ];
    expect(alarms(calls)).toContain('repeated-call');
  });

  test('is no loop if the files below it change each time', () => {
    const calls = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) =>
      list(
        i,
        `${['apple', 'pear', 'plum', 'fig', 'kiwi', 'lime', 'date', 'grape', 'melon'][i]}.js`,
      ),
    );
    expect(alarms(calls)).toEqual([]);
  });
});

describe('arguments that an MCP server rejects in a normal result', () => {
  const search = (i: number, result: string): Finished => ({
    tool: 'websearch',
    args: { query: `zebra ${i}`, numResults: `${i}` },
    result,
  });

  test('are a loop if they are rejected each time', () => {
    const rejected =
      'MCP error -32602: Input validation error: Invalid arguments for tool websearch';
    expect(alarms(five((i) => search(i, rejected)))).toContain('invalid-arguments');
  });

  test('are honest work if the server answers', () => {
    const answers = ['stripes', 'savanna', 'grazing', 'herds', 'foals'];
    expect(alarms(five((i) => search(i, `Zebras and their ${answers[i]}`)))).toEqual([]);
  });
});

describe('the same command with a result of a megabyte', () => {
  const dump = (i: number, row: (i: number) => string): Finished => ({
    tool: 'bash',
    args: { command: 'cat dump.csv' },
    result: Array.from({ length: 30_000 }, (_, n) =>
      n === 15_000 ? row(i) : `row ${n}, some text and a name`,
    ).join('\n'),
  });

  test('is a loop if the result is always equal', () => {
    expect(alarms(five((i) => dump(i, () => 'row 15000, the same')))).toContain('repeated-call');
  });

  test('is no repeated call if a row in the middle is another each time', () => {
    expect(alarms(five((i) => dump(i, (n) => `row 15000, then ${n} replies`)))).toEqual([]);
  });
});

test('a megabyte of anything is read in a few milliseconds', () => {
  const guard = createGuard();
  for (const piece of ['Error: ', 'failed ', 'a: b\n', '{"error":', 'exit code ', '(', ' \n'])
    for (const tool of ['bash', 'read', 'edit', 'other']) {
      const call = { id: `${piece}${tool}`, tool, args: { command: 'npm test', path: 'a.ts' } };
      const result = piece.repeat(1_000_000 / piece.length);
      const before = performance.now();
      guard.observe({ type: 'call-finished', session: tool, at: 1, call, result });
      expect(performance.now() - before).toBeLessThan(1500);
    }
});
