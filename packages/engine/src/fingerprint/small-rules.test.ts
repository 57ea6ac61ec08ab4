import { describe, expect, test } from 'vitest';
import { canonical } from './canonical.ts';
import { movedOn } from './counts.ts';
import { isEcho } from './echo.ts';
import { failuresIn } from './failures.ts';
import { fileName, filesIn } from './file-names.ts';
import { hyphenated, listed, maskNoise, slug, tag } from './gist.ts';
import { readIdle } from './idle.ts';
import { KnownLines } from './novelty.ts';
import { readOutput } from './output.ts';
import { contentOf, isAcknowledgement, isEmptyResult, saysNothing } from './result-text.ts';
import { scanLines } from './scan.ts';
import { similarity } from './similarity.ts';
import { keepSmallest, mergeSmallest, overlap } from './sketch.ts';
import { readTaskAttempt } from './task.ts';
import { isRewording, jaccard, wordHashes } from './words.ts';

describe('canonical arguments', () => {
  test.each<[string, unknown, string]>([
    ['keys are sorted', { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ['undefined is missing', { a: undefined, b: null }, '{"b":null}'],
    ['lists keep their order', [2, 1, [3]], '[2,1,[3]]'],
    ['truth values', [true, false], '[true,false]'],
    ['numbers without end', [Number.NaN, Number.POSITIVE_INFINITY, 1.5], '["NaN","Infinity",1.5]'],
    ['large integers', 12n, '"12n"'],
    ['functions and nothing', [() => 1, undefined, null], '[null,null,null]'],
    [
      'what is volatile is left out at any depth',
      { a: { request_id: 1, b: 2 }, 'Request-ID': 3 },
      '{"a":{"b":2}}',
    ],
    [
      'why it is called is left out at the top',
      { intent: 'x', a: { intent: 'y' } },
      '{"a":{"intent":"y"}}',
    ],
    ['unless nothing else is there', { intent: 'x', timestamp: 4 }, '{"intent":"x","timestamp":4}'],
    ['an inner object may be empty', { a: { nonce: 1 } }, '{"a":{}}'],
    ['a long text stands by its length and hash', 'x'.repeat(4096), `"${'x'.repeat(4096)}"`],
  ])('%s', (_, args, text) => expect(canonical(args)).toBe(text));

  test('a longer text stands by its length and its hash', () => {
    expect(canonical('x'.repeat(4097))).toMatch(/^"#4097\.\w+"$/);
    expect(canonical('x'.repeat(4097))).not.toBe(canonical(`${'x'.repeat(4096)}y`));
  });

  test('a value that is too deep or too large ends in a marker', () => {
    const deep = (depth: number): unknown => (depth === 0 ? 'end' : [deep(depth - 1)]);
    expect(canonical(deep(64))).toContain('end');
    expect(canonical(deep(65))).toContain('…');
    const many = (count: number) => canonical(Array.from({ length: count }, () => 1));
    expect(many(9999)).toMatch(/1\]$/);
    expect(many(10_050)).toMatch(/"…"\]10050$/);
  });

  test('declared paths alone may identify a call, and declared names be left out', () => {
    expect(canonical({ a: { b: 1, c: 2 }, d: 3 }, { identity: ['a.b', 'd', 'x.y', 'd.e'] })).toBe(
      '"a.b":1,"d":3,"x.y":null,"d.e":null',
    );
    expect(canonical({ note: 'x', a: { note: 'y' } }, { freeText: ['note'] })).toBe(
      '{"a":{"note":"y"}}',
    );
  });
});

describe('what is left fell, or what is done rose', () => {
  test.each([
    ['3 errors left', '2 errors left', true],
    ['2 errors left', '3 errors left', false],
    ['4 passed', '5 passed', true],
    ['5 passed', '4 passed', false],
    ['errors: 4', 'errors: 3', true],
    ['done = 3', 'done = 4', true],
    ['3/10', '4/10', true],
    ['4 of 10', '3 of 10', false],
    ['3 of 10', '4 of 12', false],
    ['40% done', '50% done', true],
    ['50% done', '40% done', false],
    ['task 3', 'task 4', true],
    ['task 4', 'task 3', false],
    ['line 40', 'line 30', false],
    ['after 40 ms', 'after 30 ms', false],
    ['passedover 4', '4 passedover', false],
    ['3 apples and 4 apples', '3 apples and 2 apples', true],
    ['v1.3 errors', 'v1.2 errors', false],
    ['10:3 errors', '10:2 errors', false],
    ['3 errors', '2 warnings', false],
  ])('from %j to %j: %s', (before, after, moved) => expect(movedOn(before, after)).toBe(moved));
});

describe('an echo of the arguments', () => {
  const [one, two, three] = [
    'the first line of the text',
    'the second line of the text',
    'the third line of the text',
  ];
  const args = { content: `${one}\n${two}`, more: three, number: 3 };

  test.each<[string, string, unknown, boolean]>([
    ['all of it', `${one}\n${two}`, args, true],
    ['from two arguments', `${two}\n${three}`, args, true],
    ['more than half', `${one}\n${two}\nnothing that was in the arguments`, args, true],
    ['half', `${one}\nnothing that was in the arguments`, args, false],
    ['short lines do not count', `${one}\nno\nno\nno\n`, args, true],
    ['only short lines', 'the first line\nof the text\nthe second', args, false],
    ['an argument that is text', one, one, true],
    ['texts inside a list are not looked at', one, { list: [one] }, false],
    ['no argument', one, null, false],
    ['short arguments', one, 'the first line of', false],
    ['a line of 24 characters', 'abcdefghijklmnopqrstuvwx', 'abcdefghijklmnopqrstuvwxyz', true],
    ['a line of 23 characters', 'abcdefghijklmnopqrstuvw', 'abcdefghijklmnopqrstuvwxyz', false],
    [
      'a long line by its first 120 characters',
      `${'ab'.repeat(60)}, and so on`,
      'ab'.repeat(60),
      true,
    ],
  ])('%s', (_, result, given, echo) => expect(isEcho(result, given)).toBe(echo));
});

describe('names of files', () => {
  test.each<[string, string | null]>([
    ['a.ts', 'a.ts'],
    ['src/a.ts', 'src/a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['-a.ts', 'a.ts'],
    ['a.ts.', 'a.ts'],
    ['src\\a.ts', 'src/a.ts'],
    ['/home/me/src/a.ts', 'src/a.ts'],
    ['~/x/a.ts', 'x/a.ts'],
    ['/tmp/x9f8e7d6/a.ts', 'a.ts'],
    ['/run/build42/a.ts', 'build42/a.ts'],
    ['/run/build421/a.ts', 'a.ts'],
    ['///c/a.ts', 'c/a.ts'],
    ['//host.com/a.ts', null],
    ['a.TS', 'a.TS'],
    ['a.unknown', null],
    ['src/a.abcde', 'src/a.abcde'],
    ['src/a.abcdef', null],
    ['Makefile', 'Makefile'],
    ['x/Dockerfile', 'x/Dockerfile'],
    ['Makefiles', null],
    ['.env', '.env'],
    ['.ts', null],
    ['Node.js', null],
    ['src/Node.js', 'src/Node.js'],
    ['e.g', null],
    ['word', null],
    [`${'d/'.repeat(40)}a.ts`, `${'d/'.repeat(40)}a.ts`.slice(-60)],
  ])('%j is %j', (text, name) => expect(fileName(text)).toBe(name));

  test('a line may name several', () => {
    const line = 'see `src/a.ts:12`, "b.md" and https://x.example/c.js, été/d.py';
    expect(filesIn(line).map(({ name, start, end }) => [name, line.slice(start, end)])).toEqual([
      ['src/a.ts', 'src/a.ts'],
      ['b.md', 'b.md'],
      ['été/d.py', 'été/d.py'],
    ]);
  });
});

describe('short forms', () => {
  test.each([
    ['id 123e4567-e89b-12d3-a456-426614174000 here', 'id here'],
    ['at 0xFF00 here', 'at here'],
    ['at deadbee1 here', 'at here'],
    ['at deadbeef here', 'at deadbeef here'],
    ['took 12 ms here', 'took here'],
    ['took 1.5s here', 'took here'],
    ['took 3 bars here', 'took 3 bars here'],
    ['at 12:30 here', 'at here'],
    ['version 1.2.3 here', 'version here'],
    ['number 1234 here', 'number here'],
    ['number 123 here', 'number 123 here'],
    ['line 12 here', 'here'],
    ['lines 12-14 here', 'here'],
    ['pid #12 here', 'here'],
    ['a.ts:12:5 here', 'a.ts here'],
    ['berth 12 here', 'berth 12 here'],
  ])('%j without noise is %j', (text, masked) =>
    expect(maskNoise(text).replace(/\s+/g, ' ').trim()).toBe(masked),
  );

  test('words are joined', () => {
    expect(slug('The quick, brown Fox: v1.2!', 9)).toBe('the-quick-brown-fox-v1.2');
    expect(hyphenated('The quick brown', 2)).toBe('The-quick');
    expect(slug('x'.repeat(70), 1)).toHaveLength(64);
    expect(slug('...', 3)).toBe('');
    expect(tag('one')).toMatch(/^[a-z]{6}$/);
    expect(tag('one')).not.toBe(tag('two'));
    expect(listed(['a', 'b'], 2)).toBe('a,b');
    expect(listed(['a', 'b', 'c'], 2)).toBe(`a,b,+1~${tag('c')}`);
  });
});

describe('how many failures a text tells of', () => {
  test.each<[string, number | null]>([
    ['3 failed', 3],
    ['no failures', 0],
    ['No errors found', 0],
    ['failures=2', 2],
    ['Failures: 2, Errors: 1', 3],
    ['failures: 1 errors: 2', 3],
    ['Error: 1 failed', 1],
    ['Found 5 errors in 2 files', 5],
    ['2 tests failed', 2],
    ['2 of 12 tests failed', 2],
    ['2 tests are still failing', 2],
    ['1 lint error', 1],
    ['3 failed\n1 failed', 1],
    ['3 failed, 2 errors', 5],
    ['3 failed. Then 1 failed', 1],
    ['Test Files  2 failed\nTests  5 failed', 5],
    ['Tests  5 failed\nTest Files  2 failed', 5],
    ['test result: FAILED. 3 passed; 1 failed\ntest result: FAILED. 3 passed; 2 failed', 3],
    ['--- FAIL: TestX\n--- FAIL: TestY', 2],
    ['a.ts: error TS2322: x\nb.ts: error TS2304: y', 2],
    ['fixed 3 errors', null],
    ['after 3 failures', null],
    ['exit code 1 error', null],
    ['error at 3.5', null],
    ['failed 12 ms', null],
    ['errors 12', 12],
    ['v2-3 failed', null],
    ['all is well', null],
    ['it failed', null],
  ])('%j: %s', (text, count) => expect(failuresIn(text)).toBe(count));

  test('a long text is read at its ends, the last one first', () => {
    const filler = 'words of it\n'.repeat(400);
    expect(failuresIn(`3 failed\n${filler}`)).toBe(3);
    expect(failuresIn(`3 failed\n${filler}2 failed`)).toBe(2);
    expect(failuresIn(`${filler}3 failed\n${filler}`)).toBeNull();
  });
});

test.each<[string, boolean]>([
  ['No tasks in the roadmap', true],
  ['empty backlog', true],
  ['without any open work items', true],
  ['0 tasks', true],
  ['the queue is empty', true],
  ['roadmap: no tasks', true],
  ['no key. The tasks wait', false],
  ['nothing to do', false],
  ['there is no single thing that could be called one of the tasks', false],
  ['waiting for review', false],
])('%j says that there is no task at all: %s', (reason, isEmpty) => {
  expect(readIdle({ type: 'idle', session: 's', at: 0, reason }, 1).isEmpty).toBe(isEmpty);
});

test('the reason is at most 120 characters long, without the white space around it', () => {
  expect(
    readIdle({ type: 'idle', session: 's', at: 0, reason: `  ${'y'.repeat(130)}` }, 1).label,
  ).toBe('y'.repeat(120));
});

test('of a long list of work the last number stands for the whole', () => {
  const work = (items: string[]) =>
    readTaskAttempt(
      {
        type: 'task-attempted',
        session: 's',
        at: 0,
        task: 't',
        status: 'open',
        blockers: [],
        work: items,
        attemptSession: '',
      },
      1,
    ).work;
  const letters = [...'abcdefgh'];
  expect(work(letters)).toHaveLength(8);
  expect(work([...letters, 'i'])).toHaveLength(8);
  expect(work([...letters, 'i']).slice(0, 7)).toEqual(work(letters).slice(0, 7));
  expect(work([...letters, 'i'])).not.toEqual(work([...letters, 'j']));
  expect(work(['b', 'a', 'b', ''])).toEqual(work(['a', 'b']));
});

describe('sketches', () => {
  const kept = (hashes: number[], size: number): number[] => {
    const values: number[] = [];
    for (const hash of hashes) keepSmallest(values, hash, size);
    return values;
  };

  test('keep the smallest, sorted, each once', () => {
    expect(kept([5, 1, 4, 1, 3, 2], 3)).toEqual([1, 2, 3]);
    expect(kept([1, 2, 3, 3, 4], 3)).toEqual([1, 2, 3]);
    expect(kept([2, 2], 3)).toEqual([2]);
    const merged = [1, 5, 9];
    mergeSmallest(merged, [2, 4, 6, 8], 4);
    expect(merged).toEqual([1, 2, 4, 5]);
  });

  test.each<[number[], number[], number, number]>([
    [[1, 2, 3], [2, 3, 4], 8, 0.5],
    [[1, 2], [1, 2], 8, 1],
    [[1], [], 8, 0],
    [[], [], 8, 0],
    [[1, 2, 3], [3, 4, 5], 3, 1 / 3],
    [[1, 2, 3], [2, 8, 9], 3, 1 / 3],
  ])('%j and %j have so much in common', (one, other, size, share) =>
    expect(overlap(one, other, size)).toBeCloseTo(share),
  );

  test.each<[number[], number[], number]>([
    [[], [], 1],
    [[1], [], 0],
    [[1, 2, 3], [2, 3, 4], 0.5],
    [[1, 5, 9], [2, 5, 7, 9], 0.4],
  ])('%j and %j share words', (one, other, share) => {
    expect(jaccard(one, other)).toBeCloseTo(share);
    expect(jaccard(other, one)).toBeCloseTo(share);
  });

  test.each<[number[], number[], boolean]>([
    [[1, 2, 3, 4, 5], [1, 2, 3], true],
    [[1, 2, 3, 4, 5], [1, 2, 3, 8, 9], true],
    [[1, 2, 3, 4, 5], [1, 2, 7, 8, 9], false],
    [[1], [1], false],
    [[1, 2], [1, 2], true],
  ])('%j and %j are one question: %s', (one, other, same) =>
    expect(isRewording(one, other)).toBe(same),
  );
});

describe('words', () => {
  const same = (one: string, other: string): boolean =>
    JSON.stringify(wordHashes(one, 1)) === JSON.stringify(wordHashes(other, 1));

  test.each([
    ['Refresh refreshing', 'refreshed'],
    ['one, two', 'two one'],
    ['src/a.ts', '(src/a.ts)'],
    ['a.', 'a'],
    ['{"query":"lamps"}', '{"other":"lamps"}'],
    ['one one', 'one'],
  ])('%j are those of %j', (one, other) => expect(same(one, other)).toBe(true));

  test.each([
    ['src/alpha', 'src/alphabet'],
    ['token1x', 'token1y'],
    ['a b', 'a.b'],
    ['lamps', 'light'],
    ['été', 'ete'],
  ])('%j are not those of %j', (one, other) => expect(same(one, other)).toBe(false));

  test('that number is kept', () => {
    const text = Array.from({ length: 50 }, (_, i) => `w${i}`).join(' ');
    expect(wordHashes(text, 1)).toHaveLength(32);
    expect(wordHashes(text, 1, 5)).toEqual(wordHashes(text, 1).slice(0, 5));
    expect(wordHashes(`${'x '.repeat(1024)}late`, 1)).toHaveLength(1);
    expect(wordHashes('lamps', 1)).not.toEqual(wordHashes('lamps', 2));
  });
});

describe('results', () => {
  test.each<[string, unknown, string]>([
    ['a text in a content field', { content: 'a text' }, 'a text'],
    [
      'several blocks',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [
      'a picture among them',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'x' },
        ],
      },
      'text: a, type: text\ndata: x, type: image',
    ],
    ['no blocks', { content: [] }, ''],
    ['an output without errors', { stdout: 'a' }, 'a'],
    ['errors alone', { stdout: '', stderr: 'b' }, 'b'],
    ['one text field', { body: 'a' }, 'a'],
    ['one other field', { title: 'a' }, 'title: a'],
    ['two text fields', { text: 'a', body: 'b' }, 'body: b\ntext: a'],
    ['JSON with white space around it', ' {"a":1} ', 'a: 1'],
    ['what only begins like JSON', '{"a":1', '{"a":1'],
    ['a number', 4, '4'],
    ['null', null, 'null'],
    ['nothing', undefined, ''],
    ['plain values in a list', ['a', 'b'], 'a\nb'],
    ['records in a list', [{ a: 1, b: 2 }, { a: 3 }], 'a: 1, b: 2\na: 3'],
    [
      'a record of many fields',
      [
        Object.fromEntries(
          Array.from({ length: 25 }, (_, i) => [`f${String(i).padStart(2, '0')}`, i]),
        ),
      ],
      Array.from({ length: 25 }, (_, i) => `f${String(i).padStart(2, '0')}: ${i}`).join('\n'),
    ],
  ])('%s', (_, result, text) => expect(contentOf(result).text).toBe(text));

  test.each([
    'no results',
    'No matching files were found',
    '0 rows',
    'zero hits',
    'no data',
    'Nothing found.',
    'none',
    'None returned',
    'null',
    '(no output)',
    'undefined',
    '(empty)',
    '   ',
  ])('%j is empty', (text) => {
    expect(isEmptyResult(contentOf(text))).toBe(true);
  });

  test.each([
    'no way',
    'results: none were kept',
    '10 rows',
    'nothing is lost here',
    'nullable',
    `no results${' and so on'.repeat(10)}`,
    'data: 0',
  ])('%j is not', (text) => {
    expect(isEmptyResult(contentOf(text))).toBe(false);
  });

  test.each<[unknown, boolean]>([
    [{ a: [], b: {} }, true],
    [{ a: [], b: { c: [] }, total: 0 }, true],
    [{ a: [], b: { c: [1] } }, false],
    [{}, true],
    [{ total: 0 }, false],
    [{ a: null }, false],
  ])('%j holds nothing: %s', (value, empty) => expect(isEmptyResult(contentOf(value))).toBe(empty));

  test.each([
    'ok',
    'Okay, sent',
    'Done.',
    'successfully saved the file',
    'Clicked the button',
    '*** Created 4 items',
    'true',
    'Action executed',
  ])('%j is a bare confirmation', (text) => {
    expect(isAcknowledgement(text)).toBe(true);
  });

  test.each([
    'oktober',
    'not done',
    'I have saved it',
    `saved ${'x'.repeat(60)}`,
    'sender',
    'truely',
  ])('%j is none', (text) => {
    expect(isAcknowledgement(text)).toBe(false);
  });

  test.each<[string, boolean]>([
    ['[the page](https://a.example/x)', true],
    ['- Page URL: https://a.example/', true],
    ['### Ran Playwright code\n```js\nawait page.click();\n```', true],
    ['### Page\nwords', false],
    ['### Page', false],
    ['see https://a.example/x', true],
    [`${'see it there, at the place of which '.repeat(2)}https://a.example/x`, false],
    ['Screenshot captured as /tmp/a.png', true],
    ['saved', false],
    ['saved to a.png', false],
  ])('%j says nothing of what is there: %s', (text, nothing) =>
    expect(saysNothing(text, false)).toBe(nothing),
  );
});

describe('similarity', () => {
  test.each<[string, string, number]>([
    ['', '', 1],
    ['a', '', 0],
    ['abc', 'abc', 1],
    ['abcd', 'abed', 0.75],
    ['abc', 'xyz', 0],
    ['xaby', 'ab', 2 / 3],
    ['ab', 'ba', 0.5],
    ['kitten', 'sitting', 8 / 13],
    ['a'.repeat(40), 'a'.repeat(60), 0.8],
    [`${'ab'.repeat(40)}x`, `y${'ab'.repeat(40)}`, 160 / 162],
    [`${'abc'.repeat(30)}`, `${'acb'.repeat(30)}`, 120 / 180],
  ])('%j and %j', (one, other, share) => {
    expect(similarity(one, other)).toBeCloseTo(share, 6);
    expect(similarity(other, one)).toBeCloseTo(share, 6);
    if (share > 0) expect(similarity(one, other, share)).toBeCloseTo(share, 6);
    if (share < 1) expect(similarity(one, other, share + 0.05)).toBe(0);
  });
});

test('what was seen is known after a restart, and twelve thousand pieces later it is new again', () => {
  const seen = new KnownLines();
  const novelty = (where: KnownLines, text: string): number => where.novelty(scanLines(text, 1));
  const numbered = (from: number, count: number): string =>
    Array.from(
      { length: count },
      (_, i) =>
        `piece of text ${String.fromCharCode(97 + ((from + i) % 26))} ${(from + i).toString(36)}q${(7 * (from + i)).toString(36)}`,
    ).join('\n');
  expect(novelty(seen, 'a line of text that is new')).toBe(1);
  expect(novelty(seen, 'a line of text that is new')).toBe(0);
  expect(novelty(seen, '')).toBe(0);
  const again = KnownLines.from(JSON.parse(JSON.stringify(seen)));
  expect(JSON.stringify(again)).toBe(JSON.stringify(seen));
  expect(novelty(again, 'a line of text that is new')).toBe(0);
  expect(JSON.stringify(again).length).toBeLessThan(400);
  expect(novelty(KnownLines.from('damaged'), 'a line of text that is new')).toBe(1);
  expect(novelty(KnownLines.from([1, 4, null]), 'a line of text that is new')).toBe(1);
  for (let i = 0; i < 13; i++) novelty(again, numbered(1000 * i, 1000));
  expect(novelty(again, 'a line of text that is new')).toBe(1);
});

describe('the output of an iteration', () => {
  test('is kept whole up to 2,048 characters, then its head and its tail', () => {
    expect(readOutput('x'.repeat(2048)).text).toBe('x'.repeat(2048));
    const long = readOutput(`${'a'.repeat(3000)}${'b'.repeat(3000)}`).text;
    expect(long).toHaveLength(2048);
    expect(long).toMatch(/^a{1022}\n…\nb{1023}$/);
  });

  test.each(['é', '😀', '"', '\\', '\n', '\u0001x'])(
    'five of them as JSON take less than 12 KB, of %j too',
    (piece) => {
      const { text } = readOutput(`x${piece.repeat(3000)}x`);
      const bytes = new TextEncoder().encode(JSON.stringify(text)).length;
      expect(bytes).toBeLessThanOrEqual(2400);
      expect(text.length).toBeGreaterThan(300);
    },
  );
});
