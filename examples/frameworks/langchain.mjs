// An agent of LangChain that would search for the same thing for ever. Run it: node examples/frameworks/langchain.mjs
import { AIMessage } from '@langchain/core/messages';
import { createAgent, fakeModel, tool } from 'langchain';
import { guardModel } from 'unrut/langchain';

// In the place of new ChatOpenAI({ model: 'gpt-5' }): a model that never learns, so that no key is needed.
const stuck = fakeModel();
for (let i = 1; i <= 50; i++) stuck.respond(new AIMessage({ content: '', tool_calls: [{ id: `call-number-${i}`, name: 'search', args: { query: 'the answer' } }] }));

let searches = 0;
const search = tool(
  async () => {
    searches++;
    return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
  },
  { name: 'search', description: 'Search for pages.', schema: { type: 'object', properties: { query: { type: 'string' } } } },
);

const agent = createAgent({
  model: guardModel(stuck, { onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) }),
  tools: [search],
});
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Find the answer.' }] }, { recursionLimit: 100 });

console.log(`${searches} searches instead of 50. The last answer:\n${messages.at(-1).text}`);
