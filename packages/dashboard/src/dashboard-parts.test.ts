import { dollars } from '@unrut/ledger/report/figures';
import { describe, expect, it } from 'vitest';
import { agoText } from './ago-text.ts';
import { readEvents } from './api/read-events.ts';
import { runsOf } from './moment-runs.ts';
import { deedText } from './parts/deed-text.ts';
import { capital } from './parts/words.ts';
import { sessionName } from './session-name.ts';
import { binsOf, lanesOf, pausesIn, ticksOf, zoomed } from './timeline-bins.ts';

/**
 * Dots are quiet moments, letters belong to the loop of that name; folded moments are in brackets.
 */
function shownAs(moments: string): string {
  const runs = runsOf([...moments].map((sign) => (sign === '.' ? '' : sign === '!' ? null : sign)));
  return runs
    .map(({ from, to, folded }) =>
      folded ? `[${moments.slice(from, to)}]` : moments.slice(from, to),
    )
    .join('');
}

describe('stretches in which nothing repeats', () => {
  it.each([
    ['', ''],
    ['.......', '.......'],
    ['........', '[........]'],
    ['!', '!'],
    ['........!', '........!'],
    ['..........!', '[........]..!'],
    ['!..........', '!..[........]'],
    ['!...........!', '!...........!'],
    ['!............!', '!..[........]..!'],
    ['............!!............', '[..........]..!!..[..........]'],
  ])(
    'are folded when they are long, but for what is next to something that happened: %s',
    (moments, expected) => {
      expect(shownAs(moments)).toBe(expected);
    },
  );
});

describe('a loop in a list of steps', () => {
  it.each([
    ['aaaaaaa', 'aaaaaaa'],
    ['aaaaaaaa', 'aaa[aaaa]a'],
    ['!aaaaaaaaaa!', '!aaa[aaaaaa]a!'],
    ['aaaaaaaabbbb', 'aaa[aaaa]abbbb'],
  ])('is folded but for its beginning and its end: %s', (moments, expected) => {
    expect(shownAs(moments)).toBe(expected);
  });
});

describe('a timeline', () => {
  it('shows bursts in columns of many steps, and what was done', () => {
    const letters = `${'n'.repeat(42)}${'e'.repeat(8)}`.repeat(200);
    const bursts = Array.from({ length: 200 }, (_, i) => ({
      start: 50 * i + 42,
      end: 50 * i + 49,
    }));
    const acts = letters.replaceAll('n', '0').replaceAll('e', '4');
    const bins = binsOf(letters, acts, bursts, { from: 0, to: letters.length }, 200);
    expect(bins).toHaveLength(200);
    for (const bin of bins) expect(bin).toMatchObject({ looping: 8, kinds: { n: 42 }, rung: 4 });
    expect(binsOf(letters, acts, [], { from: 42, to: 44 }, 200)).toMatchObject([
      { kinds: { e: 1 }, looping: 0 },
      { kinds: { e: 1 } },
    ]);
  });

  it('has a bar for every loop, in as few lanes as do not overlap', () => {
    const span = (start: number, end: number) => ({ start, end });
    const apart = Array.from({ length: 20 }, (_, i) => [span(50 * i, 50 * i + 8)]);
    expect(lanesOf(apart, 4)).toEqual([apart.flat()]);
    expect(lanesOf([[span(0, 9), span(30, 39)], [span(9, 20)], [span(10, 12)]], 4)).toEqual([
      [span(0, 9), span(30, 39), span(10, 12)],
      [span(9, 20)],
    ]);
    const together = Array.from({ length: 6 }, () => [span(0, 9)]);
    expect(lanesOf(together, 4).map((lane) => lane.length)).toEqual([1, 1, 1, 3]);
  });

  it('says the time along it, and where nothing happened for long', () => {
    const seconds = [0, 10, 20, 30_000, 30_010];
    expect(ticksOf(seconds, { from: 0, to: 5 }, 2).map(({ moment }) => moment)).toEqual([0, 3]);
    expect(pausesIn(seconds, { from: 0, to: 5 }, 3)).toEqual([{ moment: 3, lasted: 29_980 }]);
    expect(pausesIn(seconds, { from: 0, to: 3 }, 3)).toEqual([]);
  });

  it('is zoomed within itself', () => {
    expect(zoomed({ from: 0, to: 1000 }, 990, 0.5, 1000)).toEqual({ from: 500, to: 1000 });
    expect(zoomed({ from: 500, to: 1000 }, 510, 2, 1000)).toEqual({ from: 0, to: 1000 });
    expect(zoomed({ from: 0, to: 12 }, 5, 0.5, 1000)).toEqual({ from: 0, to: 10 });
  });
});

describe('a stream of events', () => {
  const read = async (...chunks: string[]) => {
    const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    const events: unknown[] = [];
    for await (const event of readEvents(bytes)) events.push(event);
    return events;
  };

  it.each<[string, string[], unknown[]]>([
    [
      'an event',
      ['event: entry\nid: 7\ndata: {"a":1}\n\n'],
      [{ name: 'entry', id: '7', data: '{"a":1}' }],
    ],
    [
      'one that comes in pieces',
      ['eve', 'nt: entry\nda', 'ta: x\n', '\n'],
      [{ name: 'entry', id: '', data: 'x' }],
    ],
    [
      'several lines of data',
      ['data: a\ndata: b: c\n\n'],
      [{ name: 'message', id: '', data: 'a\nb: c' }],
    ],
    ['other line ends', ['event: gap\r\ndata: {}\r\n\r\n'], [{ name: 'gap', id: '', data: '{}' }]],
    ['a sign of life', [': beat\n\n', 'retry: 2000\n: 1 listening\n\n'], [null, null]],
    ['what is cut off', ['data: a\n\ndata: b'], [{ name: 'message', id: '', data: 'a' }]],
  ])('is read: %s', async (_, chunks, expected) => {
    expect(await read(...chunks)).toEqual(expected);
  });
});

const NOW = 1_794_800_000_000;

it.each<[number, string]>([
  [NOW - 1000, 'just now'],
  [NOW + 30_000, 'just now'],
  [NOW - 7_200_000, '2 h ago'],
  [NOW + 7_200_000, '2 h ahead of this clock'],
  [0, '20773 d ago'],
  [NOW * 1e6, 'at an unknown time'],
  [NOW * 1e3, 'at an unknown time'],
  [-1, 'at an unknown time'],
  [Number.NaN, 'at an unknown time'],
  [Number.POSITIVE_INFINITY, 'at an unknown time'],
])('the time %d is shown as %s', (at, expected) => {
  expect(agoText(at, NOW)).toBe(expected);
});

it.each([
  ['clock-ahead', 'clock-ahead'],
  ['otlp-waiting', 'otlp-waiting'],
  ['nightly-run-2026-11-16', 'nightly-run-2026-11-16'],
  ['Checkout2026Migration', 'Checkout2026Migration'],
  ['team/α run?x=1', 'team/α run?x=1'],
  ['..', '..'],
  ['w'.repeat(61), `${'w'.repeat(59)}…`],
  ['550e8400-e29b-41d4-a716-446655440000', '550e8400'],
  ['4bf92f3577b34da6a3ce929d0e0e4736', '4bf92f35'],
  ['01JCXV3N8Z5Q4W7R2T6Y9B1D0F', '01JCXV3N'],
  ['ses_4f3a91bc07d2ffe1Kq8ZpX2v', 'ses_4f3a'],
  ['wf-main/550e8400-e29b-41d4-a716-446655440000', 'wf-main/550e8400-e29b-41d4-a716-446655440000'],
])('the session %s is called %s', (session, expected) => {
  expect(sessionName({ session, name: session.slice(0, 8) })).toBe(expected);
});

it.each<
  [
    plans: number,
    acted: number,
    outcomes: Partial<Record<'recovered' | 'persisted' | 'relapsed' | 'unknown', number>>,
    string,
  ]
>([
  [0, 0, {}, 'Nothing was done about it'],
  [3, 0, {}, 'Unrut only recorded what it would have done'],
  [1, 1, {}, 'Unrut intervened once; the outcome is unknown'],
  [2, 2, { unknown: 2 }, 'Unrut intervened twice; the outcome is unknown'],
  [1, 1, { recovered: 1 }, 'Unrut intervened once; it worked'],
  [4, 1, { relapsed: 1 }, 'Unrut intervened once; it did not help'],
  [3, 3, { persisted: 2, recovered: 1 }, 'Unrut intervened 3 times; 1 worked, 2 did not help'],
  [2, 2, { recovered: 2 }, 'Unrut intervened twice; all of them worked'],
  [2, 2, { persisted: 2 }, 'Unrut intervened twice; none of them helped'],
  [
    3,
    3,
    { persisted: 1, unknown: 1 },
    'Unrut intervened 3 times; 1 did not help, the outcome of 2 is unknown',
  ],
])(
  'of %d plans, %d of them carried out with %j, it is said: %s',
  (plans, acted, outcomes, expected) => {
    expect(
      deedText({
        plans,
        acted: { plans: acted, recovered: 0, persisted: 0, relapsed: 0, unknown: 0, ...outcomes },
      }),
    ).toBe(expected);
  },
);

it.each([
  [0, '$0.00'],
  [0.06, '$0.06'],
  [0.56, '$0.56'],
  [0.0004, 'under $0.01'],
  [1234.5, '$1234.50'],
])('the dollars %d are shown as %s', (value, expected) => {
  expect(dollars(value)).toBe(expected);
});

describe('the beginning of a sentence', () => {
  it.each([
    ['the same 4 steps', 'The same 4 steps'],
    ['stopped the run', 'Stopped the run'],
    ['theme/config.ts was changed back', 'theme/config.ts was changed back'],
    ['`npm test` failed', '`npm test` failed'],
    ['http_request was turned away', 'http_request was turned away'],
    ['', ''],
  ])('has a capital letter, but for names: %s', (text, expected) => {
    expect(capital(text)).toBe(expected);
  });
});
