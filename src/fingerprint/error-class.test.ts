import { describe, expect, test } from 'vitest';
import { type ErrorQuestion, errorClass } from './error-class.ts';

const question = (text: string, changes: Partial<ErrorQuestion> = {}): ErrorQuestion => ({
  tool: 'run',
  text,
  failed: undefined,
  refusedBy: undefined,
  content: false,
  asked: false,
  fields: false,
  seed: 1,
  ...changes,
});

describe('an opening that says so is an error', () => {
  test.each([
    'Traceback (most recent call last):\n  File "a.py", line 1\nKeyError: x',
    'Error: no such table: users',
    'TypeError: Cannot read properties of undefined',
    'Exit code 2\nmake: *** no rule',
    'HTTP 429 Too Many Requests',
    'HTTP/1.1 503 Service Unavailable',
    '404 Not Found',
    'bash: foo: command not found',
    'The seller declined your offer of 87.00 for the chair.',
    'Your offer was rejected: it is below the reserve price.',
    'FAIL src/a.test.ts',
    '3 tests failed: login, logout',
    '<tool_use_error>No such tool available: X</tool_use_error>',
  ])('%s', (text) => {
    expect(errorClass(question(text))).not.toBeNull();
  });
});

test('fields that refuse are an error', () => {
  expect(errorClass(question('accepted: false\nreason: too low', { fields: true }))).not.toBeNull();
  expect(errorClass(question('accepted: true\nreason: fair', { fields: true }))).toBeNull();
  expect(errorClass(question('approved: false', { fields: true }))).not.toBeNull();
  expect(errorClass(question('approved: false', { fields: true, asked: true }))).toBeNull();
});

describe('no error', () => {
  test.each([
    'No results found.',
    'No errors found. Updated auth.ts at 10:00',
    '0 tests failed',
    'All 12 tests passed',
    'Error handling in Rust: a guide\nhttps://example.org/errors',
    'The page explains what to do when a request is refused by the server for lack of rights, and more',
  ])('%s', (text) => {
    expect(errorClass(question(text))).toBeNull();
  });

  test("an error inside a file's contents", () => {
    expect(errorClass(question('Traceback (most recent call last):\n in the log', { content: true }))).toBeNull();
  });
});

test.each([
  ["ENOENT: no such file or directory, open '/a/b.txt'", "ENOENT: no such file or directory, open '/c/d/e.json'"],
  ['Error: record 17 is locked by user 4', 'Error: record 99 is locked by user 12'],
  ['Error at src/a.ts:45: unexpected token', 'Error at src/b.ts:9: unexpected token'],
])('paths, numbers and quoted values do not make another class: %s', (a, b) => {
  expect(errorClass(question(a, { failed: true }))?.class).toBe(errorClass(question(b, { failed: true }))?.class);
});

test('another kind, or another tool, is another class', () => {
  const a = errorClass(question('Error: permission denied', { failed: true }))!.class;
  expect(errorClass(question('Error: disk full', { failed: true }))!.class).not.toBe(a);
  expect(errorClass(question('Error: permission denied', { failed: true, tool: 'other' }))!.class).not.toBe(a);
});

test('a message that is all quoted is not masked to nothing', () => {
  const a = errorClass(question('"alpha broke"', { failed: true }))!.class;
  expect(errorClass(question('"beta broke"', { failed: true }))!.class).not.toBe(a);
});

test.each(['429 Too Many Requests', 'rate limit exceeded', 'Overloaded', 'read ECONNRESET', 'HTTP 503'])('%s is transient', (text) => {
  expect(errorClass(question(text, { failed: true }))?.transient).toBe(true);
});

test('calls refused for their name or arguments are told apart', () => {
  expect(errorClass(question('Error: No such tool available: foo'))?.refusal).toBe('tool');
  expect(errorClass(question('<tool_use_error>InputValidationError: x'))?.refusal).toBe('arguments');
  expect(errorClass(question('whatever', { failed: true, refusedBy: 'schema' }))?.refusal).toBe('arguments');
  expect(errorClass(question('Error: disk full'))?.refusal).toBeNull();
});

describe('the word of the host', () => {
  const warned = 'Warning: provider fallback: MCP error -401: Api key not found.';
  test.each([
    ['a warning', warned],
    ['a log that begins with an error', 'Error: ECONNRESET\nat connect'],
    ['an answer about failures', 'FAIL means that a test did not pass'],
  ])('that it went well outweighs %s', (_, text) => {
    expect(errorClass(question(text, { failed: false }))).toBeNull();
  });

  test.each([
    'No replacement was performed, old_str `x` did not appear verbatim in /repo/a.py.',
    `${'x\n'.repeat(400)}Your changes have NOT been applied. Please fix your edit command and try again.`,
    '/bin/bash: line 12: syntax error: unexpected end of file',
    '/bin/bash: -c: line 1: unexpected EOF while looking for matching `"\'',
  ])('that it went well does not outweigh a refusal: %s', (text) => {
    expect(errorClass(question(text, { failed: false }))).not.toBeNull();
    expect(errorClass(question(`${'content\n'.repeat(60)}${text}`, { failed: false, content: true }))).toBeNull();
  });

  test('where it says nothing, the whole result counts', () => {
    expect(errorClass(question(warned))).toBeNull();
    expect(errorClass(question('The file a.txt was not found'))).not.toBeNull();
    expect(errorClass(question(`The file a.txt was not found, so it was made:\n${'new content\n'.repeat(60)}`))).toBeNull();
    expect(errorClass(question('File src/a.java not found', { content: true }))).not.toBeNull();
  });
});

test.each([
  ['ERROR:\nNo replacement was performed.', 'No replacement was performed.'],
  ['Exit code 1\nsrc/a.ts(1,2): error TS2304: Cannot find name x.', 'src/a.ts(1,2): error TS2304: Cannot find name x.'],
  ['The command failed.\nsome output\nKeyError: 7', 'KeyError: 7'],
  ['Usage: search_file <term>\nError: File name x not found.', 'Error: File name x not found.'],
  ['Traceback (most recent call last):\n  File "a.py"\nValueError: nine', 'ValueError: nine'],
  ['ERROR:', 'ERROR:'],
])('the most specific line of %j names the kind', (text, label) => {
  expect(errorClass(question(text, { failed: true }))?.label).toBe(label);
});

test('what is in brackets is masked however long it is', () => {
  const found = (names: string) => errorClass(question(`Could not find [x]. Similar: [${names}]`, { failed: true }))!.class;
  expect(found("'a', 'b'")).toBe(found(`'${'long name '.repeat(40)}'`));
});
