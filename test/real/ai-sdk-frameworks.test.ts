import { join } from 'node:path';
import { MockLanguageModelV4 } from 'ai/test';
import { MockLanguageModelV3 } from 'ai-6/test';
import { beforeAll, describe, expect, it } from 'vitest';
import { guardModel } from '../../packages/adapters/src/frameworks/ai-sdk/index.ts';
import { INSTALL_TIMEOUT, installPackage } from './install-agent.ts';

const MASTRA = ['@mastra/core', '1.71.0'] as const;
const VOLTAGENT = ['@voltagent/core', '2.10.0'] as const;

beforeAll(async () => {
  for (const [name, version] of [MASTRA, VOLTAGENT]) await installPackage(name, version);
}, INSTALL_TIMEOUT);

/** A model that makes the same call for ever, under guard. */
function stuck(Mock: typeof MockLanguageModelV4 | typeof MockLanguageModelV3, rungs: string[]) {
  let asked = 0;
  const content = () => [
    {
      type: 'tool-call',
      toolCallId: `call_number_${asked++}`,
      toolName: 'search',
      input: '{"q":"foo"}',
    },
  ];
  const finish = {
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  };
  const given = {
    doGenerate: async () => ({ content: content(), ...finish, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const part of [
            { type: 'stream-start', warnings: [] },
            ...content(),
            { type: 'finish', ...finish },
          ])
            controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
  return guardModel(new Mock(given as never), { onPlan: ({ rung }) => void rungs.push(rung) });
}

const LADDER = ['note', 'hint', 'block', 'escalate', 'stop'];
const SAME = 'Three pages were found, none of which says more about it than the others do.';
const schema = { type: 'object', properties: { q: { type: 'string' } } };

// What these packages export is known from their documents only.
type Parts = Record<
  'Agent',
  new (
    given: object,
  ) => {
    generate(prompt: string, how: object): Promise<{ text: string }>;
    generateText(prompt: string, how: object): Promise<{ text: string }>;
  }
> &
  Record<'createTool', (given: object) => unknown>;

describe('frameworks that take a model of the AI SDK', () => {
  it('Mastra', async () => {
    const rungs: string[] = [];
    const folder = await installPackage(...MASTRA);
    const { Agent } = (await import(join(folder, 'dist/agent/index.js'))) as Parts;
    const { createTool } = (await import(join(folder, 'dist/tools/index.js'))) as Parts;
    const search = createTool({
      id: 'search',
      description: 'Searches.',
      inputSchema: schema,
      execute: async () => SAME,
    });
    const agent = new Agent({
      id: 'a',
      name: 'a',
      instructions: 'Search.',
      model: stuck(MockLanguageModelV4, rungs),
      tools: { search },
    });
    const { text } = await agent.generate('Go.', { maxSteps: 30 });
    expect([...new Set(rungs)]).toEqual(LADDER);
    expect(text).toMatch(/stopped/i);
  });

  it('VoltAgent', async () => {
    const rungs: string[] = [];
    const folder = await installPackage(...VOLTAGENT);
    const { Agent, createTool } = (await import(join(folder, 'dist/index.mjs'))) as Parts;
    const { z } = (await import(join(folder, '../../zod/index.js'))) as {
      z: { object(fields: object): unknown; string(): unknown };
    };
    const search = createTool({
      name: 'search',
      description: 'Searches.',
      parameters: z.object({ q: z.string() }),
      execute: async () => SAME,
    });
    const agent = new Agent({
      name: 'a',
      instructions: 'Search.',
      model: stuck(MockLanguageModelV3, rungs),
      tools: [search],
      maxSteps: 30,
    });
    const { text } = await agent.generateText('Go.', { maxSteps: 30 });
    expect([...new Set(rungs)]).toEqual(LADDER);
    expect(text).toMatch(/stopped/i);
  });
});
