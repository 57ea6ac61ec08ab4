import type { Rung } from '@unrut/engine/event';
import type { EventOrigin } from '@unrut/engine/event-parts';

/**
 * A call of a recorded agent: the tool, its arguments, what came back, and the exit code of a
 * command that failed, or `error` for a call that failed otherwise.
 */
export type DemoCall = readonly [
  tool: string,
  args: Record<string, string>,
  result: string,
  exit?: number | 'error',
];

/** A recorded session: the agent's steps, its loop, how it got out, and how it continued. */
export interface DemoSession {
  host: string;
  folder: string;
  /** Further facts about the origin of the session. */
  origin?: Pick<EventOrigin, 'model' | 'release' | 'repo' | 'team'>;
  asked: string;
  before: readonly DemoCall[];
  /** Repeated in turn while it is stuck. */
  stuck: readonly DemoCall[];
  /** From this rung on it takes advice; `never` is an agent that does not. */
  heeds: Rung | 'never';
  /** After this many calls the agent is no longer stuck, whatever was done. */
  lasts?: number;
  after: readonly DemoCall[];
}

const read = (file: string, text: string): DemoCall => ['Read', { file_path: file }, text];
const edit = (file: string, old: string, now: string): DemoCall => [
  'Edit',
  { file_path: file, old_string: old, new_string: now },
  `The file ${file} has been updated.`,
];
const run = (command: string, result: string, exit?: number): DemoCall =>
  ['Bash', { command }, result, ...(exit ? [exit] : [])] as never;

const INVOICE = 'src/invoice.ts';
const DUE =
  'FAIL test/invoice.test.ts > is due after 14 days\nexpected 2026-11-16, got 2026-11-15\nTests  1 failed | 23 passed (24)';

/**
 * The sessions that `unrut serve --demo` plays. They contain only what agents commonly do; all
 * names, paths and texts are invented.
 */
export const DEMO_SESSIONS: readonly DemoSession[] = [
  {
    host: 'claude-code',
    folder: 'shop',
    asked: 'The invoice tests fail since the move to UTC. Please fix them.',
    heeds: 'stop',
    before: [
      read(INVOICE, 'export const due = (date: Date) => addDays(startOfDay(date), 14);'),
      read('test/invoice.test.ts', "expect(format(due(date))).toBe('2026-11-16');"),
      edit(INVOICE, 'startOfDay(date)', 'startOfUtcDay(date)'),
    ],
    stuck: [run('npm test -- invoice', DUE, 1)],
    after: [],
  },
  {
    host: 'codex',
    folder: 'search-api',
    asked: 'Find where the index is rebuilt.',
    heeds: 'block',
    before: [
      run('ls src', 'api.ts\nquery.ts\nstore.ts'),
      read('src/store.ts', 'export function put(key: string, value: Doc): void { /* … */ }'),
    ],
    stuck: [['Grep', { pattern: 'rebuildIndex' }, 'No matches found.']],
    after: [
      run(
        'git log --oneline -5 -- src',
        'a41c2f0 Move the index to its own package\n9be01d2 Tidy up',
      ),
      read(
        'packages/index/src/rebuild.ts',
        'export async function rebuild(store: Store): Promise<void> { /* … */ }',
      ),
    ],
  },
  {
    host: 'gemini-cli',
    folder: 'docs-site',
    asked: 'Fix the broken build of the docs.',
    heeds: 'hint',
    before: [
      run('npm run build', 'error: cannot find module ./sidebar.json', 1),
      run('ls', 'docs\npackage.json\ntheme'),
    ],
    stuck: [
      edit('theme/config.ts', "'./sidebar.json'", "'../sidebar.json'"),
      run('npm run build', 'error: cannot find module ../sidebar.json', 1),
      edit('theme/config.ts', "'../sidebar.json'", "'./sidebar.json'"),
      run('npm run build', 'error: cannot find module ./sidebar.json', 1),
    ],
    after: [
      run('npm run sidebar', 'wrote theme/sidebar.json (42 pages)'),
      run('npm run build', 'built 42 pages in 3.1 s'),
      run("git commit -am 'Generate the sidebar first'", '2 files changed'),
    ],
  },
  {
    host: 'claude-code',
    folder: 'billing',
    asked: 'Round prices to full cents.',
    heeds: 'note',
    before: [
      read('src/price.ts', 'export const gross = (net: number) => net * 1.19;'),
      run('npm test -- price', 'Tests  9 passed (9)'),
    ],
    stuck: [read('src/tax.ts', 'export const VAT = 0.19;')],
    after: [
      edit('src/price.ts', 'net * 1.19', 'Math.round(net * (1 + VAT) * 100) / 100'),
      run('npm test -- price', 'Tests  11 passed (11)'),
      edit('CHANGELOG.md', '## Unreleased', '## Unreleased\n- Prices are rounded to full cents.'),
    ],
  },
  {
    host: 'opencode',
    folder: 'mobile',
    asked: 'Rename the settings screen.',
    heeds: 'note',
    before: [
      [
        'Glob',
        { pattern: 'src/**/*settings*' },
        'src/screens/settings.tsx\nsrc/screens/settings.test.tsx',
      ],
      read(
        'src/screens/settings.tsx',
        "export const Settings = () => <Screen title='Settings' />;",
      ),
      edit('src/screens/settings.tsx', "title='Settings'", "title='Preferences'"),
      run('npm test -- settings', 'Tests  4 passed (4)'),
      run("git commit -am 'Call it preferences'", '1 file changed'),
    ],
    stuck: [],
    after: [],
  },
];

/** A roadmap whose second task meets the same blocker each time. */
export const DEMO_ROADMAP = {
  tasks: [
    { id: 'T1', title: 'Set up the shop', prompt: 'Create the project.' },
    { id: 'T2', title: 'Pay by card', prompt: 'Connect the payment service.', dependsOn: ['T1'] },
    {
      id: 'T3',
      title: 'Print the invoice',
      prompt: 'Make a PDF of each order.',
      dependsOn: ['T1'],
    },
  ],
};

/** The output of the agent at each of its tasks. */
export const DEMO_OUTPUTS: Readonly<Record<string, string>> = {
  T1: 'WORK: created the project\nTASK_COMPLETE',
  T2: 'BLOCKED: the key of the payment service is missing',
  T3: 'WORK: wrote the invoice as a PDF\nTASK_COMPLETE',
};
