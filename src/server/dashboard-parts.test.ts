import { describe, expect, it } from 'vitest';
import { agoText } from '../../dashboard/src/ago-text.ts';
import { readEvents } from '../../dashboard/src/api/read-events.ts';
import { deedText } from '../../dashboard/src/parts/deed-text.ts';
import { runsOf } from '../../dashboard/src/quiet-runs.ts';
import { sessionName } from '../../dashboard/src/session-name.ts';

/** Dots are quiet; what is folded stands in brackets. */
function folded(moments: string): string {
  const runs = runsOf([...moments].map((sign) => sign === '.'));
  return runs.map(({ from, to, isFolded }) => (isFolded ? `[${moments.slice(from, to)}]` : moments.slice(from, to))).join('');
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
  ])('are folded when they are long, but for what is next to something that happened: %s', (moments, expected) => {
    expect(folded(moments)).toBe(expected);
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
    ['an event', ['event: entry\nid: 7\ndata: {"a":1}\n\n'], [{ name: 'entry', id: '7', data: '{"a":1}' }]],
    ['one that comes in pieces', ['eve', 'nt: entry\nda', 'ta: x\n', '\n'], [{ name: 'entry', id: '', data: 'x' }]],
    ['several lines of data', ['data: a\ndata: b: c\n\n'], [{ name: 'message', id: '', data: 'a\nb: c' }]],
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
])('the time %d is told as %s', (at, expected) => {
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

it.each<[plans: number, acted: number, outcomes: Partial<Record<'recovered' | 'persisted' | 'relapsed' | 'unknown', number>>, string]>([
  [0, 0, {}, 'Nothing was done about it'],
  [3, 0, {}, 'Unrut only recorded what it would have done'],
  [1, 1, {}, 'Unrut intervened once; the outcome is unknown'],
  [2, 2, { unknown: 2 }, 'Unrut intervened twice; the outcome is unknown'],
  [1, 1, { recovered: 1 }, 'Unrut intervened once; it worked'],
  [4, 1, { relapsed: 1 }, 'Unrut intervened once; it did not work'],
  [3, 3, { persisted: 2, recovered: 1 }, 'Unrut intervened 3 times; 1 of them worked'],
  [2, 2, { persisted: 2 }, 'Unrut intervened twice; none of them worked'],
  [3, 3, { persisted: 1, unknown: 1 }, 'Unrut intervened 3 times; none of them worked, and the outcome of 2 is unknown'],
])('of %d plans, %d of them carried out with %j, it is said: %s', (plans, acted, outcomes, expected) => {
  expect(deedText({ plans, acted: { plans: acted, recovered: 0, persisted: 0, relapsed: 0, unknown: 0, ...outcomes } })).toBe(expected);
});
