import { expect, test } from 'vitest';
import { followMessages } from './index.ts';

const CALL = { name: 'search', arguments: '{"q":"lamps"}' };

test('after a stop the tools run again when the user speaks, and work that succeeds is left alone', async () => {
  const rungs: string[] = [];
  const follow = followMessages({ onPlan: ({ rung }) => void rungs.push(rung) });
  const messages: object[] = [{ role: 'user', content: 'Find lamps.' }];
  let id = 0;
  let ran = 0;
  async function agent(result: (i: number) => string, most: number): Promise<string | null> {
    for (let i = 0; i < most; i++) {
      const turn = await follow.before(messages);
      if (turn.stop) return turn.stop;
      const call = { id: `c${id++}`, type: 'function', function: CALL };
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      const { refused, stop } = await turn.after(message);
      if (stop) return stop;
      const content = refused.get(call.id) ?? result(ran++);
      messages.push(message, { role: 'tool', tool_call_id: call.id, content });
    }
    return null;
  }

  expect(await agent(() => 'Nothing was found.', 30)).toMatch(/^Unrut stopped the run/);
  expect(rungs.at(-1)).toBe('stop');
  const before = ran;
  rungs.length = 0;

  messages.push({ role: 'user', content: 'The catalogue is there now. Try again.' });
  expect(
    await agent((i) => `Lamp ${'abcdefghijklmnop'[i]!.repeat(9)} in room ${i}.`, 3),
  ).toBeNull();
  expect(ran).toBe(before + 3);
  expect(rungs).toEqual([]);

  messages.push({ role: 'user', content: 'And once more.' });
  expect(await agent(() => 'Nothing was found.', 30)).toMatch(/^Unrut stopped the run/);
  expect(ran).toBeGreaterThan(before + 3);
});

/** An agent that repeats one call, in a new process unless another one is given. */
async function inNewProcess(
  messages: object[],
  rungs: string[] = [],
  follow = followMessages({ onPlan: ({ rung }) => void rungs.push(rung) }),
) {
  let ran = 0;
  for (;;) {
    const turn = await follow.before(messages);
    if (turn.stop) return { rungs, ran, stop: turn.stop };
    const call = { id: `call_${messages.length}`, type: 'function', function: CALL };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const { refused, stop } = await turn.after(message);
    if (stop) return { rungs, ran, stop };
    const content = refused.get(call.id);
    if (content === undefined) ran++;
    messages.push(message, {
      role: 'tool',
      tool_call_id: call.id,
      content: content ?? 'Nothing was found.',
    });
  }
}

test('a new process reads refusals in the history as refusals, and does not start over', async () => {
  const messages: object[] = [{ role: 'user', content: 'Find lamps.' }];
  const first = await inNewProcess(messages);
  expect(first.ran).toBe(5);
  messages.push({ role: 'assistant', content: first.stop });
  const second = await inNewProcess(messages);
  expect(second.ran).toBeLessThanOrEqual(2);
  expect(second.rungs.at(-1)).toBe('stop');
});

test('twin: a user who speaks in between starts over in a new process', async () => {
  const messages: object[] = [{ role: 'user', content: 'Find lamps.' }];
  messages.push({ role: 'assistant', content: (await inNewProcess(messages)).stop });
  messages.push({ role: 'user', content: 'The catalogue is there now. Try again.' });
  const second = await inNewProcess(messages);
  expect(second.ran).toBe(5);
  expect(second.rungs[0]).toBe('note');
});

test('after a stop and a word of the user, the same loop is blocked at the fourth call', async () => {
  const rungs: string[] = [];
  const follow = followMessages({ onPlan: ({ rung }) => void rungs.push(rung) });
  const messages: object[] = [{ role: 'user', content: 'Find lamps.' }];
  const { stop } = await inNewProcess(messages, rungs, follow);
  messages.push({ role: 'assistant', content: stop }, { role: 'user', content: 'Go on.' });
  const from = messages.length;
  rungs.length = 0;
  await inNewProcess(messages, rungs, follow);
  expect(rungs[0]).toBe('block');
  const results = messages.slice(from).flatMap((each) => ('content' in each && each.content) || []);
  expect(results.findIndex((text) => String(text).includes('Unrut'))).toBe(3);
});
