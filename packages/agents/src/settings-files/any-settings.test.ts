import { casesOf } from '@unrut/test/full-runs';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { hookSettings } from './hook-settings.ts';

const OURS = {
  type: 'command',
  command: '/usr/bin/node /home/dev/unrut/dist/hook.cjs --for claude-code',
  timeout: 10,
};
const grouped = hookSettings({
  path: 's.json',
  events: ['PreToolUse', 'Stop'],
  handler: OURS,
  matched: ['PreToolUse'],
});
const flat = hookSettings({ path: 's.json', events: ['preToolUse', 'stop'], handler: OURS });

const name = fc.constantFrom(
  'a',
  'b',
  'model',
  'x y',
  '"',
  'PreToolUse',
  'Stop',
  'preToolUse',
  'stop',
  '//',
);
const handler = fc.record(
  { type: fc.constant('command'), command: fc.string() },
  { requiredKeys: ['command'] },
);
const entries = fc.array(
  fc.oneof(
    handler,
    fc.record({ matcher: fc.string(), hooks: fc.array(handler, { minLength: 1, maxLength: 3 }) }),
  ),
  {
    minLength: 1,
    maxLength: 3,
  },
);
const settings = fc
  .tuple(
    fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 }),
    fc.option(fc.dictionary(name, entries, { minKeys: 1, maxKeys: 3 })),
  )
  .map(([others, hooks]) => ({ ...others, ...(hooks ? { hooks } : {}) }));
const style = fc.record({
  indent: fc.constantFrom('', '  ', '\t', '    '),
  eol: fc.constantFrom('\n', '\r\n'),
  mark: fc.constantFrom('', '\uFEFF'),
  end: fc.constantFrom('', '\n', '\n\n'),
  comments: fc.boolean(),
});
const text = fc.tuple(settings, style).map(([value, { indent, eol, mark, end, comments }]) => {
  const plain = JSON.stringify(value, null, indent);
  const commented =
    comments && indent !== ''
      ? plain.replace(/([\]},])\n/g, '$1 // why\n').replace(/^(\s+)"/gm, '$1/* what */ "')
      : plain;
  return mark + commented.replaceAll('\n', eol) + end.replaceAll('\n', eol);
});

describe('any settings, in any style', () => {
  it.each([
    ['with groups', grouped],
    ['without groups', flat],
  ])('%s are what they were when our part is taken out again', (_, edit) => {
    fc.assert(
      fc.property(text, (before) => {
        const after = edit.add(before);
        expect(edit.add(after)).toBe(after);
        expect(edit.remove(after)).toBe(before);
        expect(edit.remove(before)).toBe(before);
      }),
      { numRuns: casesOf(500) },
    );
  });

  it('keep all that others have in them, in its order', () => {
    fc.assert(
      fc.property(text, (before) => {
        const was = parse(before.replace('\uFEFF', ''));
        const is = parse(grouped.add(before).replace('\uFEFF', ''));
        const without = structuredClone(is);
        for (const [event, list] of Object.entries(without.hooks as Record<string, unknown[]>))
          without.hooks[event] = list.slice(0, (was.hooks?.[event] ?? []).length);
        for (const event of ['PreToolUse', 'Stop'])
          if (was.hooks?.[event] === undefined) delete without.hooks[event];
        if (was.hooks === undefined) delete without.hooks;
        expect(JSON.stringify(without)).toBe(JSON.stringify(was));
      }),
      { numRuns: casesOf(200) },
    );
  });
});
