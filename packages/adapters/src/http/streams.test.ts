import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineRelay } from '../mcp/line-relay.ts';
import { eventsOf, readEvent, withData } from './server-sent-events.ts';

/** The bytes in pieces, split at these positions. */
function pieces(bytes: Uint8Array, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return at.slice(1).map((end, i) => Buffer.from(bytes.subarray(at[i], end)));
}

/** Bytes with many line ends among them. */
const lined = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\n\n', '\r\n\r\n', 'data: {"id":1}\n', 'id: 7\n', ': ping\n'),
      fc.string({ maxLength: 8 }),
    ),
  )
  .map((parts) => Buffer.from(parts.join('')));
const cuts = fc.array(fc.nat({ max: 1000 }), { maxLength: 12 });

describe('lines', () => {
  test('come out as they went in, however they are cut and however long they are', async () => {
    await fc.assert(
      fc.asyncProperty(
        lined,
        cuts,
        fc.integer({ min: 1, max: 40 }),
        async (bytes, where, longest) => {
          const seen: Buffer[] = [];
          const relay = new LineRelay((line) => {
            seen.push(line);
            return line;
          }, longest);
          const out = Readable.from(pieces(bytes, where)).pipe(relay);
          expect(Buffer.concat(await out.toArray())).toEqual(bytes);
          for (const line of seen) expect(line.indexOf('\n')).toBe(line.length - 1);
        },
      ),
    );
  });

  test('are rewritten whole, and one that is rewritten to nothing is left out', async () => {
    const relay = new LineRelay((line) =>
      line.includes('secret') ? null : Buffer.from(line.toString().toUpperCase()),
    );
    Readable.from([Buffer.from('on'), Buffer.from('e\nsec'), Buffer.from('ret\ntwo\nrest')]).pipe(
      relay,
    );
    expect(Buffer.concat(await relay.toArray()).toString()).toBe('ONE\nTWO\nrest');
  });

  test('of ours stand between others, also when one that is too long is just passing', async () => {
    const relay = new LineRelay((line) => line, 8);
    relay.write('short\n');
    relay.insert(Buffer.from('ours\n'));
    relay.write('much too long ');
    relay.insert(Buffer.from('ours again\n'));
    relay.write('a line\nend\n');
    relay.end();
    expect(Buffer.concat(await relay.toArray()).toString()).toBe(
      'short\nours\nmuch too long a line\nours again\nend\n',
    );
  });

  test('of many megabytes are joined once', async () => {
    const chunk = Buffer.alloc(1 << 16, 'x');
    const relay = new LineRelay((line) => Buffer.from(String(line.length)), 1 << 30);
    Readable.from([...Array.from({ length: 640 }, () => chunk), Buffer.from('\n')]).pipe(relay);
    expect(Buffer.concat(await relay.toArray()).toString()).toBe(String(640 * (1 << 16) + 1));
  });
});

describe('server-sent events', () => {
  test('come out as they went in, however they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(lined, cuts, async (bytes, where) => {
        const events: Buffer[] = [];
        for await (const event of eventsOf(Readable.from(pieces(bytes, where)))) events.push(event);
        expect(Buffer.concat(events)).toEqual(bytes);
        for (const event of events.slice(0, -1)) expect(event.toString()).toMatch(/(?:^|\n)\r*\n$/);
      }),
    );
  });

  test.each([
    ['data: {"id":1}\n\n', { data: '{"id":1}', name: '', id: undefined, retry: undefined }],
    [
      'event: message\r\nid: 7\r\nretry: 250\r\ndata:{"a":\r\ndata: 1}\r\n\r\n',
      { data: '{"a":\n1}', name: 'message', id: '7', retry: 250 },
    ],
    [': keep-alive\n\n', { data: '', name: '', id: undefined, retry: undefined }],
    ['id: 3\ndata\n\n', { data: '', name: '', id: '3', retry: undefined }],
  ])('%j is read', (text, expected) => expect(readEvent(Buffer.from(text))).toEqual(expected));

  test('keep their other fields when the data is changed', () => {
    const event = Buffer.from('event: message\nid: 7\ndata: {"a":1}\n\n');
    expect(withData(event, '{"b":2}').toString()).toBe('event: message\nid: 7\ndata: {"b":2}\n\n');
  });
});
