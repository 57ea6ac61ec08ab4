import type { JsonObject } from '@unrut/engine/json';
import { withoutWaiting } from '@unrut/test/frameworks/without-waiting';
import {
  type FrameworkUnderTest,
  type ModelReads,
  type ScriptedAnswer,
  testFramework,
} from '@unrut/test/suites/test-framework';
import { describe, expect, it } from 'vitest';
import { itemsOf, messagesIn, withNotes } from './dialect.ts';
import { followMessages } from './index.ts';

/** How one provider writes messages. */
interface Wire {
  user(text: string): JsonObject;
  reply(answer: ScriptedAnswer): JsonObject;
  results(
    results: readonly { id: string; tool: string; text: string; isFailed: boolean }[],
  ): JsonObject[];
}

const WIRES: Record<string, Wire> = {
  'OpenAI chat completions': {
    user: (content) => ({ role: 'user', content }),
    reply: ({ text = null, calls = [] }) => ({
      choices: [
        {
          message: {
            role: 'assistant',
            content: text,
            ...(calls.length === 0
              ? {}
              : {
                  tool_calls: calls.map(({ id, tool, args }) => ({
                    id,
                    type: 'function',
                    function: { name: tool, arguments: JSON.stringify(args) },
                  })),
                }),
          },
        },
      ],
    }),
    results: (results) =>
      results.map(({ id, text }) => ({ role: 'tool', tool_call_id: id, content: text })),
  },
  'OpenAI responses': {
    user: (content) => ({ role: 'user', content }),
    reply: ({ text, calls = [] }) => ({
      output: [
        ...(text === undefined
          ? []
          : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]),
        ...calls.map(({ id, tool, args }) => ({
          type: 'function_call',
          call_id: id,
          name: tool,
          arguments: JSON.stringify(args),
        })),
      ],
    }),
    results: (results) =>
      results.map(({ id, text }) => ({ type: 'function_call_output', call_id: id, output: text })),
  },
  'Anthropic messages': {
    user: (content) => ({ role: 'user', content }),
    reply: ({ text, calls = [] }) => ({
      role: 'assistant',
      content: [
        ...(text === undefined ? [] : [{ type: 'text', text }]),
        ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
      ],
    }),
    results: (results) => [
      {
        role: 'user',
        content: results.map(({ id, text, isFailed }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
          is_error: isFailed,
        })),
      },
    ],
  },
  'Gemini contents': {
    user: (text) => ({ role: 'user', parts: [{ text }] }),
    reply: ({ text, calls = [] }) => ({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              ...(text === undefined ? [] : [{ text }]),
              ...calls.map(({ id, tool, args }) => ({ functionCall: { id, name: tool, args } })),
            ],
          },
        },
      ],
    }),
    results: (results) => [
      {
        role: 'user',
        parts: results.map(({ id, tool, text, isFailed }) => ({
          functionResponse: {
            id,
            name: tool,
            response: isFailed ? { error: text } : { output: text },
          },
        })),
      },
    ],
  },
};

function readsOf(messages: readonly JsonObject[]): ModelReads {
  const items = itemsOf(messages);
  const results = items.flatMap((item) => (item.kind === 'result' ? [item] : []));
  const textIn = (result: unknown): string =>
    typeof result === 'string'
      ? result
      : String((result as JsonObject).output ?? (result as JsonObject).error);
  return {
    prompt: items.flatMap((item) => (item.kind === 'user' ? item.text : [])).at(-1) ?? '',
    calls: items.flatMap((item) => (item.kind === 'call' ? item.id : [])),
    answered: results.map(({ id }) => id),
    results: results.map(({ result }) => textIn(result)),
    request: JSON.stringify(messages),
  };
}

/** An agent loop as people write it. */
const frameworkOf = (name: string, wire: Wire): FrameworkUnderTest => ({
  name,
  can: ['note', 'hint', 'block', 'escalate', 'stop'],
  schemas: false,
  streams: false,
  resumes: true,
  refusesInPlace: true,
  open({ model, tools, options }) {
    const follow = options && followMessages(options);
    const runTool = (tool: string, args: JsonObject): { text: string; isFailed: boolean } => {
      try {
        if (!tools[tool]) throw new Error(`There is no tool ${tool}.`);
        if (tool === 'search' && typeof args.q !== 'string') throw new Error('q: expected a text');
        return { text: tools[tool](args), isFailed: false };
      } catch (error) {
        return { text: String(error), isFailed: true };
      }
    };
    return {
      async run(prompts, { history, steps = 120 } = {}) {
        const messages = [...((history as JsonObject[] | undefined) ?? [])];
        let answer = '';
        try {
          for (const prompt of prompts.length === 0 ? [undefined] : prompts) {
            if (prompt !== undefined) messages.push(wire.user(prompt));
            for (let step = 0; step < steps; step++) {
              const turn = await follow?.before(messages);
              if (turn?.stop) {
                answer = turn.stop;
                break;
              }
              const scripted = model(readsOf(turn?.messages ?? messages));
              if (scripted.error !== undefined) throw new Error(scripted.error);
              const reply = wire.reply(scripted);
              const { refused, stop } = (await turn?.after(reply)) ?? {
                refused: new Map(),
                stop: null,
              };
              answer = stop ?? scripted.text ?? '';
              if (stop) break;
              messages.push(...messagesIn(reply));
              const { calls = [] } = scripted;
              if (calls.length === 0) break;
              const results = calls.map(({ id, tool, args }) => {
                const why = refused.get(id);
                return {
                  id,
                  tool,
                  ...(why === undefined ? runTool(tool, args) : { text: why, isFailed: true }),
                };
              });
              messages.push(...wire.results(results));
            }
          }
          return { answer, pieces: [], history: messages };
        } catch (error) {
          return { answer, pieces: [], error };
        }
      },
    };
  },
});

describe.each(Object.entries(WIRES))('messages: %s', (name, wire) => {
  for (const { name: what, run } of testFramework(frameworkOf(name, wire)))
    it(what, withoutWaiting(run));

  it('changes nothing but the results that get a note', () => {
    const calls = [1, 2].map((n) => ({ id: `call ${n}`, tool: 'search', args: { q: 'foo' } }));
    const results = calls.map(({ id, tool }) => ({
      id,
      tool,
      text: `result of ${id}`,
      isFailed: false,
    }));
    const messages = [
      wire.user('Go.'),
      ...messagesIn(wire.reply({ text: 'Now.', calls })),
      ...wire.results(results),
    ];
    const copy = JSON.stringify(messages);
    const items = itemsOf(messages);
    const at = items.flatMap((item) => (item.kind === 'result' ? [item.at] : []));
    const noted = withNotes(messages, [{ at: at[1]!, text: 'NOTE.' }]);
    expect(JSON.stringify(messages)).toBe(copy);
    expect(items.map(({ kind }) => kind)).toEqual([
      'user',
      'said',
      'call',
      'call',
      'result',
      'result',
    ]);
    const after = itemsOf(noted);
    expect(after.slice(0, 5)).toEqual(items.slice(0, 5));
    expect(JSON.stringify(after[5])).toMatch(/result of call 2\\n\\nNOTE\./);
  });
});

describe('messages', () => {
  it('reads nothing from malformed input, and does not throw', async () => {
    for (const value of [
      null,
      0,
      'text',
      {},
      [null],
      [[]],
      [{ role: 'tool' }],
      [{ role: 'user', content: [{}] }],
      [{ parts: [null] }],
    ]) {
      for (const item of itemsOf(value)) expect(['user', 'result']).toContain(item.kind);
      const turn = await followMessages().before([]);
      expect(await turn.after(value)).toEqual({ refused: new Map(), stop: null });
    }
  });

  it('reads thoughts, and calls without ids by their place', () => {
    expect(itemsOf([{ role: 'assistant', reasoning_content: 'Hm.', content: 'Yes.' }])).toEqual([
      { kind: 'said', text: 'Hm.', channel: 'thinking' },
      { kind: 'said', text: 'Yes.', channel: 'answer' },
    ]);
    expect(
      itemsOf([{ role: 'model', parts: [{ functionCall: { name: 'search', args: {} } }] }]),
    ).toEqual([{ kind: 'call', id: '', tool: 'search', args: {} }]);
  });

  it('throws a LoopError where the user wants that', async () => {
    const stop = {
      id: 'p',
      recovery: 'r',
      rung: 'stop',
      reason: 'a/b',
      toModel: 'm',
      toHuman: 'Stopped.',
      budgetLeft: 1,
      streak: 's',
    } as const;
    const verdict = {
      signals: [],
      witnesses: [],
      plan: stop,
      shadow: null,
      outcomes: [],
      faults: [],
      step: 0,
      seen: null,
    };
    const follow = followMessages({ onStop: 'throw', guard: { observe: () => verdict } });
    const turn = await follow.before([{ role: 'user', content: 'Go.' }]);
    const calls = [{ id: 'a', function: { name: 'search', arguments: '{}' } }];
    await expect(turn.after({ role: 'assistant', tool_calls: calls })).rejects.toMatchObject({
      name: 'LoopError',
    });
  });
});

it('the example runs as it says', async () => {
  const lines: string[] = [];
  const log = console.log;
  console.log = (line: string) => void lines.push(line);
  try {
    // @ts-expect-error: a program without types.
    await import('../../../../../examples/frameworks/messages.mjs');
  } finally {
    console.log = log;
  }
  const rungs = lines.flatMap((line) => /^after \d+ searches: (\w+)$/.exec(line)?.[1] ?? []);
  expect([...new Set(rungs)]).toEqual(['note', 'hint', 'block', 'escalate', 'stop']);
  expect(lines.at(-1)).toMatch(/^\d searches instead of 50\. Why it ended:\n.*stop/i);
});
