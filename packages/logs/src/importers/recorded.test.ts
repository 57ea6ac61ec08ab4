import { importFixture, importRecords, outline } from '@unrut/test/importers/import-file';
import { describe, expect, test } from 'vitest';
import { aider } from './aider.ts';
import { acpMessages } from './messages/acp.ts';
import { braintrust, mlflow, weave } from './traces/spans.ts';

const lines = (text: string): { line: string }[] => text.split('\n').map((line) => ({ line }));
const callsIn = (told: readonly string[]): string[] =>
  told.filter((line) => line.includes(' calls '));

describe('what recordings taught', () => {
  test('Aider: of blocks of one answer only the quoted one failed, and quotes and headings of the model are its own words', () => {
    const told = outline(importFixture(aider, 'aider.md'));
    expect(told.filter((line) => line.includes('edit returns'))).toEqual([
      '3 edit returns "The other 1 SEARCH/REPLACE block were applied successfully"',
      '2 edit returns "SEARCH/REPLACE block failed to match!" error true',
      '4 edit returns "Applied edit to a.ts"',
      '2 edit returns "Applied edit to b.ts"',
    ]);
    expect(told).toContain('2 thinks "Which one fails?"');
    expect(told.find((line) => line.includes('The cause'))).toMatch(/^2 thinks/);
  });

  test('Aider: a history whose trailing spaces an editor cut is read all the same', () => {
    const text =
      '# aider chat started at 2026-11-01 10:00:00\n\n> Aider v0.86.2\n\n#### Add b.\n\nHere it is.\n\n> Applied edit to b.ts';
    expect(outline(importRecords(aider, lines(text)))).toEqual([
      '0 person "Add b."',
      '1 says "Here it is."',
      '2 calls edit {"path":"b.ts","answer":"Here it is."}',
      '2 edit returns "Applied edit to b.ts"',
      '3 session-ended',
    ]);
  });

  test('ACP: a call has the arguments that came after it was shown, and its exit code', () => {
    const told = outline(importFixture(acpMessages, 'acp.jsonl'));
    expect(callsIn(told).map((line) => /"(?:command|filePath)":"([^"]+)"/.exec(line)?.[1])).toEqual(
      ['cat check.sh', 'sh check.sh', '/home/dev/project/nowhere.ts'],
    );
    expect(told.find((line) => line.startsWith('3 execute returns'))).toMatch(/exit 1$/);
  });

  test('twin: an ACP call that was shown and never began does not count', () => {
    const update = {
      sessionUpdate: 'tool_call',
      toolCallId: 'c',
      title: 'bash',
      kind: 'execute',
      status: 'pending',
      rawInput: {},
    };
    const shown = { jsonrpc: '2.0', method: 'session/update', params: { sessionId: 's', update } };
    expect(outline(importRecords(acpMessages, [shown]))).toEqual([]);
  });

  test('Weave: what a model asked for is a tool, though nothing says so', () => {
    expect(outline(importFixture(weave, 'weave.jsonl'))).toContain(
      '3 run returns "Error: exit 1" error true',
    );
  });

  test('MLflow: a number that was added to a name does not belong to the tool', () => {
    expect(
      callsIn(outline(importFixture(mlflow, 'mlflow.json'))).map((line) => line.split(' ')[2]),
    ).toEqual(['read_file', 'run']);
  });

  test('Braintrust: what the AI SDK gives to every tool is not an argument of the call', () => {
    const span = {
      id: 'r',
      span_id: 't',
      root_span_id: 'x',
      created: '2026-11-01T10:00:00Z',
      output: '22',
      span_attributes: { name: 'get_weather', type: 'tool' },
      input: [{ city: 'Paris' }, { toolCallId: 'c1', messages: [] }],
    };
    expect(callsIn(outline(importRecords(braintrust, [span])))).toEqual([
      '0 calls get_weather {"city":"Paris"}',
    ]);
  });
});
