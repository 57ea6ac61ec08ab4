import { describe } from 'vitest';
import { numbered, prose, source } from './content.ts';
import { type CallStep, type Item, inTurn, scenario, times } from './scenario.ts';
import { ANSWERS, READS } from './vocabulary.ts';

const each = (make: (steps: CallStep[]) => Item[]): Record<string, Item[]> =>
  Object.fromEntries(Object.entries(READS).map(([title, steps]) => [title, make(steps)]));

const clicks = (...names: string[]): CallStep[] =>
  names.map((label, index) => ({
    tool: 'mcp__playwright__browser_click',
    args: { element: `${label} link`, ref: `e${index + 4}` },
    result: `### Page state\n- Page URL: https://shop.example.com/${label}\n- Page Snapshot:\n- heading "${label}" [ref=e2]\n- text: ${prose(index, 12)}`,
  }));

describe('two calls in turn with the same results', () => {
  scenario(
    'fires at 5 or 6',
    { from: 5, to: 6 },
    {
      ...each((steps) => inTurn(10, steps.slice(0, 2))),
      'clicks to and fro': inTurn(10, clicks('orders', 'vouchers')),
    },
  );
});

describe('three calls in turn with the same results', () => {
  scenario(
    'fires between 7 and 9',
    { from: 7, to: 9 },
    {
      ...each((steps) => inTurn(15, steps.slice(3, 6))),
      'clicks in a ring': inTurn(15, clicks('orders', 'vouchers', 'account')),
    },
  );
});

describe('the same call at every other position', () => {
  const between = (step: CallStep, other: (index: number) => CallStep): Item[] =>
    times(6, (i) => [{ ...step }, other(i)]).flat();
  scenario(
    'fires at its 3rd or 4th occurrence',
    { oneOf: [5, 7] },
    {
      'record lookups': between(ANSWERS['a JSON record'], (i) => ({
        tool: 'get_invoice',
        args: { id: `I-${i}` },
        result: prose(i, 18),
      })),
      'a tool whose name says nothing': between(ANSWERS['a tool whose name says nothing'], (i) => ({
        tool: 'read_page',
        args: { number: i },
        result: prose(i, 18),
      })),
      'Claude Code': between(ANSWERS['Claude Code Read'], (i) => ({
        tool: 'Read',
        args: { file_path: `/repo/src/part-${i}/index.ts` },
        result: numbered(source(i + 60)),
      })),
      'an MCP server': between(READS['MCP servers']![3]!, (i) => ({
        tool: 'mcp__github__get_file_contents',
        args: { owner: 'harbour', repo: 'web', path: `lib/${i}.js` },
        result: source(i + 80, 8),
      })),
    },
  );
});

describe('A-A-B again and again', () => {
  scenario(
    'fires between 4 and 9',
    { from: 4, to: 9 },
    each(([first, second]) => inTurn(15, [first!, first!, second!])),
  );
});

describe('a cycle of eight steps', () => {
  scenario(
    'fires in the third lap',
    { from: 17, to: 24 },
    each((steps) => inTurn(32, steps)),
  );
});
