import { createGuard } from '@unrut/engine/guard';
import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { claudeCodeResult } from './result.ts';
import { claudeCodeTranscript } from './transcript.ts';
import { claudeCodeTyped } from './typed.ts';

const FIXTURES = [
  'claude-code.jsonl',
  'claude-code-refusals.jsonl',
  'claude-code-subagent.jsonl',

  'claude-code-older.jsonl',
];

interface Line {
  type: string;
  message?: { id?: string; model?: string; content?: unknown; usage?: Record<string, number> };
}
interface Block {
  type: string;
  id?: string;
  text?: string;
  tool_use_id?: string;
}
const blocksOf = (fixture: string, type: string): Block[] =>
  (recordsOf(fixture) as Line[]).flatMap((line) =>
    line.type === type &&
    Array.isArray(line.message?.content) &&
    line.message.model !== '<synthetic>'
      ? (line.message.content as Block[])
      : [],
  );

const line = (type: string, message: object, more: object = {}) => ({
  type,
  message,
  uuid: 'u',
  parentUuid: null,
  isSidechain: false,
  sessionId: 's',
  timestamp: '2026-11-15T22:45:00Z',
  ...more,
});
const user = (content: unknown, more: object = {}) => line('user', { role: 'user', content }, more);
const typesOf = (records: unknown[]) =>
  importRecords(claudeCodeTranscript, records).events.map(({ event }) => event.type);

describe('transcripts of Claude Code', () => {
  behavesWell(
    claudeCodeTranscript,
    [...FIXTURES, 'claude-code-web.json'],
    [
      line('user', { content: null }),
      line('user', { content: [null, 3, { type: 'tool_result' }, { type: 'text' }] }),
      line('assistant', {}),
      line('assistant', {
        id: 3,
        content: [{ type: 'tool_use' }, { type: 'text', text: 3 }, { type: 'thinking' }],
        usage: { input_tokens: 'x' },
      }),
      { type: 'system', subtype: 'compact_boundary' },
      { type: 'attachment', attachment: { type: 'queued_command' }, isSidechain: true },
      user('x', { isSidechain: true, uuid: 3, parentUuid: {} }),
    ],
  );
  survivesSpoiling(claudeCodeTranscript, [
    'claude-code.jsonl',
    'claude-code-subagent.jsonl',
    'claude-code-older.jsonl',
  ]);

  it.each(FIXTURES)('lose no call, no result and no word of %s', (fixture) => {
    const { events } = importFixture(claudeCodeTranscript, fixture);
    const said = blocksOf(fixture, 'assistant');
    const ids = (type: 'call-proposed' | 'call-finished') =>
      events.flatMap(({ event }) => (event.type === type ? [event.call.id] : [])).sort();
    expect(ids('call-proposed')).toEqual(
      said.flatMap(({ type, id }) => (type.endsWith('tool_use') ? [id] : [])).sort(),
    );
    const results = [...said, ...blocksOf(fixture, 'user')].filter(({ type }) =>
      type.endsWith('tool_result'),
    );
    expect(ids('call-finished')).toEqual(results.map((block) => block.tool_use_id).sort());
    const texts = events.flatMap(({ event }) =>
      event.type === 'text-added' && event.channel === 'answer' ? [event.text] : [],
    );
    expect(texts).toEqual(said.flatMap(({ type, text }) => (type === 'text' ? [text] : [])));
  });

  it.each(FIXTURES)('count the tokens of each response of %s once', (fixture) => {
    const usage = new Map<unknown, number>();
    for (const { type, message } of recordsOf(fixture) as Line[]) {
      const {
        input_tokens: input = 0,
        cache_creation_input_tokens: written = 0,
        output_tokens: output = 0,
      } = message?.usage ?? {};
      if (type === 'assistant' && message?.usage) usage.set(message.id, input + written + output);
    }
    const { events } = importFixture(claudeCodeTranscript, fixture);
    const total = [...usage.values()].reduce((sum, tokens) => sum + tokens, 0);
    expect(events.reduce((sum, { event }) => sum + (event.cost?.tokens ?? 0), 0)).toBe(total);
  });

  it('tell what was called, its outcome, and why not', () => {
    expect(
      outline(importFixture(claudeCodeTranscript, 'claude-code-refusals.jsonl')).slice(0, 17),
    ).toEqual([
      '0 person "try it"',
      '1 thinks "I look first."',
      '1 says "Looking."',
      '2 calls Bash {"command":"ls /nonexistent-dir","description":"probe"}',
      '3 calls Bash {"command":"echo one","description":"probe"}',
      '4 calls Read {"file_path":"/home/dev/project/a.txt"}',
      '4 Read returns "1\\thello\\n2\\t"',
      '3 Bash returns "one"',
      `2 Bash returns "Exit code 2\\nls: cannot access '/nonexistent-dir': No such file or directory" error true exit 2`,
      '5 calls Bash {"cmd":"echo"}',
      expect.stringMatching(
        /^5 Bash returns "<tool_use_error>InputValidationError: .* error true refused by schema$/,
      ),
      '6 calls Frobnicate {"x":1}',
      '6 Frobnicate returns "<tool_use_error>Error: No such tool available: Frobnicate</tool_use_error>" error true refused by unknown-tool',
      '7 calls Bash {"command":"echo DENYME","description":"probe"}',
      '7 Bash returns "PreToolUse:Bash hook error: not this one" error true refused by host',
      '8 calls Write {"file_path":"/home/dev/project/b.txt","content":"b"}',
      `8 Write returns "Claude requested permissions to write to /home/dev/project/b.txt, but you haven't granted it yet." error true refused by host`,
    ]);
  });

  it('put the calls of one response into one batch, also when results come between', () => {
    const { events } = importFixture(claudeCodeTranscript, 'claude-code-refusals.jsonl');
    const batches = events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event.batch] : [],
    );
    expect(batches.slice(0, 6)).toEqual(['msg_1', 'msg_1', 'msg_1', 'msg_5', 'msg_5', 'msg_8']);
  });

  it('tell a compaction once, and persons from what the program writes in their name', () => {
    const spoken = outline(
      importFixture(claudeCodeTranscript, 'claude-code-refusals.jsonl'),
    ).filter((each) => / person | context-/.test(each));
    expect(spoken).toEqual([
      '0 person "try it"',
      '13 context-compacted',
      '13 person "/compact"',
      '14 person "go on then"',
    ]);
  });

  it('of older versions tell subagents apart by their parents', () => {
    const { events } = importFixture(claudeCodeTranscript, 'claude-code-older.jsonl');
    const nested = outline({
      events: events.filter(({ event }) => event.agent !== undefined),
      unknown: [],
    });
    expect(nested).toEqual([
      '0 s1 calls Read {"file_path":"/home/dev/project/test/date.test.ts"}',
      '0 t1 calls Read {"file_path":"/home/dev/project/src/date.ts"}',
      '0 t1 Read returns "1\\texport const day = 1;"',
      '0 s1 Read returns "1\\ttest(\\"day\\")"',
      '1 s1 says "One test."',
      '1 t1 says "One constant."',
    ]);
  });

  it('of older versions tell the rest', () => {
    const { events } = importFixture(claudeCodeTranscript, 'claude-code-older.jsonl');
    expect(
      outline({ events: events.filter(({ event }) => event.agent === undefined), unknown: [] }),
    ).toEqual([
      '0 person "/model sonnet"',
      '1 person "! git status"',
      '2 person "fix the date test"',
      '3 says "Two agents look at once."',
      expect.stringMatching(/^4 calls Task /),
      expect.stringMatching(/^5 calls Task /),
      '4 Task returns [{"type":"text","text":"One test."}]',
      '5 Task returns [{"type":"text","text":"One constant."}]',
      expect.stringMatching(/^6 calls Edit /),
      expect.stringMatching(
        /^6 Edit returns "The user doesn't want .* error true refused by user$/,
      ),
      '7 person ""',
      '8 person "and run it"',
      '9 calls web_search {"query":"vitest date"}',
      '9 web_search returns [{"type":"web_search_result","title":"Dates","url":"https://example.com/dates"}]',
      '10 calls Bash {"command":"npm test"}',
      '10 Bash returns "Exit code 1\\n1 failed" error true exit 1',
      '11 context-compacted',
      '11 says "Going on."',
      '12 context-compacted',
      '12 says "Done."',
    ]);
    expect(events.flatMap(({ event }) => event.cost?.usd ?? [])).toEqual([0.0125]);
    expect(
      events.flatMap(({ event }) =>
        event.type === 'call-finished' ? (event.durationMs ?? []) : [],
      ),
    ).toEqual([5100, 4200]);
  });

  it('name a subagent by its own id, to whom no person speaks', () => {
    const { events } = importFixture(claudeCodeTranscript, 'claude-code-subagent.jsonl');
    expect(new Set(events.map(({ event }) => event.agent))).toEqual(new Set(['a1a4860a36c044f07']));
    expect(events.map(({ event }) => event.type)).toEqual([
      'text-added',
      'call-proposed',
      'call-finished',
      'text-added',
    ]);
  });

  it('show pictures by short names', () => {
    const [picture] = importFixture(
      claudeCodeTranscript,
      'claude-code-refusals.jsonl',
    ).events.filter(
      ({ event }) =>
        event.type === 'call-finished' && JSON.stringify(event.result).includes('(picture '),
    );
    expect(JSON.stringify(picture)).not.toContain('iVBOR');
  });

  it.each([
    ['a person', {}, ['user-spoke']],
    ['a person, by its own word', { origin: { kind: 'human' } }, ['user-spoke']],
    ['a background task', { origin: { kind: 'task-notification' } }, []],
    ['the program', { promptSource: 'system' }, []],
    ['a skill', { isMeta: true }, []],
    ['the agent that started this one', { isSidechain: true, agentId: 'a' }, []],
    [
      'a person to a subagent',
      { isSidechain: true, agentId: 'a', origin: { kind: 'human' } },
      ['user-spoke'],
    ],
    ['a summary', { isCompactSummary: true }, ['context-compacted']],
  ])('know when %s writes', (_, more, types) => {
    expect(typesOf([user('go on', more)])).toEqual(types);
  });

  it.each([
    [{ decision: 'reject', source: 'hook' }, ' refused by host'],
    [{ decision: 'reject', source: 'user_reject' }, ' refused by user'],
    [{ decision: 'accept', source: 'config' }, ''],
  ])('know from %j who refused', (permissionDecision, refused) => {
    const records = [
      line('assistant', {
        id: 'm',
        content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }],
      }),
      user([{ type: 'tool_result', tool_use_id: 't', content: 'blocked', is_error: true }], {
        permissionDecision,
      }),
    ];
    expect(outline(importRecords(claudeCodeTranscript, records)).at(-1)).toBe(
      `0 Bash returns "blocked" error true${refused}`,
    );
  });
});

it.each([
  ["The user doesn't want to take this action right now. STOP", { refusedBy: 'user' }],
  ['[Request interrupted by user for tool use]', { refusedBy: 'user' }],
  ['InputValidationError: [', { refusedBy: 'schema' }],
  ['<tool_use_error>InputValidationError: x</tool_use_error>', { refusedBy: 'schema' }],
  ['Error: No such tool available: X', { refusedBy: 'unknown-tool' }],
  ['Permission to use Bash with command ls has been denied.', { refusedBy: 'host' }],
  ['Bash operation blocked by hook:\n- no', { refusedBy: 'host' }],
  ['<tool_use_error>Sibling tool call errored</tool_use_error>', { refusedBy: 'host' }],
  ['Exit code 137\nkilled', { exitCode: 137 }],
  ['Error: Exit code 1', { exitCode: 1 }],
  ['<tool_use_error>File has not been read yet.</tool_use_error>', {}],
])('the failure %j is read by its words', (result, expected) => {
  expect(claudeCodeResult(result, true)).toEqual({ result, error: true, ...expected });
  expect(claudeCodeResult(result)).toEqual({ result, error: true, ...expected });
  expect(claudeCodeResult(result, false)).toEqual({ result, error: false });
});

it.each([
  ['<system-reminder>x</system-reminder>', undefined],
  ['<local-command-stdout>x</local-command-stdout>', undefined],
  [
    '<command-message>The "pdf" skill is loading</command-message>\n<command-name>pdf</command-name>',
    undefined,
  ],
  [
    '<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>\n<command-args>issue 12</command-args>',
    '/fix issue 12',
  ],
  ['  \n<task-notification>\n<task-id>a</task-id>', undefined],
  ['[Request interrupted by user]', undefined],
  ['Stop hook feedback:\nrun the tests', undefined],
  ['what does <system-reminder> mean?', 'what does <system-reminder> mean?'],
  [
    [
      { type: 'text', text: '<ide_selection>x</ide_selection>' },
      { type: 'text', text: 'explain' },
      { type: 'image' },
    ],
    'explain',
  ],
  [[{ type: 'document' }], ''],
  [[{ type: 'tool_result', content: 'x' }], undefined],
  [[], undefined],
])('of %j a person typed %j', (content, typed) => {
  expect(claudeCodeTyped(content)).toBe(typed);
});

it('the same call twice in one response is two steps, though the first had returned before', () => {
  const line = (type: string, message: object) => ({ type, sessionId: 's', message });
  const call = (id: string, description: string) =>
    line('assistant', {
      id: 'm',
      content: [
        { type: 'tool_use', id, name: 'Bash', input: { command: 'ls build', description } },
      ],
    });
  const result = (id: string) =>
    line('user', { content: [{ type: 'tool_result', tool_use_id: id, content: 'a.js' }] });
  const { events } = importRecords(claudeCodeTranscript, [
    call('t1', 'List'),
    result('t1'),
    call('t2', 'List once more'),
    result('t2'),
  ]);
  const guard = createGuard();
  const verdicts = events.map(({ event }) => guard.observe(event));
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
  expect(verdicts.at(-1)?.step).toBe(1);
});

describe('what Claude Code tells its agent besides results', () => {
  const attached = (attachment: object) => line('attachment', {}, { attachment });
  const says = line('assistant', { id: 'm', content: [{ type: 'text', text: 'I look.' }] });
  const changedIn = (...records: unknown[]) =>
    importRecords(claudeCodeTranscript, records).events.map(({ event }) => event.changed);

  it('a file that has changed on disk is reported with the next event', () => {
    const changed = { type: 'edited_text_file', filename: '/p/a.json', snippet: '2\ttwo' };
    expect(changedIn(user('Go.'), attached(changed), says)).toEqual([undefined, ['/p/a.json']]);
  });

  it('the output of a background task that has ended is reported with the next event', () => {
    const prompt =
      '<task-notification>\n<task-id>b1</task-id>\n<output-file>/t/b1.output</output-file>\n</task-notification>';
    const ended = { type: 'queued_command', commandMode: 'task-notification', prompt };
    expect(changedIn(user('Go.'), attached(ended), says)).toEqual([undefined, ['/t/b1.output']]);
  });

  it('twin: what a person typed meanwhile changes no file', () => {
    const typed = { type: 'queued_command', commandMode: 'prompt', prompt: 'Faster!' };
    expect(changedIn(user('Go.'), attached(typed), says)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('an agent that ends its turn while something runs in the background', () => {
  const WAITING = 'Waiting for what runs in the background.';
  const said = line('assistant', {
    id: 'm',
    role: 'assistant',
    content: [{ type: 'text', text: WAITING }],
    stop_reason: 'end_turn',
  });
  const again = user('Stop hook feedback:\nThe goal is not reached yet.', { isMeta: true });
  const turns = Array.from({ length: 5 }, () => [said, again]).flat();
  const began = (tool: string, id: string, toolUseResult: object) => [
    line('assistant', {
      id: 'm0',
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: tool, input: { command: 'make report' } }],
      stop_reason: 'tool_use',
    }),
    user([{ type: 'tool_result', tool_use_id: id, content: 'It runs in the background.' }], {
      toolUseResult,
    }),
  ];
  const loopsIn = (records: unknown[]): string[] => {
    const guard = createGuard();
    const verdicts = importRecords(claudeCodeTranscript, records).events.map(({ event }) =>
      guard.observe(event),
    );
    return verdicts.flatMap(({ signals }) => signals.map(({ detector }) => detector));
  };

  it.each([
    ['Bash', { stdout: '', stderr: '', backgroundTaskId: 'b1' }],
    ['Agent', { isAsync: true, status: 'async_launched', agentId: 'b1' }],
  ])('waits, and may say so each time: %s', (tool, result) => {
    expect(loopsIn([...began(tool, 't1', result), ...turns])).toEqual([]);
  });

  it('repeats itself once that has ended', () => {
    const ended = user(
      '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>',
      { origin: { kind: 'task-notification' }, promptSource: 'system' },
    );
    const begin = began('Bash', 't1', { stdout: '', stderr: '', backgroundTaskId: 'b1' });
    expect(loopsIn([...begin, said, ended, ...turns])).toContain('monologue');
    expect(loopsIn(turns)).toContain('monologue');
  });
});
