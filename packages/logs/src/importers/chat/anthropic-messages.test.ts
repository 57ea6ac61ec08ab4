import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { anthropicMessages } from './chat-messages.ts';

const FIXTURES = ['anthropic-messages.json', 'anthropic-messages-requests.jsonl'];

describe('Anthropic messages', () => {
  behavesWell(anthropicMessages, FIXTURES, [
    {
      role: 'assistant',
      content: [null, 3, 'said', {}, { type: 'tool_use' }, { type: 'thinking' }],
    },
    {
      role: 'user',
      content: [{ type: 'tool_result' }, { type: 'tool_result', tool_use_id: 'nobody' }],
    },
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
  ]);
  survivesSpoiling(anthropicMessages, FIXTURES);

  it('reads blocks in their order, and keeps what the harness adds apart from what a person says', () => {
    const file = importFixture(anthropicMessages, 'anthropic-messages.json');
    expect(outline(file)).toEqual([
      '0 person "<task>\\nFix the login page.\\n</task>"',
      '1 thinks "I read the page and its style."',
      '1 says "I read both files."',
      '2 calls read_file {"path":"src/login.tsx"}',
      '3 calls read_file {"path":"src/login.css"}',
      '2 read_file returns [{"type":"text","text":"<form/>"}]',
      '3 read_file returns "ENOENT: no such file" error true',
      '4 calls write_to_file {"path":"src/login.tsx","content":"<form method=\\"post\\"/>"}',
      expect.stringMatching(/^4 write_to_file returns "The user denied .* refused by user$/),
      '5 person "Keep the method."',
      '6 calls web_search {"query":"form method"}',
      '6 web_search returns [{"type":"web_search_result","title":"Forms","url":"https://example.com/forms"}]',
      '7 says "The method \\nstays."',
      '8 person "Good."',
    ]);
    const proposed = file.events.flatMap(({ event }) =>
      event.type === 'call-proposed' ? [event] : [],
    );
    expect(proposed.map(({ call }) => call.id)).toEqual([
      'toolu_1',
      'toolu_2',
      'toolu_3',
      'srvtoolu_1',
    ]);
    expect(proposed[0]!.batch).toBe(proposed[1]!.batch);
    expect(new Set(proposed.map(({ batch }) => batch)).size).toBe(3);
  });

  it('loses no call and no result', () => {
    for (const fixture of FIXTURES) {
      const source = JSON.stringify(recordsOf(fixture));
      const ids = new Set(
        source.match(/"id":"(?:srv)?toolu_\w+"|<(?:read_file|attempt_completion)>/g),
      );
      const results = new Set(
        source.match(/"tool_use_id":"(?:srv)?toolu_\w+"|\[\w+[^\]]*\] Result:/g),
      );
      const { events } = importFixture(anthropicMessages, fixture);
      expect(events.filter(({ event }) => event.type === 'call-proposed')).toHaveLength(ids.size);
      expect(events.filter(({ event }) => event.type === 'call-finished')).toHaveLength(
        results.size,
      );
    }
  });

  it('reads a log of requests as one run, with what each answer cost', () => {
    const { events } = importFixture(anthropicMessages, 'anthropic-messages-requests.jsonl');
    const logged = events.filter(({ event }) => event.session === 's-1');
    expect(logged.map(({ event }) => [event.type, event.cost?.tokens])).toEqual([
      ['user-spoke', undefined],
      ['call-proposed', 129],
      ['call-finished', undefined],
      ['text-added', 38],
    ]);
  });

  it('reads calls and results that older versions of Cline wrote as text', () => {
    const file = importFixture(anthropicMessages, 'anthropic-messages-requests.jsonl');
    expect(
      outline({ ...file, events: file.events.filter(({ event }) => event.session === 's-2') }),
    ).toEqual([
      '0 person "<task>\\nRename the module.\\n</task>"',
      '1 calls read_file {"path":"a.ts"}',
      '1 read_file returns "export const a = 1;"',
      '2 calls attempt_completion {"result":"Done."}',
      '2 attempt_completion returns ""',
      '3 person "Not all of it."',
    ]);
  });

  const texts = (role: string, ...said: string[]) => ({
    role,
    content: said.map((text) => ({ type: 'text', text })),
  });

  it('reads how calls in text ended: with a code, by the user, as the tool reported', () => {
    const { events, unknown } = importRecords(anthropicMessages, [
      texts('user', '<task>\nFix it.\n</task>'),
      texts(
        'assistant',
        '<thinking>\nThe tests first.\n</thinking>\n\nI run them.\n\n<execute_command>\n<command>cd app\nnpm test</command>\n</execute_command>',
      ),
      texts(
        'user',
        "[execute_command for 'cd app\nnpm test'] Result:",
        "Command executed in terminal within working directory '/app'. Command execution was not successful, inspect it.\nExit code: 1\nOutput:\n1 failed",
        '<environment_details>\n</environment_details>',
      ),
      texts(
        'assistant',
        '<write_to_file>\n<path>a.html</path>\n<content>\n<p>1</p>\n</content>\n</write_to_file>',
      ),
      texts('user', "[write_to_file for 'a.html'] Result:", 'The user denied this operation.'),
      texts('assistant', '<read_file>\n<path>b.ts</path>\n</read_file>'),
      texts(
        'user',
        "[read_file for 'b.ts'] Result:\nThe tool execution failed with the following error:\n<error>\nENOENT\n</error>",
      ),
    ]);
    expect(outline({ events, unknown })).toEqual([
      '0 person "<task>\\nFix it.\\n</task>"',
      '1 thinks "The tests first."',
      '1 says "I run them."',
      '2 calls execute_command {"command":"cd app\\nnpm test"}',
      expect.stringMatching(/^2 execute_command returns .*1 failed" exit 1$/),
      '3 calls write_to_file {"path":"a.html","content":"<p>1</p>"}',
      '3 write_to_file returns "The user denied this operation." refused by user',
      '4 calls read_file {"path":"b.ts"}',
      expect.stringMatching(/^4 read_file returns .*ENOENT.* error true$/),
    ]);
    expect(unknown).toEqual([]);
  });

  it('takes XML that an agent shows, and a call that it does not end, for words', () => {
    const shown = [
      'Use this:\n<app_name>\n<item>a</item>\n</app_name>',
      'Write `<read_file>` there.',
      '<read_file>\n<path>a.ts</path>',
    ];
    const { events } = importRecords(
      anthropicMessages,
      shown.map((text) => texts('assistant', text)),
    );
    expect(events.map(({ event }) => event.type)).toEqual([
      'text-added',
      'text-added',
      'text-added',
    ]);
  });

  it('passes over system prompts and pictures, and counts blocks that are new', () => {
    const { events, unknown } = importRecords(anthropicMessages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image', source: { type: 'base64', data: 'AAAA' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'x' },
          { type: 'hologram', data: 'x' },
        ],
      },
    ]);
    expect(events.map(({ event }) => event.type)).toEqual(['user-spoke']);
    expect(unknown).toEqual(['block hologram']);
  });
});
