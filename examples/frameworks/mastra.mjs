// An agent of Mastra that would search for the same thing for ever. Run it: node examples/frameworks/mastra.mjs
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { unrutProcessor } from 'unrut/mastra';

// In the place of 'openai/gpt-5': a model that never learns, so that no key is needed.
let asked = 0;
const stuck = {
  specificationVersion: 'v3',
  provider: 'example',
  modelId: 'stuck',
  supportedUrls: {},
  doGenerate: async () => ({
    content: [{ type: 'tool-call', toolCallId: `call-number-${++asked}`, toolName: 'search', input: '{"query":"the answer"}' }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  }),
  doStream: async () => {
    throw new Error('This example does not stream.');
  },
};

let searches = 0;
const search = createTool({
  id: 'search',
  description: 'Search for pages.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
  execute: async () => {
    searches++;
    return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
  },
});

const agent = new Agent({
  id: 'searcher',
  name: 'Searcher',
  instructions: 'Search.',
  model: stuck,
  tools: { search },
  inputProcessors: [unrutProcessor({ onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) })],
});
const { text } = await agent.generate('Find the answer.', { maxSteps: 50 });

console.log(`${searches} searches instead of 50. The last answer:\n${text}`);
