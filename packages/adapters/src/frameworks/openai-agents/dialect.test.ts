import { testDialect } from '@unrut/test/suites/test-dialect';
import { describe, expect, it } from 'vitest';
import { type AgentRequest, openaiAgentsDialect as dialect } from './dialect.ts';

const call = (id: string) => ({
  type: 'function_call',
  callId: id,
  name: 'search',
  arguments: `{"q":"${id}"}`,
  status: 'completed',
});
const result = (id: string, output: unknown) => ({
  type: 'function_call_result',
  callId: id,
  name: 'search',
  status: 'completed',
  output,
});

const requests: AgentRequest[] = [
  {
    input: [
      { role: 'user', content: 'Go.' },
      { type: 'reasoning', content: [{ type: 'input_text', text: 'Hm.' }] },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Now.' }],
      },
      call('a'),
      call('b'),
      call('c'),
      call('d'),
      result('a', { type: 'text', text: 'one' }),
      result('b', 'two'),
      result('c', [{ type: 'input_text', text: 'three' }]),
      result('d', { type: 'image', image: 'https://example.org/four.png' }),
    ],
  },
  { input: 'Go.' },
];
const responses = [
  {
    output: [...requests[0]!.input.slice(1, 3), call('e'), call('f')],
    usage: { totalTokens: 15 },
    responseId: 'r',
  },
];

describe('the dialect of the OpenAI Agents SDK', () => {
  const malformed = (value: unknown) => ({ input: value as string });
  for (const { name, run } of testDialect('OpenAI Agents', dialect, {
    requests,
    responses,
    malformed,
  }))
    it(name, run);

  it.each([
    ['An error occurred while running the tool. Please try again.', { error: true }],
    [
      'An error occurred while parsing tool arguments. Please try again with valid JSON.',
      { error: true, refusedBy: 'schema' },
    ],
    ['Tool execution was not approved.', { error: true, refusedBy: 'user' }],
    ['An error occurred in the log that was asked for.', {}],
  ])('reads the outcome of a call from the words %j', (text, how) => {
    const [, item] = dialect.items({ input: [call('a'), result('a', { type: 'text', text })] });
    expect(item).toEqual({ kind: 'result', id: 'a', at: [1], result: text, ...how });
  });

  it('sends only refusals where the provider keeps the response', () => {
    const refused = [{ index: 0, call: { id: 'e', tool: 'search', args: {} }, text: 'No.' }];
    const response = { ...responses[0]!, output: [call('e')] };
    const refusals = [result('e', { type: 'text', text: 'No.' })];
    expect(
      dialect.askAgain({ input: 'Go.', conversationId: 'c' }, response, refused).input,
    ).toEqual(refusals);
    expect(dialect.askAgain({ input: 'Go.', previousResponseId: 'q' }, response, refused)).toEqual({
      input: refusals,
      previousResponseId: 'r',
    });
  });

  it('adds up what two responses cost', () => {
    expect(dialect.added!(responses[0]!, responses[0]!).usage).toEqual({ totalTokens: 30 });
  });
});
