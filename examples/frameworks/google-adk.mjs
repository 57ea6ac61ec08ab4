// An agent of the Google ADK that would search for the same thing for ever. Run it: node examples/frameworks/google-adk.mjs
import { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk';
import { UnrutPlugin } from 'unrut/google-adk';

// In the place of 'gemini-3-pro': a model that never learns, so that no key is needed.
class Stuck extends BaseLlm {
  async *generateContentAsync() {
    yield { content: { role: 'model', parts: [{ functionCall: { name: 'search', args: { query: 'the answer' } } }] } };
  }
}

let searches = 0;
const search = new FunctionTool({
  name: 'search',
  description: 'Search for pages.',
  parameters: { type: 'OBJECT', properties: { query: { type: 'STRING' } } },
  execute: async () => {
    searches++;
    return { result: 'No page has the answer. Pages that come near it: 1, 2 and 3.' };
  },
});

const agent = new LlmAgent({ name: 'searcher', model: new Stuck({ model: 'stuck' }), tools: [search] });
const plugins = [new UnrutPlugin({ onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) })];
const runner = new InMemoryRunner({ agent, appName: 'example', plugins });
const { id: sessionId } = await runner.sessionService.createSession({ appName: 'example', userId: 'me' });
let answer = '';
const newMessage = { role: 'user', parts: [{ text: 'Find the answer.' }] };
for await (const { content } of runner.runAsync({ userId: 'me', sessionId, newMessage, runConfig: { maxLlmCalls: 50 } }))
  for (const { text } of content?.parts ?? []) if (text) answer = text;

console.log(`${searches} searches instead of 50. The last answer:\n${answer}`);
