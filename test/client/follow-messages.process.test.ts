import { describe, expect, test } from 'vitest';
import { newPath } from '../ledger-files.ts';
import { served } from '../server/served.ts';
import { type Any, connecting, LANGUAGES } from './speakers.ts';

describe.each(LANGUAGES)('followMessages with the client in %s', (_, open) => {
  const connected = connecting(open);

  const SAME = 'Three pages were found, none of which says more about it than the others do.';
  const WIRES: Record<string, { call(id: string, q: string): Any; result(id: string): Any }> = {
    'chat completions': {
      call: (id, q) => ({
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id,
            type: 'function',
            function: { name: 'search', arguments: JSON.stringify({ q }) },
          },
        ],
      }),
      result: (id) => ({ role: 'tool', tool_call_id: id, content: SAME }),
    },
    Responses: {
      call: (id, q) => ({
        type: 'function_call',
        call_id: id,
        name: 'search',
        arguments: JSON.stringify({ q }),
      }),
      result: (id) => ({ type: 'function_call_output', call_id: id, output: SAME }),
    },
    Anthropic: {
      call: (id, q) => ({
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'search', input: { q } }],
      }),
      result: (id) => ({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: SAME }],
      }),
    },
    Gemini: {
      call: (id, q) => ({
        role: 'model',
        parts: [{ functionCall: { id, name: 'search', args: { q } } }],
      }),
      result: (id) => ({
        role: 'user',
        parts: [{ functionResponse: { id, name: 'search', response: { output: SAME } } }],
      }),
    },
  };

  /** A loop of 30 turns, in which nothing is heeded. */
  async function played(wire: (typeof WIRES)[string], question: (n: number) => string) {
    const { url } = await served(newPath());
    const client = await connected({ url });
    const isGemini = wire === WIRES.Gemini;
    const messages: Any[] = [
      isGemini ? { role: 'user', parts: [{ text: 'Go.' }] } : { role: 'user', content: 'Go.' },
    ];
    let ran = 0;
    let stop: string | null = null;
    let sent: Any[] = [];
    for (let n = 0; n < 30 && stop === null; n++) {
      const turn = await client.before(messages);
      sent = turn.messages;
      stop = turn.stop;
      if (stop !== null) break;
      const call = wire.call(`c${n}`, question(n));
      const reply = await client.after(call.type === 'function_call' ? { output: [call] } : call);
      stop = reply.stop;
      if (stop !== null) break;
      const refusal = reply.refused[`c${n}`];
      if (refusal === undefined) ran++;
      const result = JSON.stringify(wire.result(`c${n}`));
      const text = refusal ?? `${SAME} ${question(n) === 'foo' ? '' : question(n)}`;
      messages.push(
        call,
        JSON.parse(result.replace(SAME, () => JSON.stringify(text).slice(1, -1))),
      );
    }
    return { ran, stop, sent, messages, plans: await client.plans() };
  }

  test.each(Object.keys(WIRES))(
    'climbs a loop on messages of %s, from a note in the result to a stop',
    async (name) => {
      const { ran, stop, sent, messages, plans } = await played(WIRES[name]!, () => 'foo');
      expect([...new Set(plans)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
      expect(ran).toBeLessThanOrEqual(8);
      expect(stop).toMatch(/^Unrut stopped the run/);
      expect(JSON.stringify(sent)).toContain('Unrut');
      expect(sent).toHaveLength(messages.length);
    },
  );

  test.each(Object.keys(WIRES))(
    'twin: changes nothing in a run on messages of %s that finds something new each time',
    async (name) => {
      const words = (n: number): string =>
        Array.from({ length: 8 }, (_, i) => `w${(n * 7919 + i * 104_729) % 99_991}`).join(' ');
      const { ran, stop, sent, messages, plans } = await played(WIRES[name]!, words);
      expect([ran, stop, plans]).toEqual([30, null, []]);
      expect(sent).toEqual(messages.slice(0, sent.length));
    },
  );
});
