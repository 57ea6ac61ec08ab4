import type { JsonObject } from '@unrut/engine/json';
import { scripted, usage } from '@unrut/test/frameworks/scripted-ai-sdk';
import { withoutWaiting } from '@unrut/test/frameworks/without-waiting';
import { testDialect } from '@unrut/test/suites/test-dialect';
import {
  type FrameworkUnderTest,
  OUTPUT_SCHEMA,
  type ScriptedAnswer,
  testFramework,
} from '@unrut/test/suites/test-framework';
import * as ai7 from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai-6';
import { describe, expect, it } from 'vitest';
import { aiSdkDialect, type ModelRequest } from './dialect.ts';
import { guardModel, guardProvider, unrutApproval } from './index.ts';

type Ai = typeof ai7;
type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];
type Model = Parameters<FrameworkUnderTest['open']>[0]['model'];

function toolsOf(ai: Ai, tools: Tools): never {
  const isRight = (name: string, value: unknown): boolean =>
    name !== 'search' || typeof (value as JsonObject).q === 'string';
  return Object.fromEntries(
    Object.entries(tools).map(([name, run]) => [
      name,
      ai.tool({
        inputSchema: ai.jsonSchema(
          { type: 'object' },
          {
            validate: (value) =>
              isRight(name, value)
                ? { success: true, value: value as JsonObject }
                : { success: false, error: new Error('q: expected a text') },
          },
        ),
        execute: async (args: JsonObject) => run(args),
      } as never),
    ]),
  ) as never;
}

const frameworkOf = (version: 6 | 7, ai: Ai): FrameworkUnderTest => ({
  name: `AI SDK ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  cuts: true,
  resumes: true,
  open({ model: script, tools, options }) {
    const bare = scripted(version, script);
    const model = options ? guardModel(bare, options) : bare;
    return {
      async run(prompts, { stream = false, signal, history, steps = 120, schema } = {}) {
        let messages = (history as ai7.ModelMessage[] | undefined) ?? [];
        const pieces: string[] = [];
        let answer = '';
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) messages = [...messages, { role: 'user', content: prompt }];
            const asked = {
              model,
              tools: toolsOf(ai, tools),
              messages,
              stopWhen: ai.stepCountIs(steps),
              maxRetries: 0,
              ...(signal ? { abortSignal: signal } : {}),
              ...(schema
                ? { output: ai.Output.object({ schema: ai.jsonSchema(OUTPUT_SCHEMA as never) }) }
                : {}),
            };
            if (stream) {
              let failure: unknown;
              const onError = ({ error }: { error: unknown }): void => {
                failure = error;
              };
              const result = ai.streamText({ ...asked, onError } as never);
              for await (const piece of result.textStream) pieces.push(piece);
              if (failure) throw failure;
              answer = await result.text;
              messages = [...messages, ...(await result.response).messages];
            } else {
              const result = await ai.generateText(asked as never);
              answer = result.text;
              messages = [...messages, ...result.response.messages];
            }
          }
          return { answer, pieces, history: messages };
        } catch (error) {
          return { answer, pieces, error };
        }
      },
    };
  },
});

describe('the AI SDK', () => {
  for (const framework of [frameworkOf(7, ai7), frameworkOf(6, ai6 as unknown as Ai)])
    for (const { name, run } of testFramework(framework)) it(name, withoutWaiting(run));
});

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const foo = (n: number): ScriptedAnswer => ({
  calls: [{ id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } }],
});
const loop: Model = ({ calls }) => (calls.length < 30 ? foo(calls.length) : { text: 'I give up.' });

describe('guardModel', () => {
  it('keeps what it does not know of a model, and says what it cannot guard', async () => {
    class Private {
      readonly specificationVersion = 'v4';
      readonly #secret = 'mine';
      get supportedUrls() {
        return Promise.resolve({ own: this.#secret });
      }
      doGenerate = async () => ({});
      doStream = async () => ({});
      whose() {
        return this.#secret;
      }
    }
    const model = guardModel(new Private());
    expect(model.whose()).toBe('mine');
    await expect(model.supportedUrls).resolves.toEqual({ own: 'mine' });
    expect(() => guardModel({ ...new Private(), specificationVersion: 'v2' })).toThrow(
      /expected a model of the AI SDK 6 or 7.*got specification v2/,
    );
    expect(() => guardModel('gpt-5' as never)).toThrow(
      /got string\. Pass a model object; for model names, use guardProvider/,
    );
  });

  it('guards a ToolLoopAgent', async () => {
    const rungs: string[] = [];
    const model = guardModel(scripted(7, loop), { onPlan: ({ rung }) => void rungs.push(rung) });
    const agent = new ai7.ToolLoopAgent({
      model,
      tools: toolsOf(ai7, { search: () => SAME }),
      stopWhen: ai7.stepCountIs(50),
    } as never);
    const { text, steps } = await agent.generate({ prompt: 'Go.' } as never);
    expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
    expect(text).toMatch(/stopped/i);
    expect(steps.at(-1)!.providerMetadata).toMatchObject({ unrut: { stopped: { text } } });
  });

  it('throws a LoopError where the user wants that', async () => {
    const model = guardModel(scripted(7, loop), { onStop: 'throw' });
    const run = ai7.generateText({
      model,
      tools: toolsOf(ai7, { search: () => SAME }),
      prompt: 'Go.',
      stopWhen: ai7.stepCountIs(50),
    } as never);
    await expect(run).rejects.toMatchObject({
      name: 'LoopError',
      code: 'loop',
      plan: { rung: 'stop' },
    });
  });

  it('tells a stream of a thrown stop by one error part and a finish, and a chat route by an error chunk', async () => {
    const errors: unknown[] = [];
    const run = () =>
      ai7.streamText({
        model: guardModel(scripted(7, loop), { onStop: 'throw' }),
        tools: toolsOf(ai7, { search: () => SAME }),
        prompt: 'Go.',
        stopWhen: ai7.stepCountIs(50),
        onError: ({ error }: { error: unknown }) => void errors.push(error),
      } as never);
    const parts: { type: string; error?: unknown }[] = [];
    for await (const part of run().fullStream) parts.push(part);
    expect(parts.filter(({ type }) => type === 'error')).toEqual([
      { type: 'error', error: expect.objectContaining({ name: 'LoopError' }) },
    ]);
    expect(errors).toHaveLength(1);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    const body = await run()
      .toUIMessageStreamResponse({ onError: (error) => (error as Error).message })
      .text();
    expect(body.match(/"type":"error"/g)).toHaveLength(1);
    expect(body).toMatch(/Unrut stopped the run/);
    expect(body).toMatch(/"type":"finish"/);
  });

  it('counts what the requests that were refused or replaced have cost', async () => {
    let asked = 0;
    const counting: Model = (reads) => {
      asked++;
      return loop(reads);
    };
    for (const stream of [false, true]) {
      asked = 0;
      const given = {
        model: guardModel(scripted(7, counting)),
        tools: toolsOf(ai7, { search: () => SAME }),
        prompt: 'Go.',
        stopWhen: ai7.stepCountIs(50),
      } as never;
      const result = stream ? ai7.streamText(given) : await ai7.generateText(given);
      if ('consumeStream' in result) await result.consumeStream();
      const { inputTokens, outputTokens } = await result.totalUsage;
      expect([inputTokens, outputTokens]).toEqual([10 * asked, 5 * asked]);
    }
  });

  it('climbs where a server gives every call the same id', async () => {
    const rungs: string[] = [];
    const same: Model = ({ answered }) =>
      answered.length < 30
        ? { calls: [{ id: 'call_0', tool: 'search', args: { q: 'foo' } }] }
        : { text: 'No.' };
    const model = guardModel(scripted(7, same), { onPlan: ({ rung }) => void rungs.push(rung) });
    await ai7.generateText({
      model,
      tools: toolsOf(ai7, { search: () => SAME }),
      prompt: 'Go.',
      stopWhen: ai7.stepCountIs(50),
    } as never);
    expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  });

  it('never refuses a call that the provider runs itself, and leaves tools of a client to it', async () => {
    const content = [
      { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: '{}', providerExecuted: true },
      { type: 'tool-call', toolCallId: 'c', toolName: 'ask_user', input: '{}' },
    ];
    expect(
      aiSdkDialect.calls({ content, finishReason: 0, usage: 0, warnings: [] }).map(({ id }) => id),
    ).toEqual(['c']);
    const model = guardModel(
      scripted(7, () => ({ calls: [{ id: 'c', tool: 'ask_user', args: {} }] })),
    );
    const tools = { ask_user: ai7.tool({ inputSchema: ai7.jsonSchema({ type: 'object' }) }) };
    const { toolCalls } = await ai7.generateText({
      model,
      tools,
      prompt: 'Go.',
      stopWhen: ai7.stepCountIs(5),
    });
    expect(toolCalls).toHaveLength(1);
  });

  it('ends a stream that says the same for ever, as a normal end', async () => {
    let sent = 0;
    const endless = new MockLanguageModelV4({
      doStream: async () => ({
        stream: new ReadableStream({
          pull(controller) {
            if (sent === 0) controller.enqueue({ type: 'text-start', id: '1' });
            controller.enqueue({ type: 'text-delta', id: '1', delta: 'I will try again. ' });
            if (++sent > 20_000) controller.close();
          },
        }),
      }),
    } as never);
    const result = ai7.streamText({ model: guardModel(endless), prompt: 'Go.' });
    let length = 0;
    for await (const piece of result.textStream) length += piece.length;
    expect(await result.finishReason).toBe('stop');
    expect(length).toBeGreaterThan(100);
    expect(sent).toBeLessThan(20_000);
    const { unrut } = (await result.providerMetadata) as { unrut: { stopped: { text: string } } };
    expect((await result.text).endsWith(unrut.stopped.text)).toBe(true);
    expect(unrut.stopped.text).toMatch(/^Unrut[: ]/);
    expect(unrut.stopped.text).not.toContain('advice');
  });

  it.each(['breaks', 'holds an error'])(
    'lets the calls pass when the stream of a request of its own %s',
    async (how) => {
      const faults: string[] = [];
      let asked = 0;
      const model = new MockLanguageModelV4({
        doStream: async ({ prompt }: JsonObject) => {
          asked++;
          const calls = aiSdkDialect
            .items({ prompt: prompt as [] })
            .filter(({ kind }) => kind === 'call').length;
          const isAgain = JSON.stringify(prompt).includes('error-text');
          const id = `call_number_${calls}`;
          const parts: JsonObject[] =
            calls === 7 && !isAgain
              ? [
                  { type: 'text-start', id: '0' },
                  { type: 'text-delta', id: '0', delta: 'Done.' },
                  { type: 'text-end', id: '0' },
                ]
              : [{ type: 'tool-call', toolCallId: id, toolName: 'search', input: '{"q":"foo"}' }];
          const finish = { unified: calls === 7 ? 'stop' : 'tool-calls', raw: undefined };
          const again = [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'I ' },
            ...(how === 'breaks' ? [] : [{ type: 'error', error: new Error('overloaded') }]),
          ];
          return {
            stream: new ReadableStream({
              start(controller) {
                controller.enqueue({ type: 'stream-start', warnings: [] });
                for (const part of isAgain ? again : parts) controller.enqueue(part);
                if (isAgain) return controller.error(new Error('The connection was lost.'));
                controller.enqueue({ type: 'finish', finishReason: finish, usage });
                controller.close();
              },
            }),
          };
        },
      } as never);
      const errors: unknown[] = [];
      const result = ai7.streamText({
        model: guardModel(model, {
          can: ['note', 'hint', 'block'],
          onFault: ({ message }) => void faults.push(message),
        }),
        tools: toolsOf(ai7, { search: () => SAME }),
        prompt: 'Go.',
        stopWhen: ai7.stepCountIs(20),
        onError: ({ error }: { error: unknown }) => void errors.push(error),
      } as never);
      expect([await result.text, errors]).toEqual(['Done.', []]);
      expect(faults.length).toBeGreaterThan(0);
      expect(asked).toBe(8 + faults.length);
    },
  );

  it('tells a silent model at once that nobody wants the rest of its stream', async () => {
    const reasons: unknown[] = [];
    const silent = new MockLanguageModelV4({
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue({ type: 'stream-start', warnings: [] }),
          cancel: (reason) => void reasons.push(reason),
        }),
      }),
    } as never);
    const { stream } = await guardModel(silent).doStream({ prompt: [] } as never);
    const reader = stream.getReader();
    await reader.read();
    const next = reader.read();
    await reader.cancel('enough');
    expect([reasons, await next]).toEqual([['enough'], { done: true, value: undefined }]);
  });

  it('sends what a provider has signed back with its signature when it asks again', () => {
    const response = {
      content: [
        { type: 'reasoning', text: 'Hm.', providerMetadata: { anthropic: { signature: 'x' } } },
        { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: '{"q":"foo"}' },
      ],
      finishReason: 0,
      usage: 0,
      warnings: [],
    };
    const { prompt } = aiSdkDialect.askAgain({ prompt: [] }, response, [
      { index: 0, call: { id: 'a', tool: 'search', args: {} }, text: 'No.' },
    ]);
    expect(prompt).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'x' } } },
          { type: 'tool-call', toolCallId: 'a', toolName: 'search', input: { q: 'foo' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'search',
            output: { type: 'error-text', value: 'No.' },
          },
        ],
      },
    ]);
  });

  it('takes the name of the run from providerOptions', async () => {
    const names: unknown[] = [];
    const model = guardModel(scripted(7, loop), { onPlan: (_, about) => void names.push(about) });
    const providerOptions = { unrut: { session: 's', agent: 'helper' } };
    await ai7.generateText({
      model,
      tools: toolsOf(ai7, { search: () => SAME }),
      prompt: 'Go.',
      stopWhen: ai7.stepCountIs(4),
      providerOptions,
    } as never);
    expect(names).toEqual([{ session: 's', agent: 'helper' }]);
  });
});

describe('guardProvider', () => {
  const open = (rungs: string[]) => {
    const provider = Object.assign((_: string) => scripted(7, loop), {
      specificationVersion: 'v4',
      languageModel: (_: string) => scripted(7, loop),
    });
    return guardProvider(provider, { onPlan: ({ rung }) => void rungs.push(rung) });
  };

  it('guards models that are named by a text', async () => {
    const rungs: string[] = [];
    const provider = open(rungs);
    for (const model of [provider('a'), provider.languageModel('b')])
      await ai7.generateText({
        model,
        tools: toolsOf(ai7, { search: () => SAME }),
        prompt: 'Go.',
        stopWhen: ai7.stepCountIs(4),
      } as never);
    expect(rungs).toEqual(['note', 'note']);
    const all = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
    const usual = all.AI_SDK_DEFAULT_PROVIDER;
    all.AI_SDK_DEFAULT_PROVIDER = provider;
    try {
      await ai7.generateText({
        model: 'any/model',
        tools: toolsOf(ai7, { search: () => SAME }),
        prompt: 'Go.',
        stopWhen: ai7.stepCountIs(4),
      } as never);
      expect(rungs).toHaveLength(3);
    } finally {
      all.AI_SDK_DEFAULT_PROVIDER = usual;
    }
  });
});

describe('unrutApproval', () => {
  it('denies a futile call with words for the model, and asks the person when that did not help', async () => {
    const ran: string[] = [];
    const asked = {
      model: scripted(7, loop),
      tools: toolsOf(ai7, {
        search: () => {
          ran.push('search');
          return SAME;
        },
      }),
      prompt: 'Go.',
      stopWhen: ai7.stepCountIs(30),
      toolApproval: unrutApproval(),
    };
    const result = await ai7.generateText(asked as never);
    const denied = result.steps.flatMap(({ content }) =>
      content.filter((part) => part.type === 'tool-approval-response' && !part.approved),
    );
    expect(denied.length).toBeGreaterThan(0);
    expect(result.content.some(({ type }) => type === 'tool-approval-request')).toBe(true);
    expect(ran.length).toBeLessThan(9);
  });
});

describe('the dialect of the AI SDK', () => {
  const call = (id: string) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'search',
    input: { q: id },
  });
  const result = (id: string, output: JsonObject) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'search',
    output,
  });
  const requests: ModelRequest[] = [
    {
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Hm.' },
            call('a'),
            call('b'),
            call('c'),
            call('d'),
            call('e'),
            call('f'),
          ],
        },
        {
          role: 'tool',
          content: [
            result('a', { type: 'text', value: 'one' }),
            result('b', { type: 'json', value: { n: 1 } }),
            result('c', { type: 'error-text', value: 'bad' }),
            result('d', { type: 'error-json', value: { code: 1 } }),
            result('e', { type: 'content', value: [{ type: 'text', text: 'x' }] }),
            result('f', { type: 'execution-denied' }),
          ],
        },
      ],
    },
  ];
  const responses = [
    {
      content: [
        { type: 'text', text: 'Now.' },
        ...['g', 'h'].map((id) => ({ ...call(id), input: JSON.stringify({ q: id }) })),
      ],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    },
  ];
  const malformed = (value: unknown) => ({ prompt: Array.isArray(value) ? value : [value] });
  for (const { name, run } of testDialect('AI SDK', aiSdkDialect, {
    requests,
    responses,
    malformed,
  }))
    it(name, run);

  it('adds up what two responses cost', () => {
    expect(aiSdkDialect.added!(responses[0]!, responses[0]!).usage).toEqual({
      inputTokens: { total: 20, noCache: 20 },
      outputTokens: { total: 10, text: 10 },
    });
  });
});

it('the example runs as it says', async () => {
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => void lines.push(line);
  try {
    // @ts-expect-error: a program without types.
    await import('../../../../../examples/frameworks/ai-sdk.mjs');
  } finally {
    console.log = log;
  }
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  expect(lines.at(-1)).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/i);
});
