import { describe, expect, it } from 'vitest';
import { readMessages, readToolOutput } from './trace-message.ts';
import { heardIn, withoutStack } from './trace-part.ts';

const call = { id: 'c', tool: 'ls', args: { path: '.' } };
const asked = { role: 'assistant', text: 'Look.', thought: '', calls: [call], results: [] };

describe('an answer with a call', () => {
  it.each<[string, unknown]>([
    [
      'of the GenAI conventions',
      [
        {
          role: 'assistant',
          parts: [
            { type: 'text', content: 'Look.' },
            { type: 'tool_call', id: 'c', name: 'ls', arguments: { path: '.' } },
          ],
        },
      ],
    ],
    [
      'of OpenAI',
      {
        choices: [
          {
            message: {
              role: 'assistant',
              content: 'Look.',
              tool_calls: [
                { id: 'c', type: 'function', function: { name: 'ls', arguments: '{"path":"."}' } },
              ],
            },
          },
          { message: { role: 'assistant', content: 'Or not.' } },
        ],
      },
    ],
    [
      'of Anthropic',
      {
        id: 'msg',
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'tool_use', id: 'c', name: 'ls', input: { path: '.' } },
        ],
      },
    ],
    [
      'of Bedrock',
      {
        output: {
          message: {
            role: 'assistant',
            content: [
              { text: 'Look.' },
              { toolUse: { toolUseId: 'c', name: 'ls', input: { path: '.' } } },
            ],
          },
        },
      },
    ],
    [
      'of the AI SDK',
      [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'tool-call', toolCallId: 'c', toolName: 'ls', input: { path: '.' } },
          ],
        },
      ],
    ],
    [
      'of LangChain, as a constructor',
      {
        generations: [
          [
            {
              text: 'Look.',
              message: {
                lc: 1,
                type: 'constructor',
                id: ['langchain_core', 'messages', 'AIMessage'],
                kwargs: {
                  content: 'Look.',
                  tool_calls: [{ name: 'ls', args: { path: '.' }, id: 'c', type: 'tool_call' }],
                },
              },
            },
          ],
        ],
      },
    ],
    [
      'of LangChain, as a type',
      {
        type: 'ai',
        data: {
          content: 'Look.',
          additional_kwargs: {
            tool_calls: [{ id: 'c', function: { name: 'ls', arguments: '{"path":"."}' } }],
          },
        },
      },
    ],
    [
      'of OpenInference',
      [
        {
          message: {
            role: 'assistant',
            content: 'Look.',
            tool_calls: [
              { tool_call: { id: 'c', function: { name: 'ls', arguments: '{"path":"."}' } } },
            ],
          },
        },
      ],
    ],
    [
      'as JSON text',
      JSON.stringify({
        role: 'assistant',
        content: 'Look.',
        tool_calls: [{ id: 'c', name: 'ls', arguments: { path: '.' } }],
      }),
    ],
    [
      'without a role',
      [
        { type: 'text', text: 'Look.' },
        { type: 'tool_use', id: 'c', name: 'ls', input: { path: '.' } },
      ],
    ],
  ])('%s', (_, value) => {
    expect(readMessages(value, 'assistant')).toEqual([asked]);
  });

  it('of Gemini, which gives calls no ids', () => {
    const value = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Look.' }, { functionCall: { name: 'ls', args: { path: '.' } } }],
          },
        },
      ],
    };
    expect(readMessages(value, 'assistant')).toEqual([
      { ...asked, calls: [{ tool: 'ls', args: { path: '.' } }] },
    ]);
  });

  it("of OpenAI's responses, one item after the other", () => {
    const value = {
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Look.' }] },
        { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{"path":"."}' },
      ],
    };
    const [reasoning, message, item] = readMessages(value, 'assistant');
    expect([reasoning?.thought, message?.text, item?.calls]).toEqual(['Hm.', 'Look.', [call]]);
  });
});

describe('a result in a prompt', () => {
  it.each<[string, unknown, object]>([
    [
      'of the GenAI conventions',
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 'a.ts' }] },
      { id: 'c', result: 'a.ts' },
    ],
    [
      'of OpenAI',
      { role: 'tool', tool_call_id: 'c', content: 'a.ts' },
      { id: 'c', result: 'a.ts' },
    ],
    [
      'of Anthropic',
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c',
            is_error: true,
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
      { id: 'c', result: 'a\nb', error: true },
    ],
    [
      'of the AI SDK',
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            output: { type: 'error-json', value: { code: 2 } },
          },
        ],
      },
      { id: 'c', result: { code: 2 }, error: true },
    ],
    [
      'of LangChain',
      {
        lc: 1,
        type: 'constructor',
        id: ['x', 'ToolMessage'],
        kwargs: { tool_call_id: 'c', content: 'a.ts', status: 'error' },
      },
      { id: 'c', result: 'a.ts', error: true },
    ],
    [
      "of OpenAI's responses",
      { type: 'function_call_output', call_id: 'c', output: 'a.ts' },
      { id: 'c', result: 'a.ts' },
    ],
    [
      'of Gemini',
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'a.ts' } } }] },
      { result: { output: 'a.ts' } },
    ],
    [
      'with a picture',
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'image' }] },
      { id: 'c', result: [{ type: 'image' }] },
    ],
  ])('%s', (_, value, result) => {
    expect(heardIn(readMessages([value]))).toEqual({ persons: [], results: [result] });
  });

  it('of an id that nobody asked for takes the place of none that was', () => {
    const messages = readMessages([
      { role: 'assistant', content: '', tool_calls: [{ id: 'a', name: 'ls', args: {} }] },
      { role: 'tool', tool_call_id: 'z', content: 'other' },
      { role: 'tool', content: 'mine' },
    ]);
    expect(heardIn(messages).results).toEqual([
      { id: 'z', result: 'other' },
      { id: 'a', result: 'mine' },
    ]);
  });

  it('without an id belongs to the next call before it', () => {
    const messages = readMessages([
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'a', name: 'ls', args: {} },
          { id: 'b', name: 'cat', args: {} },
        ],
      },
      { content: 'a.ts', role: 'ls' },
      { content: 'text' },
      { content: 'nobody asked' },
    ]);
    expect(heardIn(messages)).toEqual({
      persons: ['Go.'],
      results: [
        { id: 'a', result: 'a.ts' },
        { id: 'b', result: 'text' },
      ],
    });
  });
});

it.each<[string, unknown, 'user' | 'assistant' | undefined, string[]]>([
  ['plain text, of whom it is said to be', 'Hi', 'user', ['Hi']],
  ['plain text of nobody', 'Hi', undefined, []],
  ['JSON that is no message', '{"answer":42}', 'assistant', ['{"answer":42}']],
  ['a prompt with a system text', { system: 'Be nice.', prompt: 'Hi' }, 'user', ['Hi']],
  ['a batch of one prompt', { messages: [[{ role: 'user', content: 'Hi' }]] }, undefined, ['Hi']],
  ['nothing', undefined, 'user', []],
  ['blanks', ' ', 'user', []],
  ['a list of nothing', [null, 3], 'user', []],
])('%s', (_, value, plain, texts) => {
  expect(readMessages(value, plain).map(({ text }) => text)).toEqual(texts);
});

it.each<[string, unknown, object]>([
  ['plain', 'a.ts', { result: 'a.ts' }],
  ['an object', { output: 'a.ts', code: 0 }, { result: { output: 'a.ts', code: 0 } }],
  [
    'a message of LangChain',
    { output: { type: 'tool', tool_call_id: 'c', content: 'a.ts', status: 'success' } },
    { id: 'c', result: 'a.ts' },
  ],
  [
    'a command of LangGraph',
    {
      output: {
        lg_name: 'Command',
        update: { messages: [{ type: 'tool', tool_call_id: 'c', content: 'a.ts' }] },
      },
    },
    { id: 'c', result: 'a.ts' },
  ],
  ['nothing', undefined, { result: undefined }],
])('what a tool gave back is taken out of its wrapping: %s', (_, value, result) => {
  expect(readToolOutput(value)).toEqual(result);
});

it.each([
  ['exit 1\n\nError: exit 1\n    at run (a.ts:1:1)\n    at main (b.ts:2:2)', 'Error: exit 1'],
  [
    "ValueError('no such file')Traceback (most recent call last):\n  File",
    "ValueError('no such file')",
  ],
  ['two\nlines', 'two\nlines'],
  ['one\n\nError: one\n\ntwo', 'one\n\nError: one\n\ntwo'],
  ['', ''],
])('the stack is cut off %j', (message, short) => {
  expect(withoutStack(message)).toBe(short);
});
