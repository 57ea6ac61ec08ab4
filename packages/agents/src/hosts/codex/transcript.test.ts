import { createSource } from '@unrut/logs/importers/source';
import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { codexResult } from './result.ts';
import { codexTranscript } from './transcript.ts';

const FIXTURES = [
  'codex.jsonl',
  'codex-refusals.jsonl',
  'codex-2025.jsonl',
  'codex-older.jsonl',
  'codex-document.json',
  'codex-nested.jsonl',
];

interface Item {
  type?: string;
  role?: string;
  content?: unknown;
  call_id?: string;
}
const itemsOf = (fixture: string): Item[] =>
  (recordsOf(fixture) as { payload?: Item; items?: Item[]; type?: string }[]).flatMap(
    (record) =>
      record.items ??
      (record.payload
        ? record.type === 'response_item'
          ? [record.payload]
          : []
        : [record as Item]),
  );

const item = (payload: object) => ({
  timestamp: '2026-11-15T22:47:02Z',
  type: 'response_item',
  payload,
});
const event = (payload: object) => ({
  timestamp: '2026-11-15T22:47:02Z',
  type: 'event_msg',
  payload,
});

describe('rollouts of Codex', () => {
  behavesWell(codexTranscript, FIXTURES, [
    { type: 'session_meta', payload: { id: 3, source: { subagent: 'review' } } },
    item({ type: 'message', role: 'user', content: [null, 3, { text: 3 }] }),
    item({ type: 'message', role: 'assistant', content: 'x' }),
    item({ type: 'function_call' }),
    item({ type: 'function_call_output', output: { success: false } }),
    item({ type: 'reasoning', summary: [{}] }),
    event({ type: 'token_count', info: { last_token_usage: { input_tokens: 'x' } } }),
    event({ type: 'item_completed', item: { duration: { secs: 'x' } } }),
    { type: 'token_usage_record', payload: {} },
    { session: {}, items: [null, {}, { type: 'message' }] },
  ]);
  survivesSpoiling(codexTranscript, [
    'codex-2025.jsonl',
    'codex-older.jsonl',
    'codex-document.json',
    'codex-nested.jsonl',
  ]);

  it.each(FIXTURES)('lose no call, no output and no word of %s', (fixture) => {
    const { events } = importFixture(codexTranscript, fixture);
    const items = itemsOf(fixture);
    const count = (type: string) => events.filter((each) => each.event.type === type).length;
    const calls = items.filter(({ type }) => type?.endsWith('_call'));
    expect(count('call-proposed')).toBe(calls.length);
    const outputs = items.filter(({ type }) => type?.endsWith('_output'));
    expect(count('call-finished')).toBe(
      outputs.length + calls.filter(({ type }) => type === 'web_search_call').length,
    );
    const said = items.filter(({ type, role }) => type === 'message' && role === 'assistant');
    expect(
      events.filter((each) => each.event.type === 'text-added' && each.event.channel === 'answer'),
    ).toHaveLength(said.length);
  });

  it('tell what was called, its outcome, and why not', () => {
    const told = outline(importFixture(codexTranscript, 'codex-refusals.jsonl'));
    expect(told.slice(0, 9)).toEqual([
      '0 person "try it"',
      '1 thinks "I look first."',
      '1 says "Looking."',
      '2 calls exec_command {"cmd":"ls /nonexistent-dir"}',
      '3 calls exec_command {"cmd":"echo one"}',
      `2 exec_command returns "ls: cannot access '/nonexistent-dir': No such file or directory\\n" exit 2`,
      '3 exec_command returns "one\\n" exit 0',
      '4 calls apply_patch {"input":"*** Begin Patch\\n*** Add File: c.txt\\n+hello\\n*** End Patch\\n"}',
      '4 apply_patch returns "Success. Updated the following files:\\nA c.txt\\n" exit 0',
    ]);
    expect(told).toEqual(
      expect.arrayContaining([
        '5 frobnicate returns "unsupported call: frobnicate" error true refused by unknown-tool',
        '6 exec_command returns "failed to parse function arguments: missing field `cmd` at line 1 column 13" error true refused by schema',
        '7 calls exec_command "{not json"',
        '8 exec_command returns "Command blocked by PreToolUse hook: not this one. Command: echo DENYME" error true refused by host',
        '10 exec_command returns "Process running with session ID 71971\\n"',
        expect.stringMatching(/^11 view_image returns .*\(picture [a-p]+\)/),
        '12 web_search returns nothing known',
        expect.stringMatching(
          /^13 apply_patch returns "apply_patch verification failed: .* error true$/,
        ),
      ]),
    );
  });

  it('of 2025 tell the same, from other envelopes', () => {
    const { events } = importFixture(codexTranscript, 'codex-2025.jsonl');
    expect(outline({ events, unknown: [] })).toEqual([
      '0 person "run the tests"',
      '1 thinks "**Running tests**"',
      '1 calls shell {"command":["bash","-lc","npm test"],"workdir":"/home/dev/project"}',
      '1 shell returns "1 failed\\n" exit 1',
      '2 calls shell_command {"command":"npm run lint"}',
      '2 shell_command returns "clean\\n" exit 0',
      '3 calls local_shell {"type":"exec","command":["ls"],"timeout_ms":null}',
      '3 local_shell returns "a.txt\\n" exit 0',
      expect.stringMatching(/^4 calls apply_patch /),
      '4 apply_patch returns "patch rejected by user" error true refused by user',
      '5 context-compacted',
      '5 person "look at this"',
      '6 calls mcp__demo__echo {"text":"hi"}',
      '7 calls web_search {"type":"search","query":"vitest"}',
      '7 web_search returns nothing known',
      '6 mcp__demo__echo returns [{"type":"text","text":"no"}] error true',
      '8 says "Done."',
    ]);
    const durations = events.flatMap((each) =>
      each.event.type === 'call-finished' ? [each.event.durationMs] : [],
    );
    expect(durations.slice(0, 3)).toEqual([2500, 1200, 5]);
  });

  it.each([
    [
      'codex-older.jsonl',
      [
        '0 person "list the files"',
        '1 shell returns "failed in sandbox" error true',
        '2 says "It failed."',
      ],
    ],
    [
      'codex-document.json',
      ['0 person "list the files"', '1 shell returns "a.txt\\n" exit 0', '2 says "a.txt"'],
    ],
  ])('of the oldest versions are read too: %s', (fixture, told) => {
    expect(
      outline(importFixture(codexTranscript, fixture)).filter(
        (each) => !/ thinks | calls /.test(each),
      ),
    ).toEqual(told);
  });

  it('put the calls of one response into one batch', () => {
    const { events } = importFixture(codexTranscript, 'codex-refusals.jsonl');
    const batches = events.flatMap((each) =>
      each.event.type === 'call-proposed' ? [each.event.batch] : [],
    );
    const sizes = Map.groupBy(batches, (batch) => batch);
    expect([...sizes.values()].map((batch) => batch.length)).toEqual([
      2, 1, 3, 1, 1, 1, 1, 2, 1, 1,
    ]);
  });

  it.each([
    ['codex.jsonl', 4 * 15, 4],
    ['codex-refusals.jsonl', 11 * 15, 11],
    ['codex-2025.jsonl', 640 + 120 + 1020, 3],
  ])(
    'count the tokens of each response of %s once, on its first event',
    (fixture, total, responses) => {
      const costs = importFixture(codexTranscript, fixture).events.flatMap(
        (each) => each.event.cost?.tokens ?? [],
      );
      expect(costs).toHaveLength(responses);
      expect(costs.reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
    },
  );

  it('name a nested agent within the session that started it, and no person speaks to it', () => {
    const { events } = importFixture(codexTranscript, 'codex-nested.jsonl');
    expect(new Set(events.map((each) => `${each.event.session} ${each.event.agent}`))).toEqual(
      new Set(['root child']),
    );
    expect(events.map((each) => each.event.type)).toEqual([
      'call-proposed',
      'call-finished',
      'text-added',
    ]);
  });

  it('belong to the parent also where only their source names it', () => {
    const source = { subagent: { thread_spawn: { parent_thread_id: 'root', depth: 1 } } };
    const meta = { type: 'session_meta', payload: { id: 'child', source } };
    const { events } = importRecords(codexTranscript, [
      meta,
      item({ type: 'message', role: 'assistant', content: [{ text: 'hi' }] }),
    ]);
    expect(events.map((each) => [each.event.session, each.event.agent])).toEqual([
      ['root', 'child'],
    ]);
  });

  it.each([
    ['plain words', 'go on', undefined, ['0 person "go on"']],
    ['the surroundings', '<environment_context>x</environment_context>', undefined, []],
    ['instructions from a file', '# AGENTS.md instructions for /home/dev/project', undefined, []],
    [
      'words of the user',
      '<environment_context> is what?',
      'user',
      ['0 person "<environment_context> is what?"'],
    ],
    ['words of the harness', 'go on', 'harness', []],
  ])('know whose %s are', (_, text, type, told) => {
    const about =
      type === undefined ? undefined : { content_item_metadata: [{ provenance: { type } }] };
    const content = [{ type: 'input_text', text }];
    const message = {
      type: 'message',
      role: 'user',
      content,
      internal_chat_message_metadata_passthrough: about,
    };
    expect(outline(importRecords(codexTranscript, [item(message)]))).toEqual(told);
  });

  it('hold back no more than one response', () => {
    const said = Array.from({ length: 1000 }, (_, i) =>
      item({ type: 'message', role: 'assistant', content: [{ text: `${i}` }] }),
    );
    let seen = 0;
    const reading = codexTranscript.open(
      createSource('file', { event: () => seen++, unknown: () => {} }),
    );
    for (const record of said) reading.read(record);
    expect(seen).toBeGreaterThan(700);
    reading.end?.();
    expect(seen).toBe(1000);
  });
});

it.each([
  [
    'Exit code: 2\nWall time: 0.5 seconds\nTotal output lines: 9\nOutput:\nno',
    { result: 'no', exitCode: 2, durationMs: 500 },
  ],
  ['Wall time: 0.25 seconds\nOutput:\n[]', { result: '[]', durationMs: 250 }],
  [
    'Chunk ID: 1a\nWall time: 5 seconds\nProcess running with session ID 4\nOutput:\n',
    { result: 'Process running with session ID 4\n', durationMs: 5000 },
  ],
  ['Output:\nplain', { result: 'Output:\nplain' }],
  ['{"output":"x"}', { result: '{"output":"x"}' }],
  ['{"output":', { result: '{"output":' }],
  [
    'rejected by user approval settings',
    { result: 'rejected by user approval settings', error: true, refusedBy: 'host' },
  ],
  [
    'exec_command failed for `/bin/zsh -lc \'git push\'`: CreateProcess { message: "Rejected(\\"approval required by policy, but AskForApproval is set to Never\\")" }',
    {
      result:
        'exec_command failed for `/bin/zsh -lc \'git push\'`: CreateProcess { message: "Rejected(\\"approval required by policy, but AskForApproval is set to Never\\")" }',
      error: true,
      refusedBy: 'host',
    },
  ],
  [
    'exec_command failed for `/bin/bash -lc \'rm -rf x\'`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    {
      result:
        'exec_command failed for `/bin/bash -lc \'rm -rf x\'`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
      error: true,
      refusedBy: 'user',
    },
  ],
  [
    'The log says: exec_command failed for `a`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    {
      result:
        'The log says: exec_command failed for `a`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
    },
  ],
  [
    'exec command rejected by user',
    { result: 'exec command rejected by user', error: true, refusedBy: 'user' },
  ],
  [
    'aborted by user after 3.1s',
    { result: 'aborted by user after 3.1s', error: true, refusedBy: 'user' },
  ],
  [{ content: 'ok', success: true }, { result: 'ok' }],
  [null, {}],
])('the output %j is read', (output, returned) => {
  expect(codexResult(output)).toEqual(returned);
});

describe('the header before the output of a command', () => {
  const output = (...header: string[]) => [...header, 'Output:', 'app.js', ''].join('\n');
  const LINES = ['Chunk ID: 6fbc90', 'Wall time: 0.250 seconds', 'Process exited with code 1'];

  it.each<[string, string[]]>([
    ['is known without the command', LINES],
    ['is known with the command first', ["Command: /bin/zsh -lc 'ls build'", ...LINES]],
    ['is known with the command last', [...LINES, "Command: /bin/zsh -lc 'ls build'"]],
    [
      'is known with a long command of several lines',
      [`Command: /bin/zsh -lc "python3 - <<'E'\n${'print(1)\n'.repeat(200)}E"`, ...LINES],
    ],
    ['is known in another order', [...LINES].reverse()],
  ])('%s', (_, header) => {
    expect(codexResult(output(...header))).toEqual({
      result: 'app.js\n',
      exitCode: 1,
      durationMs: 250,
    });
  });

  it('ends before the output, whatever that says', () => {
    const printed = 'Command: x\nChunk ID: 1\nOutput:\ny';
    expect(codexResult(`Chunk ID: 6fbc90\nOutput:\n${printed}`)).toEqual({ result: printed });
  });

  it.each([
    'Command: make\nis what the file says\n',
    'Commands:\n  make\nOutput:\nnone\n',
    'the first line\nChunk ID: 6fbc90\nOutput:\nx',
  ])('is not seen in a text that only resembles it: %j', (text) => {
    expect(codexResult(text)).toEqual({ result: text });
  });
});

describe('a command that continues in the background', () => {
  const start = [
    item({
      type: 'function_call',
      name: 'exec_command',
      arguments: '{"cmd":"make"}',
      call_id: 'a',
    }),
    item({
      type: 'function_call_output',
      call_id: 'a',
      output: 'Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n',
    }),
  ];
  const ended = event({ type: 'exec_command_end', call_id: 'a', exit_code: 2 });
  const poll = [
    item({
      type: 'function_call',
      name: 'write_stdin',
      arguments: '{"session_id":7,"chars":""}',
      call_id: 'b',
    }),
    item({
      type: 'function_call_output',
      call_id: 'b',
      output: 'Wall time: 2.0 seconds\nProcess exited with code 2\nOutput:\nmake: failed',
    }),
  ];

  it('fails once, where its end is seen', () => {
    for (const records of [
      [...start, ended, ...poll],
      [...start, ...poll, ended],
    ])
      expect(
        outline(importRecords(codexTranscript, records)).filter((line) => line.includes('returns')),
      ).toEqual([
        '0 exec_command returns "Process running with session ID 7\\n"',
        '1 write_stdin returns "make: failed" exit 2',
      ]);
  });

  it('fails like any other if it ended with its first answer', () => {
    const [call] = start;
    const output = item({ type: 'function_call_output', call_id: 'a', output: 'make: failed' });
    expect(outline(importRecords(codexTranscript, [call, output, ended]))).toContain(
      '0 exec_command returns "make: failed" exit 2',
    );
  });
});

describe('the file of a forked session', () => {
  const line = (second: number, type: string, payload: object) => ({
    timestamp: new Date(Date.UTC(2026, 3, 11, 14, 0) + second * 1000).toISOString(),
    type,
    payload,
  });
  const call = (second: number, id: string, cmd: string) => [
    line(second, 'response_item', {
      type: 'function_call',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd }),
      call_id: id,
    }),
    line(second + 0.002, 'response_item', {
      type: 'function_call_output',
      call_id: id,
      output: 'ok',
    }),
  ];
  const meta = (extra: object = {}) =>
    line(0, 'session_meta', { id: 'child', timestamp: 'x', ...extra });
  const history = [
    line(0.001, 'session_meta', { id: 'parent' }),
    ...call(0.002, 'c1', 'ls'),
    ...call(0.004, 'c2', 'cat a'),
  ];
  const commands = (records: readonly unknown[]) =>
    importRecords(codexTranscript, records).events.flatMap(({ event: each }) =>
      each.type === 'call-proposed' ? [(each.call.args as { cmd: string }).cmd] : [],
    );

  it('does not count the history of its parent again', () => {
    const own = call(9, 'c3', 'npm test');
    expect(commands([meta({ forked_from_id: 'parent' }), ...history, ...own])).toEqual([
      'npm test',
    ]);
  });

  it('counts everything if it was not forked', () => {
    expect(commands([meta(), ...history])).toEqual(['ls', 'cat a']);
  });

  it('begins after the words that Codex puts at the end of the copy', () => {
    const told = line(0.01, 'response_item', {
      type: 'function_call_output',
      call_id: 'spawn',
      output:
        'You are the newly spawned agent. The prior conversation history was forked from your parent agent. Treat the next user message as your new task.',
    });
    const records = [meta({ forked_from_id: 'parent' }), ...history, told];
    expect(commands([...records, ...call(0.02, 'c3', 'npm test')])).toEqual(['npm test']);
  });

  it('counts everything if no line tells its time', () => {
    const records = [meta({ forked_from_id: 'parent' }), ...history].map((each) => ({
      ...each,
      timestamp: undefined,
    }));
    expect(commands(records)).toEqual(['ls', 'cat a']);
  });
});
