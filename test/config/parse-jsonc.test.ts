import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJsonc } from '../../src/config/parse-jsonc.ts';

describe('JSON with comments', () => {
  test('is JSON where it is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parseJsonc(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused where JSON is refused, comments and commas aside', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\ue1-+.0 tnrlsfa') }), (text) => {
        const attempt = (parse: (text: string) => unknown) => {
          try {
            return { value: parse(text) };
          } catch {
            return 'refused';
          }
        };
        if (!/,\s*[\]}]/.test(text)) expect(attempt(parseJsonc)).toEqual(attempt(JSON.parse));
      }),
      { numRuns: 2000 },
    );
  });

  test.each<[string, unknown]>([
    ['// first\n{"a": 1} // last', { a: 1 }],
    ['{"a": /* inside */ [1, 2,], }', { a: [1, 2] }],
    ['{"a": "// no comment", "b": "/* nor this */"}', { a: '// no comment', b: '/* nor this */' }],
    ['/**/{}/***/', {}],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
    ['{"a": 1, "a": 2}', { a: 2 }],
  ])('reads %j', (text, value) => expect(parseJsonc(text)).toEqual(value));

  test.each([
    ['{"a" 1}', 'line 1, column 6: expected a colon'],
    ['{"a": 1\n "b": 2}', 'line 2, column 2: expected a comma or }'],
    ["{'a': 1}", 'line 1, column 2: expected a text in double quotes'],
    ['{"a": secret-value}', 'line 1, column 7: expected a value'],
    ['{"a": 01}', 'line 1, column 7: expected a value'],
    ['{,}', 'line 1, column 2: expected a text in double quotes'],
    ['{} {}', 'line 1, column 4: expected the end of the file'],
    ['/* open', 'line 1, column 1: expected a value'],
    ['[[[', 'line 1, column 4: expected a value'],
    ['['.repeat(100_000), 'line 1, column 102: expected fewer brackets inside one another'],
  ])('says where %j goes wrong', (text, message) => expect(() => parseJsonc(text)).toThrow(new SyntaxError(message)));
});
