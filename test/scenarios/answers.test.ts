import { describe } from 'vitest';
import { name, prose, random } from './content.ts';
import { type CallStep, type Item, scenario, times } from './scenario.ts';

const QUERIES = [
  'harbour fees for catamarans',
  'who signed the 1998 lease',
  'winter storage of wooden hulls',
  'diesel prices in Gdynia',
  'tide tables, July',
  'berth 14 complaints',
  'insurance of visiting crews',
];

describe('new arguments, the same class of error', () => {
  const orders = ['A-1042', 'B-77', 'Z-9', 'harbour/3', 'C-100-D', '77'];
  const files = [
    'src/session.ts',
    'lib/auth/token.ts',
    'server/index.js',
    'src/login.tsx',
    'app/user.py',
    'main.go',
  ];
  scenario('fires at 3', 3, {
    'flagged by the host': orders.map((order_id) => ({
      tool: 'lookup_order',
      args: { order_id },
      error: `Error: no order with the number '${order_id}' exists in the archive`,
    })),
    'told by the opening of the text': orders.map((key) => ({
      tool: 'fetch_record',
      args: { key },
      result: `Error: record "${key}" not found in table customers`,
    })),
    'told by a JSON field': orders.map((id, i) => ({
      tool: 'alpha',
      args: { id, depth: i },
      result: { error: `unknown station ${id}`, code: 'E_STATION' },
      error: true,
    })),
    'files read by Claude Code': files.map((file) => ({
      tool: 'Read',
      args: { file_path: `/repo/${file}` },
      error: 'File does not exist. Note: your current working directory is /repo.',
    })),
    'files read by a command': files.map((file) => ({
      tool: 'Bash',
      args: { command: `cat ${file}` },
      result: `cat: ${file}: No such file or directory`,
      exitCode: 1,
    })),
    'elements of a page': files.map((_, i) => ({
      tool: 'mcp__playwright__browser_click',
      args: { element: `Button number ${i}`, ref: `e${31 + i * 4}` },
      error: `Error: Ref e${31 + i * 4} not found in the current page snapshot. Try capturing new snapshot.`,
    })),
  });
  scenario(
    'fires at 3 although other tools succeed in between',
    { oneOf: [5, 7] },
    {
      'reads between': orders.flatMap((order_id, i) => [
        {
          tool: 'lookup_order',
          args: { order_id },
          error: `Error: no order with the number '${order_id}' exists in the archive`,
        },
        { tool: 'Read', args: { file_path: `/repo/docs/${name(i)}.md` }, result: prose(i, 20) },
      ]),
    },
  );
});

describe('new arguments, the same empty answer', () => {
  const tools: ((query: string) => CallStep)[] = [
    (query) => ({ tool: 'search_docs', args: { query } }),
    (query) => ({ tool: 'alpha', args: { q: query } }),
    (pattern) => ({ tool: 'Grep', args: { pattern, path: '/repo' } }),
    (query) => ({ tool: 'mcp__notes__find', args: { text: query } }),
  ];
  const answers: Record<string, unknown> = {
    'No results found.': 'No results found.',
    '[] as text': '[]',
    '[] as a value': [],
    'no items as text': '{"items":[]}',
    'no items as a value': { items: [] },
  };
  for (const [title, result] of Object.entries(answers)) {
    scenario(
      'fires at 4',
      4,
      Object.fromEntries(
        tools.map((tool) => [
          `${title} from ${tool('').tool}`,
          QUERIES.map((query) => ({ ...tool(query), result })),
        ]),
      ),
    );
  }
});

describe('paraphrased queries that find what is known', () => {
  const queries = [
    'how to refresh an oauth2 token',
    'oauth2 token refresh how to',
    'refreshing oauth2 tokens',
    'oauth2 refresh token guide',
    'guide to refreshing an oauth2 token',
    'how do I refresh my oauth2 token',
    'refresh oauth2 tokens tutorial',
    'oauth2 tokens: how to refresh',
  ];
  const hit = (id: number) => ({
    title: prose(id + 20, 7),
    url: `https://${name(id)}.example.com/${name(id + 300)}`,
    snippet: prose(id + 600, 10),
  });
  /** Six hits: from the third query on one is new. */
  const hits = (index: number, secondIsNew: boolean) => {
    const known = secondIsNew ? 12 : 9;
    if (index === 0) return [0, 1, 2, 3, 4, 5];
    if (index === 1) return secondIsNew ? [6, 7, 8, 9, 10, 11] : [0, 6, 2, 7, 4, 8];
    const next = random(index);
    const order = times(known, (id) => ({ id, key: next() })).sort((a, b) => a.key - b.key);
    return [...order.slice(0, 5).map(({ id }) => id), known + index].sort(() => next() - 0.5);
  };
  const asText = (ids: number[]) =>
    ids
      .map((id, rank) => `${rank + 1}. ${hit(id).title} ${hit(id).url}\n   ${hit(id).snippet}`)
      .join('\n');
  const runs = (tool: string, shape: (ids: number[]) => unknown, secondIsNew: boolean): Item[] =>
    queries.map((query, i) => ({ tool, args: { query }, result: shape(hits(i, secondIsNew)) }));
  scenario(
    'fires between 4 and 6',
    { from: 4, to: 6 },
    {
      'ranked text lines': runs('web_search', asText, true),
      'ranked text lines, the second half known': runs('WebSearch', asText, false),
      'a JSON array': runs('search_docs', (ids) => ids.map(hit), true),
      'a JSON array, the second half known': runs(
        'mcp__brave__search',
        (ids) => ({ results: ids.map(hit) }),
        false,
      ),
      'a JSON string': runs('mcp__exa__web_search', (ids) => JSON.stringify(ids.map(hit)), true),
    },
  );
});

describe('calls that do nothing, each in another way', () => {
  const commands = ['true', ':', 'echo ok', 'true', 'sleep 0', ':', 'true', 'echo ok'];
  const run = (tool: string, argument: string, silence: string): Item[] =>
    commands.map((command) => ({
      tool,
      args: { [argument]: command },
      result: command === 'echo ok' ? 'ok' : silence,
      exitCode: 0,
    }));
  scenario(
    'fires between 4 and 6',
    { from: 4, to: 6 },
    {
      'Bash with an empty answer': run('Bash', 'command', ''),
      'Bash with a sentence for silence': run('Bash', 'command', '(Bash completed with no output)'),
      'another shell tool': run('execute_command', 'command', ''),
      'a shell tool that says so': run('run_shell_command', 'command', '(no output)'),
    },
  );
});

describe('a number drifts and the answer refuses alike', () => {
  const prices = times(8, (i) => (100 * 0.87 ** i).toFixed(2));
  const run = (tool: string, answer: (price: string) => Partial<CallStep>): Item[] =>
    prices.map((price) => ({
      tool,
      args: { item: 'chair', price: Number(price) },
      ...answer(price),
    }));
  scenario(
    'fires between 3 and 5',
    { from: 3, to: 5 },
    {
      'as an error': run('make_offer', (price) => ({
        error: `Offer rejected: ${price} is below the reserve of the seller.`,
      })),
      'as plain text': run('make_offer', (price) => ({
        result: `The seller declined your offer of ${price} for the chair.`,
      })),
      'as a JSON value': run('mcp__market__bid', (price) => ({
        result: {
          accepted: false,
          item: 'chair',
          offered: Number(price),
          reason: 'below the reserve',
        },
      })),
      'as a JSON string': run('submit_bid', (price) => ({
        result: JSON.stringify({ accepted: false, offer: price, message: 'The seller declined.' }),
      })),
      'from a tool whose name says nothing': run('alpha', (price) => ({
        result: `The seller declined your offer of ${price} for the chair.`,
      })),
    },
  );
});

describe('two speakers repeat one failing request between them', () => {
  const speakers = ['planner', 'coder'];
  const run = (step: CallStep): Item[] => times(6, (i) => ({ ...step, speaker: speakers[i % 2] }));
  scenario(
    'fires at 3 or 4',
    { from: 3, to: 4 },
    {
      'a booking': run({
        tool: 'book_room',
        args: { room: 'Aurora', day: 'Friday' },
        error: 'Error: the room Aurora is closed on Fridays',
      }),
      'a command': run({
        tool: 'Bash',
        args: { command: 'npm run deploy' },
        result:
          'npm error Missing script: "deploy"\nnpm error To see a list of scripts, run: npm run',
        exitCode: 1,
      }),
      'a page': run({
        tool: 'mcp__playwright__browser_navigate',
        args: { url: 'https://intranet.example.com' },
        error: 'Error: page.goto: net::ERR_NAME_NOT_RESOLVED at https://intranet.example.com',
      }),
    },
  );
});
