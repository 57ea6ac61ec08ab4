import { numbered, source } from './content.ts';
import type { CallStep } from './scenario.ts';

const page = (title: string, body: string): string =>
  `### Page state\n- Page URL: https://shop.example.com/${title}\n- Page Title: ${title}\n- Page Snapshot:\n\`\`\`yaml\n${body}\n\`\`\``;

/** One call with a normal answer, in the words of different hosts. None of them is a poll. */
export const ANSWERS = {
  'a JSON record': {
    tool: 'lookup_order',
    args: { order_id: 'A-1042', include: ['lines', 'carrier'] },
    result: { order: 'A-1042', carrier: 'DHL', city: 'Rotterdam', lines: 3, total: '118.40 EUR' },
  },
  'a text record': {
    tool: 'fetch_record',
    args: { table: 'customers', key: 'c-77' },
    result:
      'Customer c-77: Mara Lindqvist, Harbour Street 12, Gothenburg; customer since 2016, three open invoices.',
  },
  'a tool whose name says nothing': {
    tool: 'alpha',
    args: { left: 'copper', right: 'lantern' },
    result: 'The quick answer to that is a blue lantern on a wooden table.',
  },
  'Claude Code Read': {
    tool: 'Read',
    args: { file_path: '/repo/src/auth/session.ts' },
    result: numbered(source(11, 18)),
  },
  'Claude Code Bash': {
    tool: 'Bash',
    args: { command: 'ls -la src', description: 'List the sources' },
    result:
      'total 24\n-rw-r--r-- 1 dev dev 1204 auth.ts\n-rw-r--r-- 1 dev dev  877 index.ts\n-rw-r--r-- 1 dev dev 3310 server.ts',
    exitCode: 0,
  },
  'Playwright MCP': {
    tool: 'mcp__playwright__browser_snapshot',
    args: {},
    result: page(
      'checkout',
      '- heading "Checkout" [level=1] [ref=e3]\n- textbox "Voucher" [ref=e7]\n- button "Apply" [ref=e8]\n- text: Total 118.40',
    ),
  },
} satisfies Record<string, CallStep>;

/** Eight different reads with different stable answers, in the words of different hosts. */
export const READS: Record<string, CallStep[]> = {
  'tools whose names say nothing': 'alpha beta gamma delta epsilon zeta eta theta'
    .split(' ')
    .map((tool, index) => ({
      tool,
      args: { station: index },
      result: `From ${tool} comes this answer: ${source(300 + index, 2)}`,
    })),
  'record lookups': 'order invoice customer carrier parcel voucher refund stock'
    .split(' ')
    .map((kind, index) => ({
      tool: `lookup_${kind}`,
      args: { id: `${kind[0]!.toUpperCase()}-${index}7` },
      result: {
        kind,
        remark: source(400 + index, 1),
        shelf: `row ${index + 3}`,
        owner: `team ${kind}`,
      },
    })),
  'Claude Code': [
    { tool: 'Read', args: { file_path: '/repo/src/server.ts' }, result: numbered(source(1, 9)) },
    {
      tool: 'Grep',
      args: { pattern: 'createSession', path: 'src' },
      result: 'src/auth.ts:12:  createSession(user)\nsrc/server.ts:40:  createSession(guest)',
    },
    {
      tool: 'Glob',
      args: { pattern: '**/*.config.ts' },
      result: '/repo/vite.config.ts\n/repo/packages/web/vitest.config.ts',
    },
    {
      tool: 'Read',
      args: { file_path: '/repo/README.md' },
      result: numbered('# Harbour\n\nBooks berths for visiting yachts.\n'),
    },
    {
      tool: 'Bash',
      args: { command: 'cat package.json' },
      result: '{\n  "name": "harbour",\n  "version": "2.1.0",\n  "type": "module"\n}',
      exitCode: 0,
    },
    {
      tool: 'Grep',
      args: { pattern: 'berth', path: 'docs' },
      result: 'docs/api.md:3:A berth is booked by the night.\ndocs/faq.md:9:Which berth is mine?',
    },
    {
      tool: 'Read',
      args: { file_path: '/repo/src/auth.ts', offset: 1, limit: 40 },
      result: numbered(source(2, 14)),
    },
    {
      tool: 'Bash',
      args: { command: 'wc -l src/*.ts' },
      result: '  118 src/auth.ts\n  402 src/server.ts\n  520 total',
      exitCode: 0,
    },
  ],
  'MCP servers': [
    {
      tool: 'mcp__playwright__browser_snapshot',
      args: {},
      result: page('orders', '- heading "Orders" [ref=e2]\n- link "A-1042" [ref=e5]'),
    },
    {
      tool: 'mcp__playwright__browser_console_messages',
      args: {},
      result: '[WARNING] Deprecated attribute on <video> @ https://shop.example.com/app.js:114',
    },
    {
      tool: 'mcp__playwright__browser_tabs',
      args: { action: 'list' },
      result: '### Open tabs\n- 0: (current) [Orders] (https://shop.example.com/orders)',
    },
    {
      tool: 'mcp__github__get_issue',
      args: { owner: 'harbour', repo: 'web', issue_number: 12 },
      result: {
        title: 'Voucher field ignores Enter',
        body: 'Typing a code and pressing Enter does nothing.',
      },
    },
    {
      tool: 'mcp__github__list_commits',
      args: { owner: 'harbour', repo: 'web' },
      result: 'Add voucher field\nMove totals below the lines\nFirst version of the checkout page',
    },
    {
      tool: 'mcp__github__get_file_contents',
      args: { owner: 'harbour', repo: 'web', path: 'app.js' },
      result: source(3, 10),
    },
    {
      tool: 'mcp__github__search_code',
      args: { q: 'voucher repo:harbour/web' },
      result: { files: ['app.js', 'voucher/field.js', 'voucher/apply.js'] },
    },
    {
      tool: 'mcp__playwright__browser_network_requests',
      args: {},
      result:
        '[GET] https://shop.example.com/api/orders => [200] OK\n[GET] https://shop.example.com/app.css => [200] OK',
    },
  ],
};
