import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownLines } from './novelty.ts';
import { scanLines } from './scan.ts';

const digest = (text: string): string => scanLines(text, 1).digest;
const shape = (text: string): string => scanLines(text, 1).shape;

describe('listed noise makes no difference', () => {
  test.each([
    [
      'a UUID',
      'job 3f2a8e1c-1b2c-4d5e-8f90-aabbccddeeff is done',
      'job 9f2a8e1c-1b2c-4d5e-8f90-aabbccddee01 is done',
    ],
    ['an ISO time', 'started 2026-11-16T00:28:42.123Z ok', 'started 2026-11-17T11:00:00Z ok'],
    ['a clock time', '[10:04:59] listening', '[11:30:02] listening'],
    ['an epoch time in milliseconds', 'at 1763252922123 ready', 'at 1763252955000 ready'],
    ['a duration with its unit attached', 'built in 312ms', 'built in 1.5s'],
    ['a duration in words', 'took 3 seconds in all', 'took 12 seconds in all'],
    ['an age', 'updated 3 minutes ago', 'updated 9 minutes ago'],
    ['a hex address', 'object at 0x7ffe12ab died', 'object at 0x55aa0010 died'],
    ['a pid', 'started with pid 4711', 'started with pid 99'],
    ['a port', 'listening on port 54321', 'listening on port 50001'],
    ['a port of localhost', 'see http on localhost:54321 now', 'see http on localhost:50001 now'],
    [
      'a file named for a moment',
      'see (out/page-2026-11-16T07-22-09-776Z.yml)',
      'see (out/page-2026-11-16T07-23-11-002Z.yml)',
    ],
    ['a temporary path', 'wrote /tmp/x1y2/out.txt', 'wrote /tmp/z9/out.txt'],
    [
      'a request id by its name',
      '{"request_id":"8fj3k2","total":1}',
      '{"request_id":"zz91kq","total":1}',
    ],
    ['colour', '\u001b[31mError\u001b[39m in 12 files', 'Error in 12 files'],
    ['colour without digits in the text', '\u001b[1;31mred\u001b[0m text', 'red text'],
    ['a redrawn progress bar', 'a\r[=>  ] 10%\r[====] 100%', 'a\r[==> ] 50%\r[====] 100%'],
    ['a rank', '1. The first result\n2. The second', '7. The first result\n8. The second'],
    ['line numbers', '     1→import x\n     2→y', '    41→import x\n    42→y'],
    ['tries', 'attempt 3 failed', 'attempt 4 failed'],
    ['times', '  9 × retrying click', '  11 × retrying click'],
    ['the line of a shell', '/bin/bash: line 178: cd: x: gone', '/bin/bash: line 190: cd: x: gone'],
    ['white space', 'a  b\tc\n\n  d', 'a b c\nd'],
  ])('%s', (_, a, b) => {
    expect(digest(a)).toBe(digest(b));
  });
});

describe('what says something makes a difference', () => {
  test.each([
    ['a percentage', 'progress 45% of it', 'progress 46% of it'],
    ['n of m', '{"state":"running","done":3,"of":200}', '{"state":"running","done":4,"of":200}'],
    ['a fraction', 'tests 3/10 run', 'tests 4/10 run'],
    ['failures', '3 failed, 2 passed', '2 failed, 3 passed'],
    ['things counted', 'loaded 4003 records', 'loaded 4006 records'],
    ['a line number in a file', 'at src/a.ts:45 here', 'at src/a.ts:46 here'],
    ['a date', 'flights on 2026-11-16', 'flights on 2026-11-17'],
    ['a version', 'node v24.1.0', 'node v24.2.0'],
    ['a state word', 'the job is running', 'the job is finished'],
    ['a file name', 'wrote src/a1.ts', 'wrote src/a2.ts'],
    [
      'a file named for a day',
      'wrote logs/app-web-2026-11-16.txt',
      'wrote logs/app-web-2026-11-17.txt',
    ],
  ])('%s', (_, a, b) => {
    expect(digest(a)).not.toBe(digest(b));
    expect(shape(a)).not.toBe(shape(b));
  });

  test.each([
    ['a name of its own', '{"status":"ok","n":4003}', '{"status":"ok","n":4006}'],
    ['bytes', 'read 4096 bytes', 'read 8192 bytes'],
    [
      'the lines of a file',
      '[File: /repo/a.py (704 lines total)]',
      '[File: /repo/a.py (709 lines total)]',
    ],
    ['matches', 'Found 28 matches for "items"', 'Found 30 matches for "items"'],
  ])('a value without direction makes a difference, but not to the shape: %s', (_, a, b) => {
    expect(digest(a)).not.toBe(digest(b));
    expect(shape(a)).toBe(shape(b));
  });
});

test('any text gives the same digest twice, and another when a word is added', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      expect(digest(text)).toBe(digest(text));
      expect(digest(`${text}\nunheard of`)).not.toBe(digest(text));
    }),
  );
});

test('texts longer than a block are read whole: a change in the middle shows', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i} says something`);
  const changed = [...lines];
  changed[11_111] = 'this one was changed';
  expect(digest(lines.join('\n'))).not.toBe(digest(changed.join('\n')));
});

describe('a long text', () => {
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `[10:00:00] line ${i} of the report`);
  const at = (count: number, index: number, line: string): string => {
    const all = lines(count);
    all[index] = line;
    return all.join('\n');
  };
  const later = '[11:30:02] line';

  test('of up to 131,072 characters is read with its noise masked everywhere', () => {
    const whole = lines(3600).join('\n');
    expect(whole.length).toBeLessThanOrEqual(131_072);
    expect(digest(at(3600, 1800, `${later} 1800 of the report`))).toBe(digest(whole));
  });

  test.each([
    ['its first 65,536 characters', 5],
    ['its last 65,536 characters', 19_990],
  ])('has its noise masked in %s', (_, index) => {
    const whole = lines(20_000).join('\n');
    expect(digest(at(20_000, index, `${later} ${index} of the report`))).toBe(digest(whole));
    expect(digest(at(20_000, index, 'something else'))).not.toBe(digest(whole));
  });

  test('counts every difference in between, even a time, as new', () => {
    const seen = new KnownLines();
    const whole = lines(20_000).join('\n');
    const changed = at(20_000, 10_000, `${later} 10000 of the report`);
    expect(digest(changed)).not.toBe(digest(whole));
    seen.novelty(scanLines(whole, 1));
    expect(seen.novelty(scanLines(whole, 1))).toBe(0);
  });

  test('that has grown at its end is known but for the end', () => {
    const seen = new KnownLines();
    seen.novelty(scanLines(lines(20_000).join('\n'), 1));
    expect(seen.novelty(scanLines(lines(20_100).join('\n'), 1))).toBeLessThan(0.2);
  });

  test('without a newline shows a change in its middle', () => {
    const whole = 'abc, '.repeat(200_000);
    expect(digest(`${whole.slice(0, 500_000)}X${whole.slice(500_001)}`)).not.toBe(digest(whole));
    expect(digest(whole.slice())).toBe(digest(whole));
  });
});

describe('novelty', () => {
  test('is 1 for new lines, 0 for known ones, and the share in between', () => {
    const seen = new KnownLines();
    const page = [
      'alpha beta gamma',
      'delta epsilon zeta',
      'eta theta iota kappa',
      'lambda mu nu xi',
    ];
    expect(seen.novelty(scanLines(page.join('\n'), 1))).toBe(1);
    expect(seen.novelty(scanLines(page.join('\n'), 1))).toBe(0);
    expect(
      seen.novelty(scanLines([...page, 'omicron pi rho sigma'].join('\n'), 1)),
    ).toBeGreaterThan(0.15);
    expect(seen.novelty(scanLines('', 1))).toBe(0);
  });

  test('survives JSON', () => {
    const seen = new KnownLines();
    const texts = Array.from({ length: 300 }, (_, i) => `text number ${i} of many`);
    for (const text of texts) seen.novelty(scanLines(text, 1));
    const restored = KnownLines.from(JSON.parse(JSON.stringify(seen)));
    for (const text of texts) expect(restored.novelty(scanLines(text, 1))).toBe(0);
    expect(JSON.stringify(restored)).toBe(JSON.stringify(seen));
  });

  test('keeps fixed memory and few false memories however much it sees', () => {
    const seen = new KnownLines();
    let fresh = 0;
    for (let i = 0; i < 20_000; i++)
      fresh += seen.novelty(scanLines(`an entirely different line ${i}`, 1));
    expect(fresh / 20_000).toBeGreaterThan(0.96);
    expect(JSON.stringify(seen).length).toBeLessThan(23_000);
  });
});
