import { describe, expect, test } from 'vitest';
import type { ResultFacts } from '../outcomes/outcome.ts';
import { readOutcome } from '../outcomes/read-outcome.ts';
import type { ErrorPrint } from '../prints.ts';
import { errorClass as printOf } from './error-class.ts';

interface Question extends Partial<ResultFacts> {
  text: string;
  failed?: boolean | undefined;
  content?: boolean;
  asked?: boolean;
  fields?: boolean;
}

const question = (text: string, changes: Omit<Question, 'text'> = {}): Question => ({
  text,
  ...changes,
});

/** The text as an object, if it consists of fields. */
const objectIn = (text: string): unknown =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const [name, value] = line.split(/: (.*)/s);
      return [name, value === 'false' ? false : value === 'true' ? true : value];
    }),
  );

/** The kind of error that a result is read as; null if it is none. */
const errorClass = ({
  text,
  tool = 'run',
  failed,
  refusedBy,
  content = false,
  asked = content,
  fields = false,
}: Question): ErrorPrint | null => {
  const outcome = readOutcome({
    result: fields ? objectIn(text) : text,
    error: failed,
    refusedBy,
    tool,
    verb: asked ? 'read' : 'unknown',
    shell: false,
    muted: false,
    file: content,
  });
  return outcome.failed === 'yes'
    ? printOf({ tool, text: outcome.content, refusedBy, seed: 1 })
    : null;
};

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

describe('an opening that only mentions errors is not a failure', () => {
  test.each([
    'Error-free build finished in 3 s.',
    'Failed: 0\nPassed: 12',
    'failed 0, passed 12',
    'Invalid rows: 0 of 120',
    'Rejected: none',
    'Timeout: 30s\nRetries: 3',
    'Timeout set to 30 seconds.',
  ])('%s', (text) => {
    expect(errorClass(question(text))).toBeNull();
  });

  test.each([
    'Error - no space left',
    'Failed: 2\nPassed: 12',
    'Error: 0 is no port',
    'Timeout of 30 s exceeded',
    'Timeout: no answer',
  ])('%s is one', (text) => {
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
    expect(
      errorClass(question('Traceback (most recent call last):\n in the log', { content: true })),
    ).toBeNull();
  });
});

test.each([
  [
    "ENOENT: no such file or directory, open '/a/b.txt'",
    "ENOENT: no such file or directory, open '/c/d/e.json'",
  ],
  ['Error: record 17 is locked by user 4', 'Error: record 99 is locked by user 12'],
  ['Error at src/a.ts:45: unexpected token', 'Error at src/b.ts:9: unexpected token'],
  [
    'No replacement was performed, old_str `const a = 1;\nconst b = 2;` did not appear verbatim in src/a.ts.',
    'No replacement was performed, old_str `return a;\n}` did not appear verbatim in src/a.ts.',
  ],
])('paths, numbers and quoted values do not make another class: %s', (a, b) => {
  expect(errorClass(question(a, { failed: true }))?.class).toBe(
    errorClass(question(b, { failed: true }))?.class,
  );
});

test('another kind, or another tool, is another class', () => {
  const a = errorClass(question('Error: permission denied', { failed: true }))!.class;
  expect(errorClass(question('Error: disk full', { failed: true }))!.class).not.toBe(a);
  expect(
    errorClass(question('Error: permission denied', { failed: true, tool: 'other' }))!.class,
  ).not.toBe(a);
});

test('a message that is all quoted is not masked to nothing', () => {
  const a = errorClass(question('"alpha broke"', { failed: true }))!.class;
  expect(errorClass(question('"beta broke"', { failed: true }))!.class).not.toBe(a);
});

test.each([
  '429 Too Many Requests',
  'rate limit exceeded',
  'Overloaded',
  'read ECONNRESET',
  'HTTP 503',
])('%s is transient', (text) => {
  expect(errorClass(question(text, { failed: true }))?.transient).toBe(true);
});

test('calls refused for their name or arguments are distinguished', () => {
  expect(errorClass(question('Error: No such tool available: foo'))?.refusal).toBe('tool');
  expect(errorClass(question('<tool_use_error>InputValidationError: x'))?.refusal).toBe(
    'arguments',
  );
  expect(errorClass(question('whatever', { failed: true, refusedBy: 'schema' }))?.refusal).toBe(
    'arguments',
  );
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
    expect(
      errorClass(question(`${'content\n'.repeat(60)}${text}`, { failed: false, content: true })),
    ).toBeNull();
  });

  test('where it says nothing, the whole result counts', () => {
    expect(errorClass(question(warned))).toBeNull();
    expect(errorClass(question('The file a.txt was not found'))).not.toBeNull();
    expect(
      errorClass(
        question(`The file a.txt was not found, so it was made:\n${'new content\n'.repeat(60)}`),
      ),
    ).toBeNull();
    expect(errorClass(question('File src/a.java not found', { content: true }))).not.toBeNull();
  });
});

test.each([
  ['ERROR:\nNo replacement was performed.', 'No replacement was performed.'],
  [
    'Exit code 1\nsrc/a.ts(1,2): error TS2304: Cannot find name x.',
    'src/a.ts(1,2): error TS2304: Cannot find name x.',
  ],
  ['The command failed.\nsome output\nKeyError: 7', 'KeyError: 7'],
  ['Usage: search_file <term>\nError: File name x not found.', 'Error: File name x not found.'],
  ['Traceback (most recent call last):\n  File "a.py"\nValueError: nine', 'ValueError: nine'],
  ['ERROR:', 'ERROR:'],
])('the most specific line of %j names the kind', (text, label) => {
  expect(errorClass(question(text, { failed: true }))?.label).toBe(label);
});

test('what is in brackets is masked however long it is', () => {
  const found = (names: string) =>
    errorClass(question(`Could not find [x]. Similar: [${names}]`, { failed: true }))!.class;
  expect(found("'a', 'b'")).toBe(found(`'${'long name '.repeat(40)}'`));
});

describe('each way to say it, and words that only look like it', () => {
  const says = (text: string, changes: Omit<Question, 'text'> = {}): boolean =>
    errorClass(question(text, changes)) !== null;
  const filler = 'so it goes '.repeat(30);

  test.each([
    ['usage: a [b]\n\nerror: x', 'usage: a'],
    ['src/a.ts(7,3): error TS1', 'src/a.ts(7): error TS1'],
    ['Some Nasty Error: x', 'One two three four error: x'],
    ['MyException (x)', 'My exceptional x'],
    ['Error!', 'Errors: none'],
    ['Error - no', 'Errors - no'],
    ['error while reading', 'error of mine'],
    ['error in line 4', 'errors in line 4'],
    ['error 500', 'error five'],
    ['fatal: x', 'fatally ill'],
    ['panic: x', 'panic room'],
    ['exit code 1', 'exit code 0'],
    ['exited with code: 3', 'exited with code 0'],
    ['http 404', 'http 200 ok'],
    ['HTTP/1.1 503', 'HTTP/1.1 200'],
    ['HTTP status 500', 'HTTP status 204'],
    ['status: 404', 'status 200'],
    ['code 503', 'code 302'],
    ['404 not here', '404 pages'],
    ['400 bad', '302 not modified'],
    ['Failed', 'failedover'],
    ['Fail', 'failing'],
    ['Invalid x', 'invalidate'],
    ['Cannot x', 'Cannonball'],
    ["Can't x", 'Can x'],
    ['Could not x', 'Could nothing'],
    ["Couldn't x", 'Could x'],
    ['Unable to x', 'unable tomorrow'],
    ['Not found', 'not foundation'],
    ['Not allowed', 'Not allowedly'],
    ['No such x', 'No suchlike'],
    ['Unknown command', 'unknown man'],
    ['Forbidden', 'Forbiddenly'],
    ['Unauthorised', 'Unauthoritative'],
    ['Timeout', 'timeouts are fine'],
    ['  *** Error: x', 'So it says error: x'],
    ['Uncaught x', 'I think that it failed'],
    ['Execution timed out after 30 s', 'Execution took 30 s'],
    ['failures = 2', 'failures are few'],
    ['The file a.txt was not found', 'Warning: the file was not found'],
    ['It does not exist', '  warn: it does not exist'],
    ['This is invalid here', 'a\nthis is invalid here'],
    ['The offer was declined', 'The offer was fine'],
    ['They have rejected your offer', 'they rejected it'],
    ['2 tests failed', '0 tests failed'],
    ['12 failing', '0 failing'],
    ['sibling tool call errored', 'sibling tool call'],
    [`${'x'.repeat(79)} not found`, `${'x'.repeat(81)} not found`],
    [`It was not found. ${'y'.repeat(382)}`, `It was not found. ${'y'.repeat(383)}`],
    ['it is overloaded', 'it is loaded'],
    ['it was throttled', `it was throttled ${filler}`],
    ['connection reset by peer', 'connection made'],
    ['now code=504', 'now code=500'],
    ['oh, status code: 503', 'oh, status code: 200'],
    ['oh, 503, slow down', 'page 429 of 500'],
  ])('%j, but not %j', (error, fine) => {
    expect(says(error)).toBe(true);
    expect(says(fine)).toBe(false);
  });

  test.each([
    ['No replacement was performed, as', 'A replacement was performed'],
    ['ok. The changes were not applied', 'ok. The changes were applied'],
    ['the edit has not been applied', 'the edit has been applied'],
    ['Failed to find expected lines', 'Failed to find lines'],
    ['error: patch does not apply', 'the patch does not apply'],
    ['String to replace not found', 'the String to replace not found'],
    ['bash: line 3: syntax error', 'bash: syntax error'],
    ['bash: -c: line 1: unexpected EOF', 'bash: -c: line 1: expected EOF'],
    [
      `${'y'.repeat(500)} no replacement was performed`,
      `${'y'.repeat(500)} no replacement was performed${'z'.repeat(400)}`,
    ],
  ])('%j outweighs the host, but not %j', (refusal, fine) => {
    expect(says(refusal, { failed: false })).toBe(true);
    expect(says(fine, { failed: false })).toBe(false);
  });

  test.each([
    ['success: false', 'success: falsey'],
    ['a: 1\nok: false\nb: 2', 'not ok: false'],
    ['a: 1\naccepted: false', 'a: 1\naccepted: true'],
    ['a: 1\nerror: x', 'a: 1\nerror: '],
    ['a: 1\nerror_message: x', 'a: 1\nerror_code: x'],
    ['a: 1\nerrormessages: x', 'a: 1\nmy error: x'],
    ['a: 1\nerrors: x', 'a: 1\nerrored: x'],
    ['allowed: false', 'disallowed: false'],
    ['a: 2\nstatus: failed', 'a: 2\nstatus: failed now'],
    ['a: 2\nstatus: denied', 'a: 2\nmy status: denied'],
  ])('as fields %j, but not %j', (error, fine) => {
    expect(says(error, { fields: true })).toBe(true);
    expect(says(fine, { fields: true })).toBe(false);
  });

  test.each([
    ['Error: x', 'Errors: x'],
    ['ENOENT: x', 'x ENOENT'],
    ['EACCES', 'ACCES'],
    ['File not found', 'Filed and found'],
    ['Cannot read x', 'Cannot do x'],
    ['could not open it', 'could not do it'],
    ['a.txt: no such file or directory', `${'x'.repeat(121)} no such file or directory`],
    [`Error: x\n${filler}`, `Failed\n${filler}`],
    [`<tool_use_error>${filler}`, `The file a was\n not found\n${filler}`],
    ['It was not found', 'HTTP 429'],
  ])('of a file that is read %j, but not %j', (error, fine) => {
    expect(says(error, { content: true })).toBe(true);
    expect(says(fine, { content: true })).toBe(false);
  });
});

describe('a condition that passes', () => {
  const transient = (text: string): boolean | undefined =>
    errorClass(question(text, { failed: true }))?.transient;

  test.each([
    'error (502)',
    'http/2 504',
    'status: 503',
    '502 bad gateway',
    '429: too many',
    'rate_limit',
    'service unavailable',
    'throttling',
    'connect ETIMEDOUT 10.0.0.1:443',
    'Error: socket hang up',
    'TypeError: fetch failed',
    'getaddrinfo EAI_AGAIN api.example.com',
    'Request timed out.',
    'httpx.ReadTimeout',
    'http.client.RemoteDisconnected: Remote end closed connection without response',
    'SQLITE_BUSY: database is locked',
    'ERROR: deadlock detected',
    'could not serialize access due to concurrent update',
    'The service is busy. Please try again later.',
    'httpx.ConnectError: All connection attempts failed',
    'httpx.RemoteProtocolError: Server disconnected without sending a response.',
    'openai.APIConnectionError: Connection error.',
    'Traceback (most recent call last):\n  File "a.py", line 7\nasyncio.exceptions.TimeoutError',
    'TimeoutError',
    'curl: (28) Operation timed out after 5000 ms',
    'urllib.error.URLError: <urlopen error timed out>',
    'socket.timeout: timed out',
    'UND_ERR_CONNECT_TIMEOUT',
    'HeadersTimeoutError: Headers Timeout Error',
    'SocketError: other side closed',
    'write EPIPE',
    'connect ENETUNREACH 10.0.0.1:443',
    'TypeError: terminated',
    'TimeoutError: The operation was aborted due to timeout',
    'net::ERR_NETWORK_CHANGED',
    'HTTP 408 Request Timeout',
    '(2006, "MySQL server has gone away")',
    'Lost connection to MySQL server during query',
    'psycopg2.OperationalError: server closed the connection unexpectedly',
    'FATAL: terminating connection due to administrator command',
    'MongoServerSelectionError: Server selection timed out after 30000 ms',
    'MongoNetworkError: connection 3 to 10.0.0.1:27017 closed',
    'LOADING Redis is loading the dataset in memory',
    'CLUSTERDOWN The cluster is down',
    'ERROR: canceling statement due to lock timeout',
    'FATAL: remaining connection slots are reserved for superusers',
    'Timed out fetching a new connection from the connection pool.',
    'timeout exceeded when trying to connect',
  ])('%j passes', (text) => expect(transient(text)).toBe(true));

  test.each([
    'error (500)',
    'http 404',
    'line 503',
    '503 berths',
    'reset the connection',
    'disk full',
    'test timed out after 5000 ms',
    'failed to fetch origin: no such remote',
    'getaddrinfo ENOTFOUND api.example.com',
    'the database is read-only',
    'a deadlock is not possible here',
    'TimeoutError: locator.click: Timeout 30000ms exceeded.',
    'AssertionError: expected [Function] to throw TimeoutError',
    'ERROR: canceling statement due to statement timeout',
    'Command timed out after 120 seconds',
    'KeyError: timeout',
    'net::ERR_CERT_AUTHORITY_INVALID',
    'the connection string is invalid',
    'the process was terminated by signal SIGSEGV',
    'the connection is closed',
  ])('%j does not', (text) => expect(transient(text)).toBe(false));

  test('it is recognised at either end of a long text', () => {
    const filler = 'y '.repeat(250);
    expect(transient(`HTTP 429 ${filler}`)).toBe(true);
    expect(transient(`${filler} HTTP 429`)).toBe(true);
    expect(transient(`${filler} HTTP 429 ${filler}`)).toBe(false);
  });
});

test.each([
  ['unknown tool x', 'tool'],
  ["tool 'a.b' is not available", 'tool'],
  ['tool `a` does not exist', 'tool'],
  ['tool a not found', 'tool'],
  ['unknown function f', 'tool'],
  ['no tool named f', 'tool'],
  ['the tool was fine and a file was not found', null],
  ['invalid arguments', 'arguments'],
  ['invalid params', 'arguments'],
  ['invalid tool input', 'arguments'],
  ['missing 2 required', 'arguments'],
  ['missing required', 'arguments'],
  ['unexpected keyword argument', 'arguments'],
  ['unexpected argument', 'arguments'],
  ['does not match the schema', 'arguments'],
  ['required property', 'arguments'],
  ['unrecognized key', 'arguments'],
  ['invalid token', null],
  ['missing file', null],
  [`${'y'.repeat(400)} unknown tool x`, null],
])('%j is refused for its %s', (text, refusal) => {
  expect(errorClass(question(text, { failed: true }))?.refusal).toBe(refusal);
});

describe('what makes another kind of error', () => {
  const classOf = (text: string): string | undefined =>
    errorClass(question(text, { failed: true }))?.class;

  test.each([
    ['\x1b[31mError\x1b[0m: the disk is full', 'Error: the disk is full'],
    ['Error: the disk   is full', 'Error: the disk is full '],
    ['Error: THE DISK is full', 'Error: the disk is full'],
    ['cannot open "a"', "cannot open 'b c'"],
    ['cannot open `a`', 'cannot open “b”'],
    ['cannot open [a, b', 'cannot open [c]'],
    ['cannot open https://a.example/x?y=1', 'cannot open /b/c'],
    ['cannot open a\\b', 'cannot open ~/x'],
    ['cannot open a.ts', 'cannot open long-name.json'],
    ['cannot open v1-2', 'cannot open 77'],
    ['cannot pay $5', 'cannot pay €1200'],
  ])('not %j and %j', (one, other) => {
    expect(classOf(one)).toBe(classOf(other));
  });

  test.each([
    ['cannot open the door', 'cannot open the gate'],
    ['cannot open a.longer', 'cannot open b.longest'],
    ['abc 1', 'abc 2'],
    ['12', '13'],
  ])('but %j and %j', (one, other) => {
    expect(classOf(one)).not.toBe(classOf(other));
  });

  test('a kind of its own needs enough letters to be distinguished from others', () => {
    const kind = (text: string): string | undefined =>
      errorClass(question(text, { failed: true }))?.kind;
    expect(kind('abcdefgh abcdefgh abcdefgh')).not.toBe('');
    expect(kind('abcdefgh abcdefgh abcdefg')).toBe('');
    expect(kind('12345 12345 12345 12345 12345')).toBe('');
  });
});

test.each([
  ['first\nsecond', 'first'],
  ['\n\n  first  \n', 'first'],
  ['nothing here\nit could not be done\nEPERMS', 'EPERMS'],
  ['stderr:\nall good', 'all good'],
  ['stdout\n\nall good', 'all good'],
  ['Exit code: 12\nall good', 'all good'],
  ['Failures!\nall good', 'all good'],
  ['was denied\nTS2304 here', 'TS2304 here'],
  ['was denied\nerror in the parser of x: no', 'error in the parser of x: no'],
  ['was denied\nerror:', 'was denied'],
  ['was denied\nhas failed', 'was denied'],
  ['a line\nexpected one', 'expected one'],
  [`${'y'.repeat(130)}`, 'y'.repeat(120)],
  [`a line\n${'z\n'.repeat(1000)}KeyError: late`, 'a line'],
  [`Traceback:\n${'  at x\n'.repeat(300)}KeyError: last\n\n`, 'KeyError: last'],
])('the telling line, %#', (text, label) => {
  expect(errorClass(question(text, { failed: true }))?.label).toBe(label);
});
