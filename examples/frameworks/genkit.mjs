// An agent of Genkit that would search for the same thing for ever. Run it: node examples/frameworks/genkit.mjs
import { genkit } from 'genkit';
import { unrutMiddleware } from 'unrut/genkit';

const ai = genkit({});

// In the place of googleAI.model('gemini-3-pro'): a model that never learns, so that no key is needed.
let asked = 0;
const model = ai.defineModel({ name: 'stuck', supports: { tools: true, multiturn: true } }, async () => ({
  message: { role: 'model', content: [{ toolRequest: { ref: `call-number-${++asked}`, name: 'search', input: { query: 'the answer' } } }] },
  finishReason: 'stop',
}));

let searches = 0;
const inputJsonSchema = { type: 'object', properties: { query: { type: 'string' } } };
const search = ai.defineTool({ name: 'search', description: 'Search for pages.', inputJsonSchema }, async () => {
  searches++;
  return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
});

const guard = unrutMiddleware({ onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) });
const { text } = await ai.generate({ model, prompt: 'Find the answer.', tools: [search], maxTurns: 50, use: [guard] });

console.log(`${searches} searches instead of 50. The last answer:\n${text}`);
process.exit();
