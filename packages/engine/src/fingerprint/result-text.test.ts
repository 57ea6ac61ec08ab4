import { expect, test } from 'vitest';
import {
  contentOf,
  isEmptyResult,
  saysMissing,
  saysNothing,
  withoutCosts,
  withoutLabel,
} from './result-text.ts';

const text = 'one line\nanother line';
const many = <T>(length: number, make: (i: number) => T): T[] =>
  Array.from({ length }, (_, i) => make(i));

test.each([
  ['text', text],
  ['content blocks of MCP', { content: [{ type: 'text', text }] }],
  ['a list of blocks', [{ type: 'text', text }]],
  ['what a shell printed', { stdout: text, stderr: '', interrupted: false }],
  ['a single text field', { output: text }],
  ['JSON of that in a text', JSON.stringify({ output: text })],
  ['JSON in a block', { content: [{ type: 'text', text: JSON.stringify({ result: text }) }] }],
])('%s is read as the same text', (_, result) => {
  expect(contentOf(result)).toEqual({ value: text, text, fields: false });
});

test('an error stream is read after the output', () => {
  expect(contentOf({ stdout: 'out', stderr: 'err' }).text).toBe('out\nerr');
});

test('other JSON is lines of names and values, the records of a list one line each, volatile names left out', () => {
  expect(
    contentOf({
      total: 2,
      request_id: 'x',
      items: [
        { id: 1, name: 'a' },
        { id: 2, name: 'b' },
      ],
    }).text,
  ).toBe('id: 1, name: a\nid: 2, name: b\ntotal: 2');
});

test.each([
  [''],
  ['No results found.'],
  ['[]'],
  [[]],
  [{ items: [] }],
  ['{"items":[],"total":0}'],
  [{ stdout: '', stderr: '' }],
  [{ content: [{ type: 'text', text: '[]' }] }],
])('%j says nothing', (result) => expect(isEmptyResult(contentOf(result))).toBe(true));

test.each([
  ['0'],
  [{ accepted: false }],
  [{ items: [1] }],
  ['no problem at all, it is done and was sent to the printer upstairs an hour ago'],
])('%j says something', (result) => expect(isEmptyResult(contentOf(result))).toBe(false));

test.each([
  ['...'],
  ['[REDACTED]'],
  ['https://shop.example/cart'],
  ['Screenshot saved to /tmp/shots/a.png'],
  [
    '### Page\n- Page URL: https://shop.example/\n- Page Title: Shop\n### Snapshot\n- [Snapshot](.playwright-mcp/page-1.yml)',
  ],
])('%s says nothing of what is there', (text) => expect(saysNothing(text, false)).toBe(true));

test.each([
  ['Clicked element at index 4'],
  ['ok'],
  ['Scrolled down by 1100 pixels'],
  ["Input 'Bucharest' into element at index 10"],
])('%s is a receipt of an act, and an answer to a question', (text) => {
  expect(saysNothing(text, true)).toBe(true);
  expect(saysNothing(text, false)).toBe(false);
});

test.each([
  [''],
  ['No results found.'],
  ['Clicked the button; the page now lists three lamps, a globe and the total of the order'],
  ['See https://docs.example/api for the limits of each plan'],
  [
    '### Page\n- Page URL: https://shop.example/\n### Snapshot\n```yaml\n- button "Next" [ref=e5]\n```',
  ],
])('%s says something', (text) => expect(saysNothing(text, true)).toBe(false));

test('the id and the costs of a subagent are no part of its answer', () => {
  const usage = '<usage>total_tokens: 18220\ntool_uses: 4\nduration_ms: 40120</usage>';
  expect(withoutCosts(`Nothing found.\nagentId: a3f9c12 (for resuming)\n${usage}`)).toBe(
    'Nothing found.',
  );
  expect(withoutCosts(`Nothing found.\n${usage}`)).toBe('Nothing found.');
  expect(withoutCosts('The log says agentId: 7 and goes on')).toBe(
    'The log says agentId: 7 and goes on',
  );
});

test.each([
  ['No matches found for "make_header" in jar/policy.py\n(Open file: jar/policy.py)', true],
  ['Could not find [The Glass Miller]. Similar: [Luisa Miller]', true],
  ['The symbol quote_word is not found in the codebase.', true],
  ['No such table: singer', true],
  ['Nothing was found.', true],
  ['3 matches found', false],
  ['There is no time to lose', false],
  [`The list is long.\n${'It goes on. '.repeat(30)}Some were not found.`, false],
])('that a thing is not there is said shortly and at once: %s', (said, missing) => {
  expect(saysMissing(said)).toBe(missing);
});

test.each([
  ['Observation: No results', 'No results'],
  ['Observation 12: 3 rows', '3 rows'],
  ['Observations of the moon', 'Observations of the moon'],
])('the label of a transcript is no part of a result: %s', (labelled, result) => {
  expect(withoutLabel(labelled)).toBe(result);
  expect(withoutLabel({ output: labelled })).toEqual({ output: labelled });
});

test.each([
  ['a list of many records', (last: number) => many(30_000, (i) => ({ id: i, of: last }))],
  ['many lists', (last: number) => many(500, () => many(100, (i) => (i === 99 ? last : i)))],
  [
    'an object of many fields',
    (last: number) =>
      Object.fromEntries(many(6000, (i) => [`field${i}`, i === 5999 ? last : i] as const)),
  ],
])('the end of %s does not become lines, but makes a difference', (_, make) => {
  expect(contentOf(make(1)).text).toBe(contentOf(make(1)).text);
  expect(contentOf(make(1)).text).not.toBe(contentOf(make(2)).text);
  expect(contentOf(make(1)).text).toMatch(/\nrest: [a-p]+$/);
});

test('a value that becomes lines as a whole has no rest', () => {
  const text = contentOf(many(300, (i) => ({ id: i, name: 'x' }))).text;
  expect(text).toContain('id: 299, name: x');
  expect(text).not.toContain('rest:');
});
