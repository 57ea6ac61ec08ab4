import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGuard } from '../../packages/cli/src/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8');
const ROWS = [...page.matchAll(/^\| (?!what happens|---)(.+?) \| (.+?) \|$/gm)].map(
  ([, what, does]) => [what!, does!] as const,
);

interface Step {
  tool: string;
  args: object;
  result?: string;
  error?: string;
}
type Run = (i: number) => Step | Step[];

const NEW = 'brass lamp,green river,seven boats,winter copper,paper moon,quiet engine'.split(',');
const fresh = (i: number): string =>
  `${NEW[i % 6]} ${NEW[(i * 5 + 1) % 6]} ${'abcdefghijklmnopqrstuvwxyz'[i]!.repeat(8)}`;
const search = (q: string, result: string): Step => ({ tool: 'search', args: { q }, result });

/** For each row a run, and the highest rung that it leads to. */
const CASES: Record<string, { run: Run; highest: string | null }> = {
  'one call with the same arguments and the same result, or the same error': {
    run: () => search('lamps', 'No lamp was found in the catalogue.'),
    highest: 'stop',
  },
  'a cycle of such calls': {
    run: (i) =>
      search(i % 2 ? 'lamps' : 'chairs', `Page ${i % 2 ? 'one' : 'two'} of the catalogue.`),
    highest: 'stop',
  },
  'request ids, times or counters change in the result, nothing else': {
    run: (i) =>
      search('lamps', `{"found":[],"request_id":"5f0c7a1e-0000-4000-8000-0000000000${10 + i}"}`),
    highest: 'stop',
  },
  'other arguments each time, the same empty answer': {
    run: (i) => search(fresh(i), 'No results were found.'),
    highest: 'escalate',
  },
  'an edit and its reversal, again and again': {
    run: (i) => ({
      tool: 'Edit',
      args: {
        file_path: '/a.ts',
        old_string: i % 2 ? 'let b' : 'let a',
        new_string: i % 2 ? 'let a' : 'let b',
      },
      result: 'The file /a.ts has been updated.',
    }),
    highest: 'stop',
  },
  'an error that passes by itself (429, 503, a timeout, a locked database), retried': {
    run: () => ({
      tool: 'fetch_page',
      args: { url: 'https://a.example' },
      error: 'HTTP 503 Service Unavailable',
    }),
    highest: 'note',
  },
  'waiting for something outside: a build, a payment, an approval': {
    run: () => ({ tool: 'get_build_status', args: { build: 7 }, result: '{"status":"pending"}' }),
    highest: 'note',
  },
  'a result that is only a receipt or a link': {
    run: () => ({ tool: 'refresh', args: { view: 7 }, result: 'OK' }),
    highest: 'note',
  },
  'two equal calls beside one that brings something new': {
    run: (i) => [
      search('lamps', 'No lamp was found.'),
      search('lamps', 'No lamp was found.'),
      search(fresh(i), fresh(i)),
    ],
    highest: 'hint',
  },
  'a run that is merely slow, expensive or wrong': {
    run: (i) => search(fresh(i), fresh(i)),
    highest: null,
  },
};

const RUNGS = ['note', 'hint', 'substitute', 'block', 'redirect', 'escalate', 'stop'];

/** The highest rung of 26 responses, of a host that does what the guard says. */
function highestIn(run: Run): string | null {
  const guard = createGuard({ can: ['note', 'hint', 'block', 'escalate', 'stop'] });
  let highest = -1;
  for (let i = 0; i < 26; i++) {
    for (const [j, { tool, args, ...returned }] of [run(i)].flat().entries()) {
      const at = 20_000 * i;
      const event = { session: 's', call: { id: `c${i}-${j}`, tool, args, batch: `b${i}` } };
      const before = guard.observe({ ...event, type: 'call-proposed', at, modelMs: 15_000 }).plan;
      const refused =
        before?.rung === 'block' ? { result: '', refusedBy: 'unrut' as const } : returned;
      const after =
        before?.rung === 'stop'
          ? before
          : guard.observe({ ...event, type: 'call-finished', at: at + 1, ...refused }).plan;
      for (const plan of [before, after])
        if (plan) highest = Math.max(highest, RUNGS.indexOf(plan.rung));
    }
  }
  return RUNGS[highest] ?? null;
}

test('every row of the table has a run here', () => {
  expect(ROWS.map(([what]) => what)).toEqual(Object.keys(CASES));
});

test.each(ROWS)('%s: %s', (what) => {
  expect(highestIn(CASES[what]!.run)).toBe(CASES[what]!.highest);
});
