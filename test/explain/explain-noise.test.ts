import { piecesOf } from '@unrut/engine/fingerprint';
import { describe, expect, test } from 'vitest';
import { scanLines } from '../../packages/engine/src/fingerprint/scan.ts';
import { textDifference } from '../../packages/logs/src/explain/text-difference.ts';

const digest = (text: string): string => scanLines(text, 1).digest;

/** Two texts, and what their first difference is taken for. */
const PAIRS: readonly [before: string, after: string, as: string][] = [
  [
    'job 3f2a8e1c-1b2c-4d5e-8f90-aabbccddeeff is done',
    'job 9f2a8e1c-1b2c-4d5e-8f90-aabbccddee01 is done',
    'id',
  ],
  ['started 2026-11-16T00:28:42.123Z ok', 'started 2026-11-17T11:00:00Z ok', 'time'],
  ['[10:04:59] listening', '[11:30:02] listening', 'time'],
  ['at 1763252922123 ready', 'at 1763252955000 ready', 'time'],
  ['built in 312ms', 'built in 1.5s', 'duration'],
  ['took 3 seconds in all', 'took 12 seconds in all', 'noise'],
  ['object at 0x7ffe12ab died', 'object at 0x55aa0010 died', 'address'],
  ['started with pid 4711', 'started with pid 99', 'noise'],
  ['see http on localhost:54321 now', 'see http on localhost:50001 now', 'port'],
  ['wrote /tmp/x1y2/out.txt', 'wrote /tmp/z9/out.txt', 'temporary path'],
  ['{"request_id":"8fj3k2","total":1}', '{"request_id":"zz91kq","total":1}', 'noise'],
  ['1. The first result\n2. The second', '7. The first result\n8. The second', 'noise'],
  ['    41→import x', '     1→import x', 'noise'],
  ['état à 10:04:59 près', 'état à 11:30:02 près', 'time'],
  ['progress 45% of it', 'progress 46% of it', 'a quantity'],
  ['3 failed, 2 passed', '2 failed, 3 passed', 'a quantity'],
  ['loaded 4003 records', 'loaded 4006 records', 'a quantity'],
  ['{"status":"ok","n":4003}', '{"status":"ok","n":4006}', 'a value'],
  ['800\t/backup', '2233\t/backup', 'a value'],
  ['ticket k12z7q9 is open', 'ticket k19z2q4 is open', 'a value'],
  ['at src/a.ts:45 here', 'at src/a.ts:46 here', 'text'],
  ['node v24.1.0', 'node v24.2.0', 'text'],
  ['the job is running', 'the job is finished', 'text'],
  ['one line', 'one line\nand another', 'text'],
];

describe('the difference of two texts', () => {
  test.each(PAIRS)('%j and %j is taken for what it is', (before, after, as) => {
    const changes = textDifference(before, after);
    expect(changes[0]).toMatchObject({ as });
    expect(changes.some(({ counts }) => counts)).toBe(digest(before) !== digest(after));
  });

  test.each([
    ['colours', '\u001b[31mError\u001b[39m in 12 files', 'Error in 12 files'],
    ['a redrawn progress bar', 'a\r[=>  ] 10%\r[====] 100%', 'a\r[==> ] 50%\r[====] 100%'],
    ['white space and case', 'The  File\tis there\n\n', 'the file is there'],
  ])('is absent in %s', (_, before, after) => {
    expect(textDifference(before, after)).toEqual([]);
    expect(digest(before)).toBe(digest(after));
  });

  test('a number before a tab counts, unless it numbers the lines', () => {
    expect(textDifference('800\t/backup', '2233\t/backup').map(({ counts }) => counts)).toEqual([
      true,
    ]);
    expect(
      textDifference('7\tlet a\n8\tlet b', '17\tlet a\n18\tlet b').map(({ counts }) => counts),
    ).toEqual([false, false]);
  });

  test('finds lines that have moved, and shows of a long one only what differs', () => {
    expect(textDifference('[10:00:01] first\nsecond', 'second\n[10:00:09] first')).toEqual([
      { before: '10:00:01', after: '10:00:09', as: 'time', counts: false },
    ]);
    const [change] = textDifference(
      'the parcel was seen by Ada at the depot',
      'the parcel was seen by Grace at the depot',
    );
    expect(change).toEqual({ before: 'by Ada', after: 'by Grace', as: 'text', counts: true });
  });
});

test('the pieces of a line are the whole line', () => {
  for (const [before] of PAIRS) {
    for (const line of before.split('\n')) {
      expect(
        piecesOf(line)
          .map(({ text }) => text)
          .join(''),
      ).toBe(line);
    }
  }
});
