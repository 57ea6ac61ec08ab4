import { behavesWell } from '@unrut/test/importers/behaves-well';
import {
  importFixture,
  importRecords,
  outline,
  recordsOf,
} from '@unrut/test/importers/import-file';
import { survivesSpoiling } from '@unrut/test/importers/spoiled';
import { describe, expect, it } from 'vitest';
import { openaiMessages } from './chat-messages.ts';

const FIXTURES = [
  'openai-messages.json',
  'openai-messages-lines.jsonl',
  'openai-messages-responses.jsonl',
];

const call = (id: string, command = 'ls') => ({
  id,
  type: 'function',
  function: { name: 'bash', arguments: JSON.stringify({ command }) },
});
const asks = { role: 'user', content: 'List the files.' };
const calls = { role: 'assistant', content: null, tool_calls: [call('call_1')] };
const returns = { role: 'tool', tool_call_id: 'call_1', content: 'a.txt' };
const answers = { role: 'assistant', content: 'There is a.txt.' };

describe('OpenAI messages', () => {
  behavesWell(openaiMessages, FIXTURES, [
    { role: 'assistant', content: null, tool_calls: [null, 3, {}, { function: null }] },
    { role: 'tool', content: 'nobody asked' },
    { messages: [null, {}, { role: 'user', content: 3 }] },
    { request: { messages: [asks] }, response: { choices: [] } },
  ]);
  survivesSpoiling(openaiMessages, FIXTURES);

  it('reads messages with parallel calls', () => {
    const file = importFixture(openaiMessages, 'openai-messages.json');
    expect(outline(file)).toEqual([
      '0 person "Make the tests pass."',
      '1 thinks "Two reads can go together."',
      '1 says "I look at the code and the tests."',
      '2 calls read_file {"path":"src/sum.ts"}',
      '3 calls run {"command":"npm test"}',
      '2 read_file returns "export const sum = (a, b) => a - b;"',
      '3 run returns "1 failing\\nexpected 3, got -1"',
      '4 calls edit_file {"path":"src/sum.ts","old":"a - b","new":"a + b"}',
      expect.stringMatching(/^4 edit_file returns .*"ok".*\(picture [a-p]+\)/),
      '5 says "The tests pass now."',
      '6 person "Thank you."',
    ]);
    expect(batches(file)).toEqual([['call_1', 'call_2'], ['call_3']]);
    expect(file.events.flatMap(({ event }) => event.cost ?? [])).toEqual([{ tokens: 560 }]);
  });

  it('loses no call and no message', () => {
    for (const fixture of ['openai-messages.json', 'openai-messages-responses.jsonl']) {
      const source = JSON.stringify(recordsOf(fixture));
      const { events } = importFixture(openaiMessages, fixture);
      const made = source.match(/"type":"function","function"|"type":"\w+_call"/g)!.length;
      expect(events.filter(({ event }) => event.type === 'call-proposed')).toHaveLength(made);
      expect(events.filter(({ event }) => event.type === 'call-finished')).toHaveLength(made);
      expect(events.filter(({ event }) => event.type === 'user-spoke')).toHaveLength(
        source.match(/"role":"user"/g)!.length,
      );
    }
  });

  it('reads a conversation a line, each as a run of its own', () => {
    const { events } = importFixture(openaiMessages, 'openai-messages-lines.jsonl');
    expect([...new Set(events.map(({ event }) => event.session))]).toEqual([
      '7',
      'req_1',
      'openai-messages-lines:4',
      'openai-messages-lines:5',
    ]);
  });

  it('reads a log of requests that repeat their history as one run, with the cost and time of each answer', () => {
    const file = importFixture(openaiMessages, 'openai-messages-lines.jsonl');
    const logged = file.events.filter(({ event }) => event.session === 'req_1');
    expect(outline({ ...file, events: logged })).toEqual([
      '0 person "Book me a flight to Oslo."',
      '1 calls search_flights {"to":"OSL"}',
      '1 search_flights returns "[]"',
      '2 says "There are no flights to Oslo."',
    ]);
    expect(logged.map(({ event }) => event.cost?.tokens)).toEqual([undefined, 60, undefined, 82]);
    expect(logged[3]!.event.at).toBe(Date.parse('2026-01-05T10:00:04Z'));
  });

  it('reads the reasoning and the calls that Hermes marks in its text', () => {
    const file = importFixture(openaiMessages, 'openai-messages-lines.jsonl');
    expect(
      outline({ ...file, events: file.events.filter(({ event }) => event.session.endsWith(':4')) }),
    ).toEqual([
      '0 person "What is in the folder?"',
      '1 thinks "I list it."',
      '1 says "Let me see."',
      '2 calls terminal {"command":"ls"}',
      '3 calls terminal {"command":"pwd"}',
      '2 terminal returns {"output":"a.txt","exit_code":0}',
      '3 terminal returns "/home/dev/project"',
      '4 says "One file."',
    ]);
  });

  it('reads items of the Responses API', () => {
    const file = importFixture(openaiMessages, 'openai-messages-responses.jsonl');
    expect(outline(file).slice(1, 12)).toEqual([
      '1 thinks "I search first."',
      '1 calls grep {"pattern":"TODO"}',
      '2 calls shell {"commands":["npm test"]}',
      '1 grep returns "src/a.ts:3: TODO"',
      '2 shell returns [{"stdout":"1 failing","stderr":"","outcome":{"type":"exit","exit_code":1}}] exit 1',
      '3 calls web_search {"type":"search","query":"vitest snapshot"}',
      '3 web_search returns nothing known',
      '4 calls read_page {"page":3}',
      '4 read_page returns nothing known error "page not found"',
      '5 calls apply_patch "*** Begin Patch"',
      '5 apply_patch returns "Done"',
    ]);
    expect(batches(file)[0]).toEqual(['call_1', 'call_2']);
  });

  it.each<[string, unknown[], string[]]>([
    ['a list in a line', [[asks, calls, returns, answers]], ['file']],
    ['a list in an object', [{ messages: [asks, calls, returns, answers] }], ['file']],
    [
      'a session of its own name',
      [{ session_id: 's', conversation: [asks, calls, returns, answers] }],
      ['s'],
    ],
    [
      'a request and its answer',
      [{ messages: [asks, calls, returns], response: { choices: [{ message: answers }] } }],
      ['file'],
    ],
    [
      'the body of a batch',
      [
        {
          custom_id: 'b',
          body: { messages: [asks, calls, returns] },
          response: { body: { choices: [{ message: answers }] } },
        },
      ],
      ['b'],
    ],
    [
      'a session in pieces',
      [
        { session_id: 's', messages: [asks, calls] },
        { session_id: 's', messages: [returns, answers] },
      ],
      ['s'],
    ],
    [
      'a session that grows',
      [
        [asks, calls],
        [asks, calls, returns],
        [asks, calls, returns, answers],
      ].map((messages) => ({ session_id: 's', messages })),
      ['s'],
    ],
  ])('reads %s', (_, records, sessions) => {
    const file = importRecords(openaiMessages, records);
    expect(outline(file)).toEqual([
      '0 person "List the files."',
      '1 calls bash {"command":"ls"}',
      '1 bash returns "a.txt"',
      '2 says "There is a.txt."',
    ]);
    expect([...new Set(file.events.map(({ event }) => event.session))]).toEqual(sessions);
    expect(openaiMessages.recognises(records)).toBe(true);
  });

  it('keeps apart what only begins alike', () => {
    const others = [asks, { role: 'assistant', content: 'No.' }];
    const { events } = importRecords(openaiMessages, [
      { session_id: 's', messages: [asks, answers] },
      { session_id: 's', messages: others },
      { session_id: 't', messages: [asks, answers, asks] },
      { messages: [asks, answers] },
    ]);
    expect([...new Set(events.map(({ event }) => event.session))]).toEqual([
      's',
      's:2',
      't',
      'file:4',
    ]);
  });

  it('reads a response of the API with what was asked', () => {
    const output = [
      { type: 'function_call', call_id: 'call_1', name: 'bash', arguments: '{"command":"ls"}' },
    ];
    const file = importRecords(openaiMessages, [
      {
        id: 'resp_1',
        object: 'response',
        input: 'List the files.',
        output,
        usage: { input_tokens: 30, output_tokens: 5, input_tokens_details: { cached_tokens: 10 } },
      },
    ]);
    expect(outline(file)).toEqual(['0 person "List the files."', '1 calls bash {"command":"ls"}']);
    expect(file.events[1]!.event.cost).toEqual({ tokens: 25 });
  });

  it('tells equal pictures from others', () => {
    const shown = (data: string) => {
      const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }];
      return outline(importRecords(openaiMessages, [asks, calls, { ...returns, content }]))[2];
    };
    expect(shown('AAAA'.repeat(500))).toBe(shown('AAAA'.repeat(500)));
    expect(shown('AAAA'.repeat(500))).not.toBe(shown('AAAB'.repeat(500)));
    expect(shown('AAAA'.repeat(500))).not.toContain('AAAA');
  });
});

function batches({ events }: ReturnType<typeof importFixture>): string[][] {
  const found = new Map<string | undefined, string[]>();
  for (const { event } of events)
    if (event.type === 'call-proposed')
      found.set(event.batch, [...(found.get(event.batch) ?? []), event.call.id]);
  return [...found.values()];
}
