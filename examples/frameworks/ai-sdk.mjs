// An agent of the AI SDK that would search for the same thing for ever. Run it: node examples/frameworks/ai-sdk.mjs
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { guardModel } from 'unrut/ai-sdk';

// In the place of openai('gpt-5'): a model that never learns, so that no key is needed.
let asked = 0;
const stuck = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: 'tool-call', toolCallId: `call-${++asked}`, toolName: 'search', input: '{"query":"the answer"}' }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: { inputTokens: {}, outputTokens: {} },
    warnings: [],
  }),
});

let searches = 0;
const search = tool({
  inputSchema: jsonSchema({ type: 'object', properties: { query: { type: 'string' } } }),
  execute: async () => {
    searches++;
    return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
  },
});

const { text } = await generateText({
  model: guardModel(stuck, { onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) }),
  tools: { search },
  prompt: 'Find the answer.',
  stopWhen: stepCountIs(50),
});

console.log(`${searches} searches instead of 50. The last answer:\n${text}`);
