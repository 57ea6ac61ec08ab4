// An agent of Strands that would search for the same thing for ever. Run it: node examples/frameworks/strands.mjs
import { Agent, FunctionTool, Model } from '@strands-agents/sdk';
import { unrutPlugin } from 'unrut/strands';

// In the place of a model of Bedrock: one that never learns, so that no key is needed.
let asked = 0;
class Stuck extends Model {
  updateConfig() {}
  getConfig() {
    return { modelId: 'stuck' };
  }
  async *stream() {
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name: 'search', toolUseId: `call-number-${++asked}` } };
    yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: '{"query":"the answer"}' } };
    yield { type: 'modelContentBlockStopEvent' };
    yield { type: 'modelMessageStopEvent', stopReason: 'toolUse' };
  }
}

let searches = 0;
const search = new FunctionTool({
  name: 'search',
  description: 'Search for pages.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
  callback: () => {
    searches++;
    return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
  },
});

const guard = unrutPlugin({ onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) });
const agent = new Agent({ model: new Stuck(), tools: [search], plugins: [guard], printer: false });
const { lastMessage } = await agent.invoke('Find the answer.', { limits: { turns: 50 } });

console.log(`${searches} searches instead of 50. The last answer:\n${lastMessage.content.map(({ text }) => text).join('\n')}`);
