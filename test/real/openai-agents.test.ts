import { join } from 'node:path';
import { isObject, type JsonObject, textOf } from '@unrut/engine/json';
import { beforeAll, describe, expect, it } from 'vitest';
import { openaiAgentsDialect as dialect } from '../../packages/adapters/src/frameworks/openai-agents/dialect.ts';
import {
  type FrameworkOptions,
  guardModel,
  guardProvider,
} from '../../packages/adapters/src/frameworks/openai-agents/index.ts';
import {
  type FrameworkUnderTest,
  OUTPUT_SCHEMA,
  type ScriptedAnswer,
  testFramework,
} from '../suites/test-framework.ts';
import { compileConsumer, runExample } from './consumers.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

/** The ends of the range that is supported. */
const VERSIONS = ['0.18.0', '0.20.0'] as const;

const install = (version: string): Promise<string> =>
  installPackage('@openai/agents', version, { '@modelcontextprotocol/client': '^2.0.0' });

type Script = Parameters<FrameworkUnderTest['open']>[0]['model'];
type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];
interface Request {
  input: string | JsonObject[];
  previousResponseId?: string;
  conversationId?: string;
  signal?: AbortSignal;
}
interface Result extends AsyncIterable<unknown> {
  finalOutput: unknown;
  history: JsonObject[];
  lastResponseId?: string;
  completed: Promise<void>;
  toTextStream(): AsyncIterable<string>;
}
interface Sdk {
  Agent: new (given: object) => { asTool(given: object): unknown };
  Runner: new (
    given: object,
  ) => { run(agent: unknown, input: unknown, how: object): Promise<Result> };
  tool(given: object): unknown;
  Usage: new (given: object) => object;
}
const sdks = new Map<string, Sdk>();

beforeAll(async () => {
  for (const version of VERSIONS)
    sdks.set(version, await import(join(await install(version), 'dist/index.mjs')));
}, INSTALL_TIMEOUT);

const itemsOf = (input: Request['input']): JsonObject[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input;
const textIn = (output: unknown): string =>
  isObject(output) ? textOf(output.text) : textOf(output);

/** A model that follows a script. */
class Scripted {
  readonly requests: Request[] = [];
  readonly #script: Script;
  readonly #sdk: Sdk;

  constructor(sdk: Sdk, script: Script) {
    this.#sdk = sdk;
    this.#script = script;
  }

  #answer(request: Request): ScriptedAnswer {
    this.requests.push(request);
    const items = dialect.items(request);
    const results = itemsOf(request.input).filter(({ type }) => type === 'function_call_result');
    const answer = this.#script({
      prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
      calls: items.flatMap((item) => (item.kind === 'call' ? item.id : [])),
      answered: results.map(({ callId }) => textOf(callId)),
      results: results.map(({ output }) => textIn(output)),
      request: JSON.stringify(request.input),
    });
    request.signal?.throwIfAborted();
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  #outputOf({ text, calls = [] }: ScriptedAnswer): JsonObject[] {
    const message = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    };
    return [
      ...(text === undefined ? [] : [message]),
      ...calls.map(({ id, tool, args }) => ({
        type: 'function_call',
        callId: id,
        name: tool,
        arguments: JSON.stringify(args),
        status: 'completed',
      })),
    ];
  }

  async getResponse(request: Request): Promise<object> {
    const output = this.#outputOf(this.#answer(request));
    const usage = new this.#sdk.Usage({
      requests: 1,
      inputTokens: 10,
      outputTokens: 5,
      totalTokens: 15,
    });
    return { output, usage, responseId: `response-${this.requests.length}` };
  }

  async *getStreamedResponse(request: Request): AsyncGenerator<JsonObject> {
    const answer = this.#answer(request);
    yield { type: 'response_started' };
    for (const delta of (answer.text ?? '').split(/(?<= )/))
      if (delta !== '') yield { type: 'output_text_delta', delta };
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    yield {
      type: 'response_done',
      response: { id: `response-${this.requests.length}`, usage, output: this.#outputOf(answer) },
    };
  }
}

const toolsOf = ({ tool }: Sdk, tools: Tools): unknown[] =>
  Object.entries(tools).map(([name, run]) =>
    tool({
      name,
      description: name,
      strict: false,
      parameters: {
        type: 'object',
        properties: name === 'search' ? { q: { type: 'string' } } : {},
        required: name === 'search' ? ['q'] : [],
        additionalProperties: true,
      },
      execute: async (args: JsonObject) => {
        if (name === 'search' && typeof args.q !== 'string') throw new Error('q: expected a text');
        return run(args);
      },
    }),
  );

const OUTPUT_TYPE = { type: 'json_schema', name: 'Found', strict: true, schema: OUTPUT_SCHEMA };

const frameworkOf = (version: string): FrameworkUnderTest => ({
  name: `OpenAI Agents ${version}`,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  cuts: true,
  resumes: true,
  open({ model: script, tools, options }) {
    const sdk = sdks.get(version)!;
    const bare = new Scripted(sdk, script);
    const agentWith = (outputType: object | undefined) =>
      new sdk.Agent({
        name: 'a',
        model: options ? guardModel(bare, options) : bare,
        tools: toolsOf(sdk, tools),
        ...(outputType ? { outputType } : {}),
      });
    const runner = new sdk.Runner({ tracingDisabled: true });
    return {
      async run(prompts, { stream = false, signal, history, steps, schema = false } = {}) {
        const agent = agentWith(schema ? OUTPUT_TYPE : undefined);
        let items = (history as JsonObject[] | undefined) ?? [];
        const pieces: string[] = [];
        let answer = '';
        const how = { maxTurns: steps ?? 120, stream, ...(signal ? { signal } : {}) };
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) items = [...items, { role: 'user', content: prompt }];
            const result = await runner.run(agent, items, how);
            if (stream) for await (const piece of result.toTextStream()) pieces.push(piece);
            if (stream) await result.completed;
            answer = textOf(result.finalOutput) || JSON.stringify(result.finalOutput ?? '');
            items = result.history;
          }
          return { answer, pieces, history: items };
        } catch (error) {
          // The number of turns is a limit that throws; what was done is in the state.
          const state = (error as { state?: { history: JsonObject[] } }).state;
          if (steps !== undefined && state) return { answer, pieces, history: state.history };
          return { answer, pieces, error };
        }
      },
    };
  },
});

describe('the OpenAI Agents SDK', () => {
  for (const version of VERSIONS)
    for (const { name, run } of testFramework(frameworkOf(version))) it(name, run);
});

const SAME = 'Three pages were found, none of which says more about it than the others do.';
const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];
const foo = (n: number): ScriptedAnswer => ({
  calls: [{ id: `call_number_${n}`, tool: 'search', args: { q: 'foo' } }],
});
const loop: Script = ({ calls }) =>
  calls.length < 30 ? foo(calls.length) : { text: 'I give up.' };
const newest = (): Sdk => sdks.get(VERSIONS[1])!;

it('counts what the requests that were refused or replaced have cost', async () => {
  const sdk = newest();
  const bare = new Scripted(sdk, loop);
  const agent = new sdk.Agent({
    name: 'a',
    model: guardModel(bare),
    tools: toolsOf(sdk, { search: () => SAME }),
  });
  const runner = new sdk.Runner({ tracingDisabled: true });
  const { rawResponses } = (await runner.run(agent, [{ role: 'user', content: 'Go.' }], {
    maxTurns: 50,
  })) as unknown as { rawResponses: { usage: { requests: number; inputTokens: number } }[] };
  const sum = (of: 'requests' | 'inputTokens'): number =>
    rawResponses.reduce((total, { usage }) => total + usage[of], 0);
  expect(bare.requests.length).toBeGreaterThan(rawResponses.length - 1);
  expect([sum('requests'), sum('inputTokens')]).toEqual([
    bare.requests.length,
    10 * bare.requests.length,
  ]);
});

describe('guardProvider', () => {
  it('guards models that are named by a text, also of an agent that is a tool', async () => {
    const rungs: string[] = [];
    const sessions = new Set<string>();
    const onPlan: FrameworkOptions['onPlan'] = ({ rung }, { session }) => {
      rungs.push(rung);
      sessions.add(session);
    };
    const script: Script = (reads) => {
      if (!reads.prompt.startsWith('Go.')) return loop(reads);
      return reads.calls.length === 0
        ? { calls: [{ id: 'helper_1', tool: 'helper', args: { input: 'Search.' } }] }
        : { text: 'Helped.' };
    };
    const sdk = newest();
    const provider = guardProvider({ getModel: async () => new Scripted(sdk, script) }, { onPlan });
    const helper = new sdk.Agent({
      name: 'helper',
      model: 'b',
      tools: toolsOf(sdk, { search: () => SAME }),
    });
    const runConfig = { modelProvider: provider, tracingDisabled: true };
    const asTool = helper.asTool({
      toolName: 'helper',
      toolDescription: 'Helps.',
      runConfig,
      runOptions: { maxTurns: 50 },
    });
    const agent = new sdk.Agent({ name: 'a', model: 'a', tools: [asTool] });
    const { finalOutput } = await new sdk.Runner(runConfig).run(agent, 'Go.', { maxTurns: 50 });
    expect([[...new Set(rungs)], sessions.size, finalOutput]).toEqual([LADDER, 1, 'Helped.']);
  });

  it('says what it cannot guard', () => {
    expect(() => guardModel('gpt-5' as never)).toThrow(
      /expected a model of the OpenAI Agents SDK, got string.*use guardProvider/,
    );
    expect(() => guardProvider('gpt-5' as never)).toThrow(/expected a model provider.*got string/);
  });
});

describe('a conversation that the provider keeps', () => {
  /** A provider that keeps histories, and refuses a request after which a call has no result. */
  function keeping(script: Script) {
    const histories = new Map<string, JsonObject[]>();
    const sdk = newest();
    const model = {
      asked: [] as Request[],
      async getResponse(request: Request): Promise<object> {
        this.asked.push(request);
        const before = request.conversationId ?? request.previousResponseId ?? '';
        const input = [...(histories.get(before) ?? []), ...itemsOf(request.input)];
        const of = (type: string) =>
          input.filter((item) => item.type === type).map(({ callId }) => callId);
        const open = of('function_call').filter((id) => !of('function_call_result').includes(id));
        if (open.length > 0)
          throw new Error(`400 No tool output found for function call ${open.join()}.`);
        const inner = new Scripted(sdk, script);
        const response = (await inner.getResponse({ ...request, input })) as {
          output: JsonObject[];
          usage: object;
        };
        const responseId = `response-${this.asked.length}`;
        histories.set(request.conversationId ?? responseId, [...input, ...response.output]);
        return { ...response, responseId };
      },
      getStreamedResponse(): never {
        throw new Error('not streamed');
      },
    };
    return { sdk, model };
  }

  it.each(['conversationId', 'previousResponseId'])(
    'is warned, blocked and stopped with %s, and continues when the user speaks',
    async (field) => {
      const rungs: string[] = [];
      const script: Script = (reads) =>
        reads.prompt.startsWith('Leave') ? { text: 'Gladly.' } : loop(reads);
      const { sdk, model } = keeping(script);
      const guarded = guardModel(model, { onPlan: ({ rung }) => void rungs.push(rung) });
      const agent = new sdk.Agent({
        name: 'a',
        model: guarded,
        tools: toolsOf(sdk, { search: () => SAME }),
      });
      const runner = new sdk.Runner({ tracingDisabled: true });
      const first = await runner.run(agent, 'Go.', { maxTurns: 50, [field]: 'begun' });
      expect([...new Set(rungs)]).toEqual(LADDER);
      expect(first.finalOutput).toMatch(/stopped/i);
      const how =
        field === 'conversationId'
          ? { conversationId: 'begun' }
          : { previousResponseId: first.lastResponseId };
      const second = await runner.run(agent, 'Leave it.', { maxTurns: 5, ...how });
      expect(second.finalOutput).toBe('Gladly.');
    },
  );
});

it('a consumer compiles, and the guarded model keeps its type', async () => {
  for (const version of VERSIONS)
    await compileConsumer(
      await install(version),
      `import { Agent, OpenAIProvider, Runner, type Model } from '@openai/agents';
      import { guardModel, guardProvider } from 'unrut/openai-agents';
      declare const model: Model;
      export const same: Model = guardModel(model, { shadow: true });
      export const provider: OpenAIProvider = guardProvider(new OpenAIProvider());
      export const runner = new Runner({ modelProvider: provider });
      export const agent = new Agent({ name: 'a', model: guardModel(model) });
      // @ts-expect-error: a name is no model.
      guardModel('gpt-5');`,
    );
});

it('the example runs as it says', async () => {
  const lines = await runExample('openai-agents', await install(VERSIONS[1]));
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(LADDER);
  expect(lines.join('\n')).toMatch(/^\d searches instead of 50\. The last answer:\n.*stop/im);
});
