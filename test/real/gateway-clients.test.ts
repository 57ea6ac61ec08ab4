import { beforeAll, describe, it } from 'vitest';
import {
  anthropicTalk,
  type Called,
  CLIENTS,
  chatTalk,
  geminiTalk,
  type OpenTalk,
  type Returned,
  responsesTalk,
} from '../gateway/clients.ts';
import { startUpstream } from '../gateway/scripted-upstream.ts';
import { serveGateway } from '../gateway/serve-gateway.ts';
import { type FrameworkUnderTest, testFramework } from '../suites/test-framework.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

beforeAll(async () => {
  for (const client of CLIENTS) await installPackage(...client);
}, INSTALL_TIMEOUT);

type Tools = Parameters<FrameworkUnderTest['open']>[0]['tools'];

/** Runs a call as agents do: the model reads what went wrong. */
function runTool(tools: Tools, call: Called): Returned {
  const failed = (text: string): Returned => ({ ...call, text, isError: true });
  const tool = tools[call.tool];
  if (!tool) return failed(`Unknown tool ${call.tool}.`);
  if (call.tool === 'search' && typeof call.args.q !== 'string')
    return failed('q: expected a text');
  try {
    return { ...call, text: tool(call.args), isError: false };
  } catch (error) {
    return failed((error as Error).message);
  }
}

const program = (
  name: string,
  openTalk: OpenTalk,
  thinks: boolean,
  resumes: boolean,
): FrameworkUnderTest => ({
  name,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  streams: true,
  cuts: true,
  throws: 'never',
  resumes,
  open({ model, tools, options }) {
    const opened = (async () => {
      const upstream = await startUpstream(model, { thinks });
      return { upstream, url: options ? await serveGateway(upstream.url, options) : upstream.url };
    })();
    return {
      async run(prompts, { stream = false, signal, history, steps = 120 } = {}) {
        const { upstream, url } = await opened;
        const talk = await openTalk(url, thinks);
        if (history !== undefined) talk.history = history;
        const pieces: string[] = [];
        let answer = '';
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) talk.say(prompt);
            for (let step = 0; step < steps; step++) {
              const { text, calls } = await talk.ask({ stream, signal, pieces });
              answer = text;
              if (calls.length === 0) break;
              talk.answer(calls.map((call) => runTool(tools, call)));
            }
          }
          if (upstream.broken.length > 0) throw new Error(upstream.broken.join('; '));
          return { answer, pieces, history: talk.history };
        } catch (error) {
          return {
            answer,
            pieces,
            error: upstream.broken.length > 0 ? new Error(upstream.broken.join('; ')) : error,
          };
        }
      },
    };
  },
});

const PROGRAMS: readonly [name: string, open: OpenTalk, resumes: boolean][] = [
  ['openai, chat completions', chatTalk, true],
  ['@anthropic-ai/sdk', anthropicTalk, true],
  ['openai, Responses', responsesTalk('nowhere'), true],
  ['openai, Responses with previous_response_id', responsesTalk('response'), false],
  ['openai, Responses in a conversation', responsesTalk('conversation'), false],
  ['@google/genai', geminiTalk, true],
];

/**
 * Where the provider keeps the history, a refused call stays in it, with the refusal as its result:
 * that is looked at below.
 */
const isElsewhere = (name: string): boolean =>
  /previous_response_id|conversation/.test(name) && name.includes('refuses one of several');

describe('a program with a real client, through the gateway', () => {
  for (const [name, open, resumes] of PROGRAMS)
    for (const thinks of [false, true])
      for (const each of testFramework(
        program(thinks ? `${name}, thinking` : name, open, thinks, resumes),
      ))
        if (!isElsewhere(each.name)) it(each.name, each.run);
});
