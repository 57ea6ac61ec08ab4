// An agent loop of your own that would search for the same thing for ever. Run it: node examples/frameworks/messages.mjs
import { followMessages } from 'unrut/messages';

// In the place of client.chat.completions.create: a model that never learns, so that no key is needed.
let asked = 0;
const create = async (_request) => ({
  choices: [{ message: { role: 'assistant', content: null, tool_calls: [{ id: `call-number-${++asked}`, type: 'function', function: { name: 'search', arguments: '{"query":"the answer"}' } }] } }],
});

let searches = 0;
const search = async () => {
  searches++;
  return 'No page has the answer. Pages that come near it: 1, 2 and 3.';
};

const follow = followMessages({ onPlan: ({ rung }) => console.log(`after ${searches} searches: ${rung}`) });
const messages = [{ role: 'user', content: 'Find the answer.' }];
let why = null;
for (let step = 0; step < 50 && !why; step++) {
  const turn = await follow.before(messages);
  why = turn.stop;
  if (why) break;
  const reply = await create({ messages: turn.messages });
  const { refused, stop } = await turn.after(reply);
  why = stop;
  if (why) break;
  const { message } = reply.choices[0];
  messages.push(message);
  for (const { id } of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: id, content: refused.get(id) ?? (await search()) });
}

console.log(`${searches} searches instead of 50. Why it ended:\n${why}`);
