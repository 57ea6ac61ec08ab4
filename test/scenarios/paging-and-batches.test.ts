import { describe } from 'vitest';
import { LICENCE, name, numbered, prose, random, source, uuid } from './content.ts';
import {
  type CallStep,
  compaction,
  type Item,
  type Parallel,
  scenario,
  times,
} from './scenario.ts';
import { ANSWERS } from './vocabulary.ts';

describe('a new cursor and a new page, 50 times', () => {
  const row = (id: number) => ({
    id: `ord-${10_000 + id * 7}`,
    customer: name(id),
    city: name(id + 5_000),
    remark: prose(id, 6),
  });
  const rows = (page: number) => times(12, (i) => row(page * 12 + i));
  const cursor = (page: number) => Buffer.from(`after:${uuid(page)}`).toString('base64url');
  const line = ({ id, customer, city, remark }: ReturnType<typeof row>) =>
    `${id}  ${customer}  ${city}  ${remark}`;
  const figures = (page: number) => {
    const next = random(page + 3);
    return times(
      20,
      (i) =>
        `2024-${1 + (page % 12)}-${1 + i},${(next() * 5000).toFixed(2)},${Math.floor(next() * 90_000)}`,
    ).join('\n');
  };
  scenario('never fires', 'never', {
    'JSON arrays with opaque cursors': times(50, (i) => ({
      tool: 'list_orders',
      args: { cursor: cursor(i), limit: 12 },
      result: { items: rows(i), next_cursor: cursor(i + 1) },
    })),
    'JSON strings with numeric pages': times(50, (i) => ({
      tool: 'mcp__shop__orders',
      args: { page: i + 1 },
      result: JSON.stringify({ page: i + 1, rows: rows(i) }),
    })),
    'text lines with an offset': times(50, (i) => ({
      tool: 'alpha',
      args: { offset: i * 12, limit: 12 },
      result: rows(i).map(line).join('\n'),
    })),
    'text lines behind a URL': times(50, (i) => ({
      tool: 'Bash',
      args: { command: `curl -s "https://api.example.com/orders?page=${i + 1}"` },
      result: rows(i).map(line).join('\n'),
      exitCode: 0,
    })),
    'one long file read in pieces': times(50, (i) => ({
      tool: 'Read',
      args: { file_path: '/repo/data/big.log', offset: i * 40 + 1, limit: 40 },
      result: numbered(source(i, 20)),
    })),
    'nothing but figures': times(50, (i) => ({
      tool: 'fetch_record',
      args: { series: 'prices', cursor: cursor(i) },
      result: figures(i),
    })),
  });
});

describe('40 different files', () => {
  const path = (index: number) => `/repo/src/${name(index)}/${name(index + 100)}.ts`;
  const barrel = (index: number) =>
    `export { ${name(index + 200).replace('-', '')} } from './${name(index + 300)}.ts';`;
  const licensed = (index: number) => `${LICENCE}\n\n${source(index, index % 3 === 0 ? 6 : 14)}`;
  scenario('never fires', 'never', {
    'long files with Claude Code': times(40, (i) => ({
      tool: 'Read',
      args: { file_path: path(i) },
      result: numbered(source(i, 60)),
    })),
    'short files with Claude Code': times(40, (i) => ({
      tool: 'Read',
      args: { file_path: path(i) },
      result: numbered(barrel(i)),
    })),
    'files with one licence header': times(40, (i) => ({
      tool: 'Read',
      args: { file_path: path(i) },
      result: numbered(licensed(i)),
    })),
    'files of all kinds with a command': times(40, (i) => ({
      tool: 'Bash',
      args: { command: `cat ${path(i)}` },
      result: [barrel(i), licensed(i), source(i, 30)][i % 3],
      exitCode: 0,
    })),
    'files with an unknown tool': times(40, (i) => ({
      tool: 'read_file',
      args: { path: path(i) },
      result: [source(i, 8), licensed(i)][i % 2],
    })),
    'records with an unknown tool': times(40, (i) => ({
      tool: 'fetch_record',
      args: { id: `r-${i * 3}` },
      result: { id: `r-${i * 3}`, owner: name(i), remark: prose(i, 8) },
    })),
  });
});

describe('40 different writes that each answer ok', () => {
  const path = (index: number) => `/repo/pages/${name(index)}.html`;
  scenario('never fires', 'never', {
    write_file: times(40, (i) => ({
      tool: 'write_file',
      args: { path: path(i), content: prose(i, 20) },
      result: 'ok',
    })),
    'an unknown create_record': times(40, (i) => ({
      tool: 'create_record',
      args: { name: name(i), amount: i * 3 },
      result: 'ok',
    })),
    'create_record with a value': times(40, (i) => ({
      tool: 'create_record',
      args: { fields: { owner: name(i) } },
      result: { ok: true },
    })),
    'Claude Code Write': times(40, (i) => ({
      tool: 'Write',
      args: { file_path: path(i), content: source(i, 6) },
      result: `File created successfully at: ${path(i)}`,
    })),
    'Claude Code Write that says ok': times(40, (i) => ({
      tool: 'Write',
      args: { file_path: path(i), content: source(i, 6) },
      result: 'ok',
    })),
  });
});

describe('one response with three identical reads', () => {
  const steps: Record<string, CallStep> = ANSWERS;
  const run = (step: CallStep, batch?: string): Item[] => [
    { tool: 'read_file', args: { path: 'docs/start.md' }, result: prose(1, 20) },
    { parallel: times(3, () => ({ ...step })), batch },
    ...times(4, (i) => ({
      tool: 'read_file',
      args: { path: `docs/${name(i)}.md` },
      result: prose(i + 2, 20),
    })),
  ];
  for (const title of ['a JSON record', 'Claude Code Read', 'a tool whose name says nothing']) {
    scenario('never fires', 'never', {
      [`${title}, batch given`]: run(steps[title]!, 'msg_7'),
      [`${title}, equal times`]: run(steps[title]!),
    });
  }
});

describe('scrolling and turning pages, each time with new content', () => {
  scenario('never fires', 'never', {
    'a page key in a browser': times(30, (i) => ({
      tool: 'mcp__playwright__browser_press_key',
      args: { key: 'PageDown' },
      result: `### Page state\n- Page Snapshot:\n- article: ${prose(i, 24)}`,
    })),
    'a next link in a browser': times(30, (i) => ({
      tool: 'mcp__playwright__browser_click',
      args: { element: 'Next page', ref: 'e9' },
      result: `- heading "Page ${i + 2}"\n- list: ${prose(i, 24)}`,
    })),
    'an unknown scroll': times(30, (i) => ({
      tool: 'scroll',
      args: { direction: 'down', amount: 5 },
      result: prose(i, 24),
    })),
    'an unknown next_page': times(30, (i) => ({
      tool: 'next_page',
      result: { rows: times(5, (n) => ({ owner: name(i * 5 + n), remark: prose(i * 5 + n, 6) })) },
    })),
    'a screen that changes': times(30, (i) => ({
      action: { type: 'scroll', direction: 'down', amount: 5 },
      screen: {
        url: 'https://news.example.com',
        frame: uuid(i).replaceAll('-', '').slice(0, 16),
        description: prose(i, 12),
      },
      effect: `The page moved to ${name(i)}.`,
    })),
  });
});

describe('files read again after a compaction', () => {
  const files = times(5, (i) => ({ path: `/repo/src/${name(i)}.ts`, text: source(i + 700, 16) }));
  const claude: CallStep[] = files.map(({ path, text }) => ({
    tool: 'Read',
    args: { file_path: path },
    result: numbered(text),
  }));
  const unknown: CallStep[] = files.map(({ path, text }) => ({
    tool: 'read_file',
    args: { path },
    result: text,
  }));
  const shell: CallStep[] = files.map(({ path, text }) => ({
    tool: 'Bash',
    args: { command: `cat ${path}` },
    result: text,
    exitCode: 0,
  }));
  const after = times(3, (i) => ({
    tool: 'Read',
    args: { file_path: `/repo/docs/${name(i)}.md` },
    result: prose(i, 30),
  }));
  for (const [title, reads] of Object.entries({
    'Claude Code': claude,
    'an unknown tool': unknown,
    'a command': shell,
  })) {
    scenario('never fires', 'never', {
      [`${title}, file by file`]: [
        ...reads.flatMap((read) => [read, { ...read }]),
        compaction,
        ...reads,
        ...after,
      ],
      [`${title}, round by round`]: [...reads, ...reads, compaction, ...reads, ...after],
    });
  }
});

describe('a batch whose calls all fail with one of them', () => {
  const calls: Record<string, (index: number) => CallStep> = {
    'one unknown tool': (i) => ({ tool: 'lookup_order', args: { order_id: `A-${i}` } }),
    'Claude Code Read': (i) => ({ tool: 'Read', args: { file_path: `/repo/src/${name(i)}.ts` } }),
    'several tools': (i) => ({
      tool: ['Read', 'Grep', 'Bash'][i % 3]!,
      args: [{ file_path: `/a/${i}` }, { pattern: name(i) }, { command: `cat ${name(i)}` }][i % 3],
    }),
  };
  const failed = { error: 'sibling call failed' };
  for (const [title, call] of Object.entries(calls)) {
    for (const batch of ['given', undefined]) {
      const first: Parallel = {
        parallel: times(9, (i) => ({ ...call(i), ...failed })),
        batch: batch && 'msg_1',
      };
      const again: Parallel = {
        parallel: times(9, (i) => ({ ...call(i), ...failed })),
        batch: batch && 'msg_2',
      };
      const works: Parallel = {
        parallel: times(9, (i) => ({ ...call(i), result: prose(i + 40, 18) })),
        batch: batch && 'msg_2',
      };
      const told = batch ? 'batch given' : 'equal times';
      scenario('never fires', 'never', {
        [`${title}, ${told}, the retry fails too`]: [first, again],
        [`${title}, ${told}, the retry works`]: [first, works],
      });
    }
  }
});
