import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonPlace } from './json-place.ts';

const placeOf = (text: string): JsonPlace => new JsonPlace(Buffer.from(text));
const written = (text: string, change: (place: JsonPlace) => void): string => {
  const place = placeOf(text);
  change(place);
  return place.write().toString();
};

describe('a place in a JSON text', () => {
  test.each([
    [
      'blanks, escapes, digits and names that are there twice',
      '{ "a" : "x\\/y\\u00e9" ,\n "a":1.0e+0, "b":[ ] }\r\n',
      '{ "a" : "x\\/y\\u00e9" ,\n "a":1.0e+0, "b":[ ] ,"new":true}\r\n',
    ],
    ['an empty object', '{ }', '{"new":true}'],
    ['one whose last value ends in a backslash', '{"a":"\\\\"}', '{"a":"\\\\","new":true}'],
  ])('stays as it is where something is added: %s', (_, text, expected) => {
    expect(written(text, (place) => place.set('new', true))).toBe(expected);
  });

  test.each<[string, string, (place: JsonPlace) => void, string]>([
    [
      'an item is added',
      '{"c":[1, {"d":"]"} ],"e":1e400}',
      (p) => p.get('c')!.push('x'),
      '{"c":[1, {"d":"]"} ,"x"],"e":1e400}',
    ],
    [
      'the last of two members counts',
      '{"c":[],"c":[7]}',
      (p) => p.get('c')!.push(8),
      '{"c":[],"c":[7,8]}',
    ],
    [
      'a member is replaced',
      '{"a": 12345678901234567890 ,"b":2}',
      (p) => p.set('a', null),
      '{"a": null ,"b":2}',
    ],
    ['all members of a name are taken out', '{"s":1,"a":2,"s":3}', (p) => p.delete('s'), '{"a":2}'],
    ['the only member is taken out', '{"s":1}', (p) => p.delete('s'), '{}'],
    ['a name is written with an escape', '{"\\u0061":1}', (p) => p.set('a', 2), '{"\\u0061":2}'],
    [
      'a message of a batch is changed',
      ' [{"id":1}, {"id":2}]\n',
      (p) => p.items()[1]!.set('x', 0),
      '[{"id":1}, {"id":2,"x":0}]\n',
    ],
  ])('where %s', (_, text, change, expected) => {
    expect(written(text, change)).toBe(expected);
  });

  test('has no members where it is no object, and no items but itself where it is no list', () => {
    expect(placeOf('"{}"').get('a')).toBeUndefined();
    expect(placeOf('[{"a":1}]').get('a')).toBeUndefined();
    expect(placeOf('7').items()).toHaveLength(1);
  });

  test('is what the changed value would be, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        fc.integer({ min: 0, max: 3 }),
        (object, value, blanks) => {
          const text = JSON.stringify({ ...object, list: [value], old: value }, null, blanks);
          const place = placeOf(text);
          place.get('list')!.push('new');
          place.delete('old');
          place.set('more', value);
          const expected: Record<string, unknown> = {
            ...object,
            list: [value, 'new'],
            more: value,
          };
          delete expected.old;
          expect(JSON.parse(place.write().toString())).toEqual(
            JSON.parse(JSON.stringify(expected)),
          );
        },
      ),
    );
  });
});
