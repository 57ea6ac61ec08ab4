import { join } from 'node:path';
import { present } from '@unrut/engine/json';
import { installPackage } from '../real/install-agent.ts';
import type { Json } from './apis/provider-api.ts';

/** The versions that were tried. */
export const CLIENTS: readonly (readonly [name: string, version: string])[] = [
  ['openai', '7.53.0'],
  ['@anthropic-ai/sdk', '1.8.0'],
  ['@google/genai', '2.32.0'],
];

/** A call as a program sees it, with its result. */
export interface Called {
  id: string;
  tool: string;
  args: Json;
}
export interface Returned extends Called {
  text: string;
  isError: boolean;
}

/** A program's conversation with a model, held with a provider's own client. */
export interface Talk {
  history: Json;
  say(prompt: string): void;
  ask(how: {
    stream: boolean;
    signal?: AbortSignal | undefined;
    pieces: string[];
  }): Promise<{ text: string; calls: Called[] }>;
  answer(results: readonly Returned[]): void;
}

/** How to begin one at an address, and whether the model thinks in it. */
export type OpenTalk = (url: string, thinks: boolean) => Promise<Talk>;

const SECRET_KEY = 'sk-test-0123456789abcdefghijklmnop';
const SCHEMA = { type: 'object', properties: { q: { type: 'string' } } };
const NAMES = ['search', 'throwing', 'status'];
const load = async (i: 0 | 1 | 2, file: string): Promise<Json> =>
  import(join(await installPackage(...CLIENTS[i]!), file));

export const chatTalk: OpenTalk = async (url) => {
  const { OpenAI } = await load(0, 'index.mjs');
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: SECRET_KEY, maxRetries: 0 });
  const tools = NAMES.map((name) => ({ type: 'function', function: { name, parameters: SCHEMA } }));
  const talk: Talk = {
    history: [],
    say: (content) => void talk.history.push({ role: 'user', content }),
    async ask({ stream, signal, pieces }) {
      const given = { model: 'scripted', messages: [...talk.history], tools };
      let completion: Json;
      if (stream) {
        const runner = client.chat.completions.stream(
          { ...given, stream_options: { include_usage: true } },
          { signal },
        );
        runner.on('content', (piece: string) => pieces.push(piece));
        completion = await runner.finalChatCompletion();
      } else completion = await client.chat.completions.create(given, { signal });
      const { role, content, tool_calls } = completion.choices[0].message;
      talk.history.push({ role, content, ...(tool_calls?.length ? { tool_calls } : {}) });
      const calls = (tool_calls ?? []).map((call: Json) => ({
        id: call.id,
        tool: call.function.name,
        args: JSON.parse(call.function.arguments),
      }));
      return { text: content ?? '', calls };
    },
    answer: (results) =>
      void talk.history.push(
        ...results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
      ),
  };
  return talk;
};

export const anthropicTalk: OpenTalk = async (url, thinks) => {
  const { Anthropic } = await load(1, 'index.mjs');
  const client = new Anthropic({ baseURL: url, apiKey: SECRET_KEY, maxRetries: 0 });
  const tools = NAMES.map((name) => ({ name, input_schema: SCHEMA }));
  const thinking = thinks ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {};
  const talk: Talk = {
    history: [],
    say: (content) => void talk.history.push({ role: 'user', content }),
    async ask({ stream, signal, pieces }) {
      const given = {
        model: 'scripted',
        max_tokens: 4096,
        messages: [...talk.history],
        tools,
        ...thinking,
      };
      const streamed = stream
        ? client.messages
            .stream(given, { signal })
            .on('text', (piece: string) => pieces.push(piece))
        : undefined;
      const { content } = streamed
        ? await streamed.finalMessage()
        : await client.messages.create(given, { signal });
      talk.history.push({ role: 'assistant', content });
      const calls = content
        .filter(({ type }: Json) => type === 'tool_use')
        .map(({ id, name, input }: Json) => ({ id, tool: name, args: input }));
      return { text: content.map((block: Json) => block.text ?? '').join(''), calls };
    },
    answer(results) {
      const content = results.map(({ id, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        ...(isError ? { is_error: true } : {}),
      }));
      talk.history.push({ role: 'user', content });
    },
  };
  return talk;
};

/** How many were begun, by address. */
const conversations = new Map<string, number>();

/**
 * The whole history each time, or only the new items since the last response, or in a conversation
 * stored by the provider.
 */
export const responsesTalk =
  (kept: 'nowhere' | 'response' | 'conversation'): OpenTalk =>
  async (url) => {
    const { OpenAI } = await load(0, 'index.mjs');
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: SECRET_KEY, maxRetries: 0 });
    const tools = NAMES.map((name) => ({
      type: 'function',
      name,
      parameters: SCHEMA,
      strict: false,
    }));
    const number = (conversations.get(url) ?? 0) + 1;
    conversations.set(url, number);
    const talk: Talk = {
      history: { input: [] },
      say: (content) => void talk.history.input.push({ role: 'user', content }),
      async ask({ stream, signal, pieces }) {
        const { input, previous } = talk.history;
        const from =
          kept === 'conversation'
            ? { conversation: `conv_${number}` }
            : previous
              ? { previous_response_id: previous }
              : {};
        const given = { model: 'scripted', input: [...input], tools, ...from };
        let response: Json;
        if (stream) {
          const runner = client.responses.stream(given, { signal });
          runner.on('response.output_text.delta', ({ delta }: Json) => pieces.push(delta));
          response = await runner.finalResponse();
        } else response = await client.responses.create(given, { signal });
        const output = response.output.map(({ parsed_arguments: _, ...item }: Json) => item);
        talk.history =
          kept === 'nowhere'
            ? { input: [...input, ...output] }
            : { input: [], previous: kept === 'response' ? response.id : undefined };
        const calls = output
          .filter(({ type }: Json) => type === 'function_call')
          .map(({ call_id, name, arguments: args }: Json) => ({
            id: call_id,
            tool: name,
            args: JSON.parse(args),
          }));
        return { text: response.output_text ?? '', calls };
      },
      answer: (results) =>
        void talk.history.input.push(
          ...results.map(({ id, text }) => ({
            type: 'function_call_output',
            call_id: id,
            output: text,
          })),
        ),
    };
    return talk;
  };

export const geminiTalk: OpenTalk = async (url) => {
  const { GoogleGenAI } = await load(2, 'dist/node/index.mjs');
  const client = new GoogleGenAI({ apiKey: SECRET_KEY, httpOptions: { baseUrl: url } });
  const tools = [
    { functionDeclarations: NAMES.map((name) => ({ name, parametersJsonSchema: SCHEMA })) },
  ];
  const talk: Talk = {
    history: [],
    say: (text) => void talk.history.push({ role: 'user', parts: [{ text }] }),
    async ask({ stream, signal, pieces }) {
      const given = {
        model: 'scripted',
        contents: [...talk.history],
        config: { tools, ...(signal ? { abortSignal: signal } : {}) },
      };
      const parts: Json[] = [];
      const add = ({ candidates }: Json, isPiece: boolean) => {
        for (const part of candidates?.[0]?.content?.parts ?? []) {
          if (isPiece && part.text && !part.thought) pieces.push(part.text);
          parts.push(part);
        }
      };
      if (stream)
        for await (const chunk of await client.models.generateContentStream(given))
          add(chunk, true);
      else add(await client.models.generateContent(given), false);
      talk.history.push({ role: 'model', parts });
      const calls = parts
        .filter(({ functionCall }) => functionCall)
        .map(({ functionCall: { id, name, args } }) => ({ id, tool: name, args }));
      return {
        text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
        calls,
      };
    },
    answer(results) {
      const parts = results.map(({ id, tool, text, isError }) => ({
        functionResponse: {
          ...present({ id }),
          name: tool,
          response: isError ? { error: text } : { output: text },
        },
      }));
      talk.history.push({ role: 'user', parts });
    },
  };
  return talk;
};
