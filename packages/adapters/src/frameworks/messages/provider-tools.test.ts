import { expect, test } from 'vitest';
import { aiSdkDialect } from '../ai-sdk/dialect.ts';
import type { Item } from '../dialect.ts';
import { langchainDialect } from '../langchain/dialect.ts';
import { openaiAgentsDialect } from '../openai-agents/dialect.ts';
import { followMessages } from './index.ts';

/** The reply of a provider that runs a tool itself. */
type Reply = (i: number, text: string) => object;

const block =
  (tool: string, args: object, result: (text: string, i: number) => object): Reply =>
  (i, text) => ({
    role: 'assistant',
    content: [
      {
        type: tool === 'lookup' ? 'mcp_tool_use' : 'server_tool_use',
        id: `s${i}`,
        name: tool,
        input: args,
      },
      { tool_use_id: `s${i}`, ...result(text, i) },
    ],
  });

const REPLIES: [string, Reply][] = [
  [
    'web search of Anthropic',
    block('web_search', { query: 'lamps' }, (title, i) => ({
      type: 'web_search_tool_result',
      content: [
        {
          type: 'web_search_result',
          title,
          url: 'https://a.example',
          encrypted_content: `x${i}z${i * 7}`,
        },
      ],
    })),
  ],
  [
    'code execution of Anthropic',
    block('code_execution', { code: 'x()' }, (stdout) => ({
      type: 'code_execution_tool_result',
      content: { type: 'code_execution_result', stdout, stderr: '', return_code: 0 },
    })),
  ],
  [
    'an MCP server of Anthropic',
    block('lookup', { q: 'x' }, (text) => ({
      type: 'mcp_tool_result',
      content: [{ type: 'text', text }],
    })),
  ],
  [
    'an MCP server of OpenAI',
    (i, output) => ({
      type: 'mcp_call',
      id: `m${i}`,
      name: 'lookup',
      arguments: '{"q":1}',
      output,
    }),
  ],
  [
    'the code interpreter of OpenAI',
    (i, logs) => ({
      type: 'code_interpreter_call',
      id: `c${i}`,
      code: 'x()',
      outputs: [{ type: 'logs', logs }],
    }),
  ],
  [
    'file search of OpenAI',
    (i, text) => ({
      type: 'file_search_call',
      id: `f${i}`,
      queries: ['lamps'],
      results: [{ file_id: 'f', text }],
    }),
  ],
];

const NEW = [
  'brass lamp',
  'green river',
  'seven boats',
  'winter copper',
  'paper moon',
  'quiet engine',
];

/** The rungs, and how many calls were refused, in a run whose calls the provider answers so. */
async function played(reply: Reply, texts: readonly string[]) {
  const rungs: string[] = [];
  let refusals = 0;
  const follow = followMessages({ onPlan: ({ rung }) => void rungs.push(rung) });
  const messages: object[] = [{ role: 'user', content: 'Find it.' }];
  for (const [i, text] of texts.entries()) {
    const { messages: asked, after } = await follow.before(messages);
    expect(asked.length).toBe(messages.length);
    const made = reply(i, text);
    const { refused } = await after('role' in made ? made : { output: [made] });
    refusals += refused.size;
    messages.push(made);
  }
  return { rungs, refusals };
}

test.each(REPLIES)('%s is noticed if it repeats, and never refused', async (_, reply) => {
  const { rungs, refusals } = await played(reply, Array(6).fill('No results were found.'));
  expect(rungs).toContain('note');
  expect(rungs).not.toContain('block');
  expect(refusals).toBe(0);
});

test.each(REPLIES)(
  'twin: %s that finds something new each time is left alone',
  async (_, reply) => {
    expect(await played(reply, NEW)).toEqual({ rungs: [], refusals: 0 });
  },
);

test('web search of OpenAI, which reports no results, is noticed', async () => {
  const action = { type: 'search', query: 'lamps' };
  const search: Reply = (i) => ({ type: 'web_search_call', id: `w${i}`, action });
  expect((await played(search, NEW)).rungs).toContain('note');
  const other: Reply = (i, query) => ({
    type: 'web_search_call',
    id: `w${i}`,
    action: { ...action, query },
  });
  expect((await played(other, NEW)).rungs).toEqual([]);
});

test('tools that the provider of the AI SDK runs are calls and results of the history', () => {
  const content = [
    {
      type: 'tool-call',
      toolCallId: 'p',
      toolName: 'web',
      input: { q: 1 },
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: 'p',
      toolName: 'web',
      output: { type: 'text', value: 'No.' },
    },
  ];
  const items = aiSdkDialect.items({ prompt: [{ role: 'assistant', content }] } as never);
  expect(items).toMatchObject([{ kind: 'call' }, { kind: 'result', isFixed: true }]);
});

const SEARCH = { id: 'w1', status: 'completed' };
const ACTION = { type: 'search', query: 'lamps' };
const SERVER_BLOCKS = [
  { type: 'server_tool_use', id: 'w1', name: 'web_search', input: ACTION },
  { type: 'web_search_tool_result', tool_use_id: 'w1', content: [] },
];
const STANDARD_BLOCKS = [
  { type: 'server_tool_call', id: 'w1', name: 'web_search', args: ACTION },
  { type: 'server_tool_call_result', toolCallId: 'w1', status: 'success', output: [] },
];

const ofLangChain = (message: object): Item[] =>
  langchainDialect({} as never).items({ messages: [{ type: 'ai', content: '', ...message }] });
const ofAgents = (item: object): Item[] => openaiAgentsDialect.items({ input: [item] });

test.each<[string, Item[]]>([
  ['blocks of Anthropic in LangChain', ofLangChain({ content: SERVER_BLOCKS })],
  ['standard blocks of LangChain', ofLangChain({ content: STANDARD_BLOCKS })],
  [
    'items of OpenAI in LangChain',
    ofLangChain({
      additional_kwargs: { tool_outputs: [{ ...SEARCH, type: 'web_search_call', action: ACTION }] },
    }),
  ],
  [
    'hosted tools of the Agents SDK',
    ofAgents({
      ...SEARCH,
      type: 'hosted_tool_call',
      name: 'web_search_call',
      providerData: { type: 'web_search_call', action: ACTION },
    }),
  ],
])('%s are calls and results of the history', (_, items) => {
  expect(items).toMatchObject([
    { kind: 'call', id: 'w1', tool: 'web_search', args: ACTION },
    { kind: 'result', id: 'w1', isFixed: true },
  ]);
});

test('twin: calls of the program in LangChain, and approvals in the Agents SDK, are no calls of a provider', () => {
  const own = { id: 't1', name: 'search', args: {} };
  const content = [{ type: 'tool_use', id: 't1', name: 'search', input: {} }];
  expect(ofLangChain({ content, tool_calls: [own] })).toEqual([
    { kind: 'call', id: 't1', tool: 'search', args: {} },
  ]);
  expect(ofAgents({ ...SEARCH, type: 'hosted_tool_call', name: 'mcp_approval_request' })).toEqual(
    [],
  );
});

/** A provider searches in each reply, and the program runs a tool next to it. */
async function besideOwn(search: (i: number) => string, own: (i: number) => string) {
  const rungs: string[] = [];
  const sent: string[] = [];
  const sessions = new Set<string>();
  const follow = followMessages({
    onPlan({ rung }, { session }) {
      rungs.push(rung);
      sessions.add(session);
    },
  });
  const messages: object[] = [{ role: 'user', content: 'Find it.' }];
  for (let i = 0; i < 8; i++) {
    const turn = await follow.before(messages);
    if (turn.stop) break;
    for (const [n, each] of turn.messages.entries())
      if (n % 2 === 1) expect(each).toEqual(messages[n]);
    sent.push(JSON.stringify(turn.messages));
    const id = `toolu_${i}`;
    const content = [
      { type: 'mcp_tool_use', id: `mcp_${i}`, name: 'lookup', input: { q: 'lamps' } },
      {
        type: 'mcp_tool_result',
        tool_use_id: `mcp_${i}`,
        content: [{ type: 'text', text: search(i) }],
      },
      { type: 'tool_use', id, name: 'read_page', input: { page: own(i) } },
    ];
    const { refused, stop } = await turn.after({ role: 'assistant', content });
    if (stop) break;
    const result = refused.get(id) ?? `The page tells of ${own(i)}.`;
    messages.push(
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: result }] },
    );
  }
  return { rungs, sessions: sessions.size, isTold: sent.some((each) => each.includes('Unrut')) };
}

const WORDS = [...NEW, 'amber bridge', 'velvet harbour'];

test('a repeated search of the provider among new calls is noticed, and the note is in a result of the program', async () => {
  const { rungs, sessions, isTold } = await besideOwn(
    () => 'Nothing about lamps was found in any of the three catalogues.',
    (i) => WORDS[i]!,
  );
  expect(isTold).toBe(true);
  expect(rungs).toContain('note');
  expect(rungs).not.toContain('block');
  expect(sessions).toBe(1);
});

test('twin: a search of the provider that finds something new among new calls is left alone', async () => {
  expect(
    await besideOwn(
      (i) => `Found: ${WORDS[i]}.`,
      (i) => `the ${WORDS[i]} of the north`,
    ),
  ).toEqual({ rungs: [], sessions: 0, isTold: false });
});

test('calls of the program that repeat alongside a search of the provider are blocked as ever', async () => {
  const { rungs, sessions } = await besideOwn(
    () => 'Nothing about lamps was found in any of the three catalogues.',
    () => 'brass lamp',
  );
  expect(rungs).toContain('block');
  expect(sessions).toBe(1);
});
