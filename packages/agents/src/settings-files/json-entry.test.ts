import { describe, expect, it } from 'vitest';
import { jsonEntry } from './json-entry.ts';

const edit = jsonEntry('settings.json', ['plugins', 'entries', 'unrut'], { enabled: true });

describe('an entry in a JSON settings file', () => {
  it.each([
    ['no file', undefined],
    ['an empty object', '{}\n'],
    ['other settings', '{\n  // mine\n  "model": "m",\n  "plugins": { "allow": ["x"] }\n}\n'],
    ['other entries', '{\n  "plugins": {\n    "entries": {\n      "x": {}\n    }\n  }\n}\n'],
    ['a trailing comma', '{\n  "plugins": {\n    "entries": {},\n  },\n}\n'],
  ])('is added to %s, and stays as it is when it is added again', (_, before) => {
    const after = edit.add(before);
    expect(after).toContain('"unrut"');
    expect(edit.add(after)).toBe(after);
    expect(edit.remove(after)).not.toEqual(after);
  });

  it('is removed with what was added for it, and nothing else', () => {
    const before = '{\n  // mine\n  "model": "m",\n  "plugins": {\n    "allow": ["x"]\n  }\n}\n';
    expect(edit.remove(edit.add(before))).toBe(before);
    expect(edit.remove(edit.add(undefined))).toBeUndefined();
    expect(edit.remove(before)).toBe(before);
  });

  it('takes the place of an older one', () => {
    const old = jsonEntry('settings.json', ['plugins', 'entries', 'unrut'], { enabled: false });
    expect(edit.add(old.add('{}\n'))).toBe(edit.add('{}\n'));
  });

  it.each(['[]', '{ "plugins": [] }', '{ "plugins": { "entries": "x" } }', "{ plugins: 'json5' }"])(
    'is not added to %s',
    (text) => {
      expect(() => edit.add(text)).toThrow(/Nothing was changed/);
    },
  );
});
