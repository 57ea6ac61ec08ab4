import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordReader } from './records.ts';

/** Reads a text in pieces of this size. */
function read(
  text: string,
  size = Number.POSITIVE_INFINITY,
): { records: unknown[]; broken: string[] } {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let i = 0; i < bytes.length; i += size) pieces.push(bytes.subarray(i, i + size));
  return readPieces(pieces);
}

function readPieces(pieces: readonly Buffer[]): { records: unknown[]; broken: string[] } {
  const records: unknown[] = [];
  const broken: string[] = [];
  const reader = createRecordReader({
    record: (value) => void records.push(value),
    broken: (why) => void broken.push(why),
  });
  for (const piece of pieces) reader.write(piece);
  reader.end();
  return { records, broken };
}

/** Reads a text with this many megabytes between its beginning and its end. */
function readLong(
  beginning: string,
  megabytes: number,
  end: string,
): ReturnType<typeof readPieces> {
  const megabyte = Buffer.alloc(1 << 20, 'y');
  return readPieces([
    Buffer.from(beginning),
    ...Array.from({ length: megabytes }, () => megabyte),
    Buffer.from(end),
  ]);
}

const a = { a: 1 };
const b = { b: ['x', { c: '}]"\\' }] };
const [A, B] = [JSON.stringify(a), JSON.stringify(b)];

describe('records are', () => {
  const cases: [string, string, unknown[], string[]?][] = [
    ['the lines of JSON lines', `${A}\n${B}\n`, [a, b]],
    ['lines without a last end', `${A}\n${B}`, [a, b]],
    [
      'lines with Windows ends, a byte order mark and empty lines',
      `\uFEFF${A}\r\n\r\n${B}\r\n`,
      [a, b],
    ],
    ['one object on one line', A, [a]],
    ['one object over many lines', JSON.stringify(b, null, 2), [b]],
    ['the elements of an array on one line', `[${A},${B}]`, [a, b]],
    ['the elements of an array over many lines', JSON.stringify([a, b], null, 2), [a, b]],
    ['the elements of an array with one a line', `[\n${A},\n${B}\n]\n`, [a, b]],
    ['the elements of an array with a single one', `[\n${A}\n]\n`, [a]],
    ['arrays, where every line is one', `[${A}]\n[${B}]\n`, [[a], [b]]],
    [
      'objects that follow each other over many lines',
      `${JSON.stringify(a, null, 2)}\n${JSON.stringify(b, null, 2)}\n`,
      [a, b],
    ],
    [
      'the good lines among broken ones',
      `${A}\n{"a":\nWARN: x\n${B}\n`,
      [a, b],
      ['not JSON', 'not JSON'],
    ],
    ['the good lines after a broken first one', `{"a": 1, "b\n${A}\n${B}\n`, [a, b], ['not JSON']],
    ['the good lines after a banner', `starting up\n${A}\n`, [a], ['not JSON']],
    ['the lines before a last one that is cut off', `${A}\n${B.slice(0, -3)}`, [a], ['cut off']],
    ['the elements before one that is cut off', `[\n${A},\n${B.slice(0, -3)}`, [a], ['cut off']],
    ['none in an object that is cut off', JSON.stringify(b, null, 2).slice(0, -3), [], ['cut off']],
    ['the elements before an end that is missing', `[${A},${B},`, [a, b], ['cut off']],
    ['numbers and texts too, where they are elements', '["a,]","b",3,null]', ['a,]', 'b', 3, null]],
    [
      'the elements around what does not belong there',
      `[\n${A},\nWARN "x\n${B}\n]`,
      [a, b],
      ['not JSON'],
    ],
    [
      'a document before a text',
      `${JSON.stringify(b, null, 2)}\nTraceback: "oops\n  at {x}\n`,
      [b],
      ['not JSON', 'not JSON'],
    ],
    ['the elements of a list before a text', `[\n${A}\n]\n\nDone.`, [a], ['not JSON']],
    ['an object after a list', `[\n${A}\n]\n\n${JSON.stringify(b, null, 2)}`, [a, b]],
    ['none in nothing', '', []],
    ['none in white space', ' \n\n', []],
    [
      'the lines of prose',
      'Dear reader,\n\nnothing.\n',
      [{ line: 'Dear reader,' }, { line: '' }, { line: 'nothing.' }],
    ],
    [
      'those between lines of a log',
      'starting\n{"a":1}\ndone\n',
      [{ a: 1 }],
      ['not JSON', 'not JSON'],
    ],
    [
      "objects as Node's console prints them",
      "{\n  name: 'a {',\n  'b.c': [ 1, -2.5e3, 'x' + 'y' ],\n  deep: [Object],\n  of: Resource { at: undefined },\n  n: 12n,\n  quote: \"it's\",\n  more: [ 1, ... 3 more items ]\n}\n{\n  a: true\n}\n",
      [
        {
          name: 'a {',
          'b.c': [1, -2500, 'xy'],
          deep: '[Object]',
          of: { at: null },
          n: 12,
          quote: "it's",
          more: [1, '... 3 more items'],
        },
        { a: true },
      ],
    ],
    ['cut off where such an object is', '{\n  a: 1\n}\n{\n  b: {', [{ a: 1 }], ['cut off']],
  ];
  it.each(cases)('%s', (_, text, records, broken = []) => {
    expect(read(text)).toEqual({ records, broken });
  });

  it('the same in whatever pieces the bytes come', () => {
    const texts = cases.map(([, text]) => text);
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.integer({ min: 1, max: 40 }), (text, size) => {
        expect(read(text, size)).toEqual(read(text));
      }),
    );
  });

  it('the lines of a file that is larger than its beginning, letters of several bytes included', () => {
    const lines = Array.from({ length: 3000 }, (_, i) => ({ i, text: 'ä€😀'.repeat(60) }));
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    expect(read(text, 65_537)).toEqual({ records: lines, broken: [] });
  });

  it('the elements of one endless line', () => {
    const elements = Array.from({ length: 3000 }, (_, i) => ({ i, text: 'x'.repeat(500) }));
    expect(read(JSON.stringify(elements), 65_537)).toEqual({ records: elements, broken: [] });
  });

  const long = { text: 'x '.repeat(1_500_000) };
  it.each<[string, string, unknown[], string[]]>([
    [
      'lines after a first one that is longer than a beginning',
      `${JSON.stringify(long)}\n${A}\n{"a":\nWARN\n${B}\n`,
      [long, a, b],
      ['not JSON', 'not JSON'],
    ],
    [
      'lines after a long first one that is broken',
      `${JSON.stringify(long).slice(0, -2)}\n${A}\n${B}\n`,
      [a, b],
      ['not JSON'],
    ],
    ['a long object on one line', JSON.stringify(long), [long], []],
    [
      'a long object over many lines',
      JSON.stringify([long, a], null, 1).replace('[', '{"list":[').concat('}'),
      [{ list: [long, a] }],
      [],
    ],
  ])('%s', (_, text, records, broken) => {
    expect(read(text, 65_537)).toEqual({ records, broken });
  });

  it('respect the given maximum length, even if the file is one object', () => {
    const { records, broken } = readLong('{\n"x":"', 257, '"}');
    expect({ records, broken }).toEqual({ records: [], broken: ['longer than 256 MB'] });
  });

  it('those around a line that is too long', () => {
    const { records, broken } = readLong(`${A}\n{"x":"`, 70, `"}\n${B}\n`);
    expect({ records, broken }).toEqual({ records: [a, b], broken: ['longer than 64 MB'] });
  });
});

describe('a line of JSON lines', () => {
  it('may hold two records', () => {
    expect(read('{"a":1}\n{"a":2}{"a":{"b":3}}\n{"a":4}\n')).toEqual({
      records: [{ a: 1 }, { a: 2 }, { a: { b: 3 } }, { a: 4 }],
      broken: [],
    });
  });

  it.each(['{"a":2}{"a":', '{"a":2}{a}', '{ {} {} }', '{"a":2} and {"b":3}'])(
    'is broken as a whole: %s',
    (line) => {
      expect(read(`{"a":1}\n${line}\n{"a":4}\n`)).toEqual({
        records: [{ a: 1 }, { a: 4 }],
        broken: ['not JSON'],
      });
    },
  );
});
