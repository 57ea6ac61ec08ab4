import type { JsonObject } from '@unrut/engine/json';
import { testDialect } from '@unrut/test/suites/test-dialect';
import { describe, expect, it } from 'vitest';
import { anthropicApi } from './anthropic-api.ts';
import { chatCompletions } from './chat-completions.ts';
import { geminiContent } from './gemini-content.ts';
import { openaiResponses } from './openai-responses.ts';
import { readUpstreams } from './upstreams.ts';

const listed = (field: string) => (value: unknown) => ({ [field]: value });

/** As the real clients send them, and as the providers answer. */
const SAMPLES = [
  {
    name: 'chat completions',
    dialect: chatCompletions,
    malformed: listed('messages'),
    requests: [
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'search', arguments: '{"q":"a"}' } },
              { id: 'b', type: 'custom', custom: { name: 'shell', input: 'ls' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: 'one' },
          { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'two' }] },
        ],
      },
    ],
    responses: [
      {
        id: 'c',
        choices: [
          {
            index: 0,
            finish_reason: 'tool_calls',
            message: {
              role: 'assistant',
              content: 'Now.',
              tool_calls: ['g', 'h'].map((id) => ({
                id,
                type: 'function',
                function: { name: 'search', arguments: `{"q":"${id}"}` },
              })),
            },
          },
        ],
        usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      },
    ],
  },
  {
    name: 'Anthropic messages',
    dialect: anthropicApi,
    malformed: listed('messages'),
    requests: [
      {
        messages: [
          { role: 'user', content: 'Go.' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'Hm.', signature: 's' },
              { type: 'tool_use', id: 'a', name: 'search', input: { q: 'a' } },
              { type: 'tool_use', id: 'b', name: 'search', input: { q: 'b' } },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: 'one' },
              {
                type: 'tool_result',
                tool_use_id: 'b',
                content: [{ type: 'text', text: 'two' }],
                is_error: true,
              },
            ],
          },
        ],
      },
    ],
    responses: [
      {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 's' },
          { type: 'text', text: 'Now.' },
          ...['g', 'h'].map((id) => ({ type: 'tool_use', id, name: 'search', input: { q: id } })),
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    ],
  },
  {
    name: 'Responses',
    dialect: openaiResponses,
    malformed: listed('input'),
    requests: [
      {
        input: [
          { role: 'user', content: 'Go.' },
          { type: 'reasoning', id: 'rs_1', summary: [] },
          {
            type: 'function_call',
            id: 'fc_1',
            call_id: 'a',
            name: 'search',
            arguments: '{"q":"a"}',
          },
          { type: 'custom_tool_call', id: 'ctc_1', call_id: 'b', name: 'shell', input: 'ls' },
          { type: 'function_call_output', call_id: 'a', output: 'one' },
          {
            type: 'custom_tool_call_output',
            call_id: 'b',
            output: [{ type: 'input_text', text: 'two' }],
          },
        ],
      },
    ],
    responses: [
      {
        id: 'resp_1',
        output: [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Now.' }],
          },
          ...['g', 'h'].map((id) => ({
            type: 'function_call',
            id: `fc_${id}`,
            call_id: id,
            name: 'search',
            arguments: `{"q":"${id}"}`,
          })),
        ],
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    ],
  },
  {
    name: 'generateContent',
    dialect: geminiContent,
    malformed: listed('contents'),
    requests: [
      {
        contents: [
          { role: 'user', parts: [{ text: 'Go.' }] },
          {
            role: 'model',
            parts: [
              { functionCall: { name: 'search', args: { q: 'a' } }, thoughtSignature: 's' },
              { functionCall: { name: 'list' } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'search', response: { output: 'one' } } },
              { functionResponse: { name: 'list', response: { files: ['two'] } } },
            ],
          },
        ],
      },
    ],
    responses: [
      {
        candidates: [
          {
            content: {
              role: 'model',
              parts: [
                { text: 'Now.' },
                ...['g', 'h'].map((id) => ({
                  functionCall: { id, name: 'search', args: { q: id } },
                })),
              ],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
      },
    ],
  },
];

describe('the dialects of the gateway', () => {
  for (const { name, dialect, ...samples } of SAMPLES) {
    for (const each of testDialect(name, dialect, samples)) it(each.name, each.run);

    it(`${name}: a response as a stream adds up to the response`, () => {
      for (const response of samples.responses as JsonObject[]) {
        const reading = dialect.open();
        for (const [, data] of dialect.streamOf(response).matchAll(/^data: (\{.*)$/gm))
          reading.read(JSON.parse(data!));
        const again = reading.response();
        expect([dialect.said(again), dialect.calls(again), dialect.cost!(again)]).toEqual([
          dialect.said(response),
          dialect.calls(response),
          dialect.cost!(response),
        ]);
        expect(dialect.cost!(dialect.added!(response, response))!.tokens).toBe(
          2 * dialect.cost!(response)!.tokens!,
        );
      }
    });
  }

  it('Gemini: the signature of all calls stays on the first that is left', () => {
    const parts = [
      { functionCall: { name: 'a' }, thoughtSignature: 's' },
      { functionCall: { name: 'b' } },
    ];
    const response = { candidates: [{ content: { role: 'model', parts } }] };
    const left = geminiContent.without(response, [
      { index: 0, call: { id: '', tool: 'a', args: {} }, text: 'No.' },
    ]);
    expect(left).toMatchObject({
      candidates: [
        { content: { parts: [{ functionCall: { name: 'b' }, thoughtSignature: 's' }] } },
      ],
    });
  });
});

describe('upstreams', () => {
  it('are the known ones and those that are named', () => {
    const upstreams = readUpstreams([
      'local=http://127.0.0.1:11434',
      'openai=https://proxy.example/openai',
    ]) as ReadonlyMap<string, URL>;
    expect([...upstreams.keys()]).toEqual(['openai', 'anthropic', 'gemini', 'local']);
    expect(upstreams.get('openai')!.href).toBe('https://proxy.example/openai');
  });

  it.each([
    'local',
    '=http://x',
    'v1=http://x',
    'a/b=http://x',
    'a=ftp://x',
    'a=http://',
    'a=http://me:secret@x',
  ])('are not: %s', (given) => {
    const { wrong } = readUpstreams([given]) as { wrong: string };
    expect(wrong).not.toContain('secret');
  });
});
