// An agent of the OpenAI Agents SDK that would search for the same thing for ever. Run it: node examples/frameworks/openai-agents.mjs
import { Agent, Runner, tool, Usage } from '@openai/agents';
import { guardProvider } from 'unrut/openai-agents';

// In the place of new OpenAIProvider(): a model that never learns, so that no key is needed.
let asked = 0;
const stuck = {
  getResponse: async () => ({
    output: [{ type: 'function_call', callId: `call-number-${++asked}`, name: 'search', arguments: '{"query":"the answer"}', status: 'completed' }],
    usage: new Usage(),
  }),
  async *getStreamedResponse() {},
};

let searches = 0;
const search = tool({
  name: 'search',
  description: 'Search for pages.',
  strict: false,
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'], additionalProperties: true },
  execute: async () => {
    searches++;
    return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
  },
});

const runner = new Runner({
  modelProvider: guardProvider({ getModel: () => stuck }, { onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) }),
  tracingDisabled: true,
});
const { finalOutput } = await runner.run(new Agent({ name: 'Searcher', model: 'stuck', tools: [search] }), 'Find the answer.', { maxTurns: 50 });

console.log(`${searches} searches instead of 50. The last answer:\n${finalOutput}`);
