import { describe, expect, it } from 'vitest';
import { readEvents } from '../../dashboard/src/api/read-events.ts';
import { runsOf } from '../../dashboard/src/quiet-runs.ts';

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
