import { expect, test } from 'vitest';
import { contentOf, isEmptyResult } from './result-text.ts';

const text = 'one line\nanother line';

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
