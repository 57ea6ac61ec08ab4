import { importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, it } from 'vitest';
import { atif } from './atif.ts';

let number = 0;
const step = (source: string, more: object) => ({
  step_id: ++number,
  source,
  message: '',
  ...more,
});
const calls = (...ids: string[]) => ({
  tool_calls: ids.map((id) => ({
    tool_call_id: id,
    function_name: 'exec',
    arguments: { command: id },
  })),
});
const results = (...given: object[]) => ({ observation: { results: given } });
const read = (...steps: object[]) =>
  outline(importRecords(atif, [{ schema_version: 'ATIF-v1.6', session_id: 's', steps }]));

const ANSWERED = [
  '0 calls exec {"command":"a"}',
  '1 calls exec {"command":"b"}',
  '0 exec returns "of a"',
  '1 exec returns "of b" error true',
  '2 says "Done."',
  '3 session-ended',
];

describe('a trajectory whose results are steps of their own', () => {
  it.each([
    ['agent', 'agent'],
    ['system', 'system'],
    ['user', 'user'],
  ])('has them with the calls that they name, by %s', (_, source) => {
    expect(
      read(
        step('agent', calls('a', 'b')),
        step(source, { ...results({ source_call_id: 'a', content: 'of a' }), message: 'of a' }),
        step(source, results({ source_call_id: 'b', content: 'of b', is_error: true })),
        step('agent', { message: 'Done.' }),
      ),
    ).toEqual(ANSWERED);
  });

  it('has them in order with the calls before, if they name none', () => {
    expect(
      read(
        step('agent', calls('a', 'b')),
        step('agent', results({ content: 'of a' })),
        step('agent', results({ content: 'of b', extra: { is_error: true } })),
        step('agent', { message: 'Done.' }),
      ),
    ).toEqual(ANSWERED);
  });
});

it('in a trajectory without calls, an agent acts by what it says', () => {
  expect(
    read(
      step('agent', { message: 'ls', ...results({ content: 'a.ts' }) }),
      step('agent', { message: 'pwd', ...results({ content: '/' }) }),
    ),
  ).toEqual([
    '0 calls act "ls"',
    '0 act returns "a.ts"',
    '1 calls act "pwd"',
    '1 act returns "/"',
    '2 session-ended',
  ]);
});
