import { describe, expect, test } from 'vitest';
import { createGuard } from '../guard.ts';

type Call = [tool: string, args: object, result: unknown];

/** The plans that a guard makes for these calls, one response each. */
function plansFor(calls: readonly Call[]): string[] {
  const guard = createGuard();
  return calls.flatMap(([tool, args, result], i) => {
    const call = { id: `c${i}`, tool, args: args as never };
    const base = { session: 's', batch: `b${i}`, call };
    const at = 1_700_000_000_000 + 4000 * i;
    const proposed = guard.observe({ ...base, type: 'call-proposed', at, modelMs: 2000 });
    const finished = guard.observe({ ...base, type: 'call-finished', at: at + 300, result });
    return [proposed, finished].flatMap(({ plan }) => (plan ? [plan.rung] : []));
  });
}

const thirty = (make: (i: number) => Call): Call[] => Array.from({ length: 30 }, (_, i) => make(i));

describe('a list of which each item has an empty answer gets no note', () => {
  test.each<[string, (i: number) => Call]>([
    [
      'customers who are not there',
      (i) => ['find_customer', { email: `user${i * 37}@example.com` }, { found: false }],
    ],
    ['files without a complaint', (i) => ['Bash', { command: `npx eslint src/part${i}.ts` }, '']],
    ['checks of a tool', (i) => ['run_eslint', { file: `src/part${i}.ts` }, { errors: [] }]],
    ['empty pages', (i) => ['list_items', { page: i + 1 }, { items: [], page: i + 1 }]],
    [
      'pages of a log, most of them empty',
      (i) => [
        'read_log',
        { page: i + 1 },
        i % 7 === 3 ? `order ${i * 31} came from town ${i}` : [],
      ],
    ],
  ])('%s', (_, make) => {
    expect(plansFor(thirty(make))).toEqual([]);
  });
});

describe('twin: what is no list does', () => {
  const WAYS = ['how to fix', 'fix for', 'solution of', 'solve', 'help with', 'repair of'];
  test.each<[string, (i: number) => Call]>([
    [
      'one question in other words',
      (i) => [
        'search',
        { query: `${WAYS[i % 6]} error 5012 on the door ${i}` },
        'No results found.',
      ],
    ],
    ['one customer again and again', () => ['find_customer', { email: 'a@b.c' }, { found: false }]],
    ['one page again and again', () => ['list_items', { page: 1 }, { items: [] }]],
  ])('%s', (_, make) => {
    expect(plansFor(thirty(make))[0]).toBe('note');
  });
});
