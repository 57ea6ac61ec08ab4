import { describe, expect, test } from 'vitest';
import { type Piece, piecesOf } from './noise-pieces.ts';

/** The line without the marks around one piece of it, and that piece. */
function marked(line: string): { text: string; piece: string } {
  const [before, piece, after] = line.split(/[‹›]/);
  return { text: `${before}${piece}${after}`, piece: piece! };
}

const countsAs = (line: string): Piece['counts'] | undefined => {
  const { text, piece } = marked(line);
  return piecesOf(text).find((each) => each.text === piece)?.counts;
};

describe('never makes a difference', () => {
  test.each([
    [
      'what is measured',
      ['took ‹12›', 'elapsed ‹5› items', 'uptime: ‹99›', 'latency = ‹3›', 'duration_ms=‹17›'],
    ],
    [
      'an id by its name',
      [
        'request_id: ‹7781›',
        'requestid ‹7781›',
        'request-id=‹abc123def›',
        'pid ‹4711›',
        'X-Request-Id: ‹ab12cd34›',
      ],
    ],
    ['the ordinal of a try', ['attempt ‹3›', 'retry ‹2› of 5', 'retries: ‹4›']],
    [
      'a number of a unit of time',
      [
        '‹3› ms',
        '‹3› seconds',
        '‹3› s left',
        'in ‹4› minutes',
        '‹5› min',
        '‹2› hours ago',
        '‹3.4› seconds',
      ],
    ],
    ['a duration in one word', ['‹12ms›', '‹1.5s›', '‹3m12s›', '‹250us›', 'after ‹2h›.']],
    ['an epoch', ['‹1500000000›', '‹1999999999›', '‹1712345678901›', '‹1600000000000›']],
    [
      'a time',
      [
        '‹2026-11-16T07:22:09Z›',
        '‹2026-11-16t07:22:09Z›',
        '‹12:30›',
        '‹12:30:45›',
        '‹12:30:45.123›',
        'at ‹10:32› PM',
        '‹1:2:3:4›',
      ],
    ],
    ['an address in memory', ['‹0xdeadbeef1›', '‹0XAB12›', 'at ‹0x1›']],
    [
      'a UUID',
      ['‹123e4567-e89b-12d3-a456-426614174000›', '‹123E4567-E89B-12D3-A456-426614174000›'],
    ],
    [
      'a temporary path',
      [
        '/‹tmp/x12/config.json›',
        '/‹var/folders/ab/x1›',
        '/‹private/var/folders/ab/x1›',
        '"/‹tmp/1›"',
      ],
    ],
    [
      'a file named for its moment',
      ['‹page-2026-11-16T07-22-09-776Z.yml›', '‹2026-11-16T07-22-09-776Z.yml›'],
    ],
    ['a port of this machine', ['‹localhost:3000›', '‹localhost:3000/a›']],
    ['the line of a shell', ['bash: line ‹17886›: foo', 'sh: line ‹3›: x']],
    ['how often it was tried', ['‹9› × retrying']],
    [
      'a rank or a line number',
      [
        '‹1›) a',
        '‹1›. a',
        '‹12›: a',
        '‹3›| a',
        '‹3›\ta',
        '  ‹12›→a',
        '‹123456›. a',
        '            ‹3›) a',
        '- ‹3›) a',
        '‹3›)',
      ],
    ],
  ])('%s', (_, lines) => {
    for (const line of lines as string[]) expect(countsAs(line), line).toBe('masked');
  });
});

describe('has a direction', () => {
  test.each([
    ['a share', ['‹50›%', '‹50› %', '‹50› percent', 'progress ‹40›', '‹12.5›%']],
    ['a part of a whole', ['‹3› of 12', '3 of ‹12›', '‹3/12›', 'step ‹3/12›', 'line ‹3› of 40']],
    [
      'what is left, and what went wrong',
      [
        '‹12› remaining',
        '‹7› failed',
        'failed ‹7›',
        'errors: ‹2›',
        'exit code ‹2›',
        'status ‹200›',
      ],
    ],
    [
      'where something stands',
      [
        'version ‹4›',
        'page ‹3›',
        'x ‹40›',
        'y=‹3›',
        'count: ‹9›',
        'balance ‹100›',
        'price: ‹12.50›',
        '‹10› kb',
      ],
    ],
    ['a number of things', ['‹12› berths', '- ‹3› apples', '1,‹234› items']],
  ])('%s', (_, lines) => {
    for (const line of lines as string[]) expect(countsAs(line), line).toBe('quantity');
  });
});

describe('makes a difference until it is learned to be noise', () => {
  test.each([
    [
      'a number that says nothing of itself',
      [
        '‹3›',
        '-‹3›',
        '+‹3›',
        '‹3.4›',
        '‹12›,5',
        'col ‹7›',
        '[‹12›] first',
        '#‹12› first',
        'a ‹1›. b',
      ],
    ],
    [
      'a number that is no epoch',
      ['‹1499999999›', '‹2000000000›', '‹171234567890›', '‹1712345678901234›', '‹150000000›'],
    ],
    [
      'how large something is',
      [
        'total ‹40›',
        '‹40› lines',
        '‹40› rows',
        'lines ‹40›',
        '‹12› files changed',
        'found ‹12› results',
      ],
    ],
    ['one thing, or a short word', ['‹9› berth', '‹12› bus', '‹12› gas', '‹12› ship']],
    ['a number with a name of its own', ['n=‹4003› berths', 'n:‹4003› berths']],
    ['a share too far from its sign', ['‹50›  %']],
    ['a line that no shell counts', ['line ‹17886›: foo', 'bash: line ‹17886› foo']],
    ['a port of another machine', ['remotehost:‹3000›']],
    [
      'letters and digits in turn',
      [
        '‹abc123def›',
        '‹a1b2c3›',
        '‹123e4567-e89b-12d3-a456-42661417400›',
        '‹123g4567-e89b-12d3-a456-426614174000›',
      ],
    ],
    [
      'a number that opens a line and is no rank',
      ['‹12› a', '‹1234567›) a', '             ‹3›) a', 'b ‹3›) a'],
    ],
  ])('%s', (_, lines) => {
    for (const line of lines as string[]) expect(countsAs(line), line).toBe('value');
  });
});

test.each([
  ...[
    '12MB',
    '10KB',
    '10kb/s',
    '3x12',
    '3-12',
    '3/12/4',
    '1.2.3',
    '2026-11-16',
    '10.0.0.1:80',
    '/tmpx/x12',
    'tmp/x12',
    '/var/fold/x1',
  ],
  ...[
    'page-2026-11-16T07-22.yml',
    'ab1c2',
    'abcdef12',
    'order-77-ab-1c',
    'x.y1.z2',
    '9× retrying',
    'v1.2.3-beta4',
    'utf8',
    'sha256',
    '5th',
  ],
  ...[
    'https://a1.example/c?x=12&y=3',
    'http://localhost:3000',
    'src/a.ts:12:5',
    'me@host1',
    '12abc',
  ],
])('%j is content, all of it', (line) => {
  expect(piecesOf(line)).toEqual([{ text: line, counts: 'literal' }]);
});

test('the pieces of a line are the line as a terminal shows it', () => {
  expect(piecesOf('took \x1b[1m12\x1b[0m ms, 50% of a1b2c3 done')).toEqual([
    { text: 'took ', counts: 'literal' },
    { text: '12', counts: 'masked' },
    { text: ' ms, ', counts: 'literal' },
    { text: '50', counts: 'quantity' },
    { text: '% of ', counts: 'literal' },
    { text: 'a1b2c3', counts: 'value' },
    { text: ' done', counts: 'literal' },
  ]);
});

test.each([
  ['a return begins the line again', 'loading 10%\rloading 90%', 'loading 90%'],
  ['a return at the end ends it', 'done 4\r', 'done 4'],
  ['a backspace takes one back', 'ab\bc', 'ac'],
  ['a backspace takes nothing from an empty line', '\b\bab', 'ab'],
  ['a colour leaves nothing', '\x1b[31;1mred\x1b[0m ink', 'red ink'],
  ['a title ends with a bell', '\x1b]0;title\x07shown', 'shown'],
  ['a title ends with a string terminator', '\x1b]0;title\x1b\\shown', 'shown'],
  ['another escape takes one more byte', '\x1b7saved', 'saved'],
  ['an escape without an end takes the rest', 'a\x1b[31', 'a'],
])('%s', (_, line, shown) => {
  expect(
    piecesOf(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(shown);
});
