import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveOtlp } from '../server/otlp-server.ts';
import { INSTALL_TIMEOUT, installPackages } from './install-agent.ts';

const PACKAGES = {
  ai: '7.0.169',
  '@ai-sdk/otel': '1.0.169',
  langchain: '1.5.14',
  '@langchain/core': '1.2.13',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-sdk': '1.12.0',
  '@langchain/langgraph-checkpoint': '1.1.5',
  '@arizeai/openinference-instrumentation-langchain': '4.1.1',
  '@arizeai/openinference-instrumentation-openai-agents': '0.2.15',
  '@traceloop/instrumentation-openai': '0.27.0',
  openai: '^5.0.0',
  '@openai/agents': '0.20.0',
  zod: '^4.0.0',
  '@opentelemetry/api': '^1.10.0',
  '@opentelemetry/sdk-trace': '^3.1.0',
  '@opentelemetry/context-async-hooks': '^3.1.0',
  '@opentelemetry/exporter-trace-otlp-proto': '^0.301.0',
};

const guide = readFileSync(join(import.meta.dirname, '../../docs/otlp.md'), 'utf8');
/** The first program in the guide after these words. */
const recipeOf = (words: string): string =>
  /```js\n([\s\S]*?)```/.exec(guide.slice(guide.indexOf(words)))![1]!;

const ROUNDS = 7;
/** A model that asks for the same search again and again, or each time for another, then ends. */
const COMMON = `${recipeOf('To say which session')}
const isStuck = process.env.STUCK === '1';
const query = (n) => JSON.stringify({ q: isStuck ? 'foo' : 'topic ' + n * 7919 });
const found = ({ q }) => (isStuck ? 'Three pages, none of which says more than the others do.' : 'About ' + q + ': ' + q.split('').reverse().join(' '));
`;

const AGENTS: Record<string, string> = {
  '**AI SDK**': `
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
let n = 0;
const model = new MockLanguageModelV4({ doGenerate: async () => ({
  content: n++ < ${ROUNDS} ? [{ type: 'tool-call', toolCallId: 'call_abc' + n + 'xyz', toolName: 'search', input: query(n) }] : [{ type: 'text', text: 'Done.' }],
  finishReason: { unified: n <= ${ROUNDS} ? 'tool-calls' : 'stop', raw: undefined },
  usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } }, warnings: [] }) });
const inputSchema = jsonSchema({ type: 'object', properties: { q: { type: 'string' } } });
const search = tool({ description: 'Searches.', inputSchema, execute: async (args) => found(args) });
await inSession('chat-1', () => generateText({ model, tools: { search }, prompt: 'Find it.', stopWhen: stepCountIs(20) }));`,
  '**LangChain**': `
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
let n = 0;
class Model extends BaseChatModel {
  _llmType() { return 'scripted'; }
  bindTools() { return this; }
  async _generate() {
    const calls = () => [{ id: 'call_abc' + n + 'xyz', name: 'search', args: JSON.parse(query(n)) }];
    const message = n++ < ${ROUNDS} ? new AIMessage({ content: '', tool_calls: calls() }) : new AIMessage('Done.');
    return { generations: [{ text: '', message }] };
  }
}
const search = tool(async (args) => found(args), { name: 'search', description: 'Searches.', schema: { type: 'object', properties: { q: { type: 'string' } } } });
const messages = [{ role: 'user', content: 'Find it.' }];
await inSession('chat-1', () => createAgent({ model: new Model({}), tools: [search] }).invoke({ messages }));`,
  '**OpenLLMetry**': `
import OpenAI from 'openai';
const client = new OpenAI({ apiKey: 'none', baseURL: process.env.MODEL_URL });
const tools = [{ type: 'function', function: { name: 'search', parameters: { type: 'object' } } }];
await inSession('chat-1', async () => {
  const messages = [{ role: 'user', content: 'Find it.' }];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-x', messages, tools });
    messages.push(choices[0].message);
    const calls = choices[0].message.tool_calls ?? [];
    if (calls.length === 0) break;
    for (const { id, function: { arguments: args } } of calls) messages.push({ role: 'tool', tool_call_id: id, content: found(JSON.parse(args)) });
  }
});`,
  '**OpenAI Agents**': `
import { Agent, OpenAIChatCompletionsModel, run, tool } from '@openai/agents';
import OpenAI from 'openai';
const parameters = { type: 'object', properties: { q: { type: 'string' } }, required: [], additionalProperties: true };
const search = tool({ name: 'search', description: 'Searches.', strict: false, parameters, execute: async (args) => found(args) });
const model = new OpenAIChatCompletionsModel(new OpenAI({ apiKey: 'none', baseURL: process.env.MODEL_URL }), 'gpt-x');
await inSession('chat-1', () => run(new Agent({ name: 'finder', instructions: 'Search.', model, tools: [search] }), 'Find it.', { maxTurns: 20 }));`,
};

/** Answers as OpenAI does: this many calls of the tool, then an end. It counts by its input. */
const model = createServer((asked, answer) => {
  let body = '';
  asked.on('data', (piece) => {
    body += piece;
  });
  asked.on('end', () => {
    const round = (JSON.parse(body).messages as { role: string }[]).filter(
      ({ role }) => role === 'tool',
    ).length;
    const isStuck = asked.url!.startsWith('/stuck');
    const call = {
      name: 'search',
      arguments: JSON.stringify({ q: isStuck ? 'foo' : `topic ${(round + 1) * 7919}` }),
    };
    const message =
      round < ROUNDS
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `call_abc${round}xyz`, type: 'function', function: call }],
          }
        : { role: 'assistant', content: 'Done.' };
    const choices = [{ index: 0, message, finish_reason: round < ROUNDS ? 'tool_calls' : 'stop' }];
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    answer.setHeader('content-type', 'application/json');
    answer.end(
      JSON.stringify({
        id: `c${round}`,
        object: 'chat.completion',
        created: 1,
        model: 'gpt-x',
        choices,
        usage,
      }),
    );
  });
});

let shelf = '';
beforeAll(async () => {
  shelf = await installPackages('otlp-recipes-3', PACKAGES);
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
}, INSTALL_TIMEOUT);
afterAll(() => void model.close());

/** Runs an agent with its recipe, and gives what a server wrote of it. */
async function recorded(name: string, isStuck: boolean) {
  const { url, ledger, settle } = await serveOtlp();
  const folder = await mkdtemp(join(shelf, 'run-'));
  try {
    await writeFile(join(folder, 'telemetry.mjs'), recipeOf(name));
    await writeFile(join(folder, 'agent.mjs'), COMMON + AGENTS[name]);
    const { port } = model.address() as AddressInfo;
    const env = {
      ...process.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      STUCK: isStuck ? '1' : '0',
      NODE_ENV: 'production',
      MODEL_URL: `http://127.0.0.1:${port}/${isStuck ? 'stuck' : 'free'}/v1`,
    };
    await promisify(execFile)(process.execPath, ['--import', './telemetry.mjs', 'agent.mjs'], {
      cwd: folder,
      env,
      timeout: 120_000,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await settle();
  const entries = await ledger.entries();
  return {
    sessions: [...new Set(entries.map(({ session }) => session))],
    calls: entries.filter(({ kind, data }) => kind === 'event' && data.type === 'call-finished')
      .length,
    detectors: new Set(
      entries.filter(({ kind }) => kind === 'signal').map(({ data }) => data.detector),
    ),
  };
}

it(
  'names packages that npm installs together',
  async () => {
    const [, named = ''] = /`npm install (@opentelemetry\/api\s[^`]+)`/.exec(guide)!;
    const asked = named
      .split(/\s+/)
      .map((name) => `${name}@${PACKAGES[name as keyof typeof PACKAGES]}`);
    const folder = await mkdtemp(join(shelf, 'run-'));
    try {
      await writeFile(join(folder, 'package.json'), '{"private":true}');
      await promisify(execFile)('npm', ['install', '--dry-run', '--strict-peer-deps', ...asked], {
        cwd: folder,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  INSTALL_TIMEOUT,
);

describe.each(Object.keys(AGENTS))('the recipe for %s', (name) => {
  it('shows a loop in the session that a span around the work names', async () => {
    const { sessions, calls, detectors } = await recorded(name, true);
    expect(sessions).toEqual(['chat-1']);
    expect(calls).toBe(ROUNDS);
    expect([...detectors]).toContain('repeated-call');
  });

  it('raises nothing for work that gets on', async () => {
    const { sessions, calls, detectors } = await recorded(name, false);
    expect([sessions, calls, [...detectors]]).toEqual([['chat-1'], ROUNDS, []]);
  });
});
