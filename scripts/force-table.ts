import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOOPS } from '../test/force/loops.ts';
import { type Play, play, type Turn, times } from '../test/force/play.ts';
import { root } from './build.ts';

export const forceFile: string = join(root, 'docs/recoveries.md');

const STEPS = 80;
const BEGIN = '<!-- Made by `npm run format` from test/force/loops.ts. -->';
const END = '<!-- End of the table. -->';

/** Loops that are certain, so that equality alone ends them. */
const CERTAIN: readonly (readonly [name: string, turn: Turn])[] = [
  [
    'the same file is read again and again',
    { tool: 'Read', args: { file_path: '/p/src/a.ts' }, result: 'export const a = 1;\n'.repeat(9) },
  ],
  [
    'the same edit fails to match',
    {
      tool: 'Edit',
      args: { file_path: '/p/a.ts', old_string: 'x', new_string: 'y' },
      error: 'String to replace not found in file.',
    },
  ],
  [
    'the same check fails, and nothing is changed',
    { run: 'npx tsc --noEmit', result: 'src/a.ts(1,7): error TS2322: no', exitCode: 2 },
  ],
  [
    'a server turns every call away, ten calls in three seconds',
    { tool: 'fetch_report', args: { id: 7 }, error: 'HTTP 429 Too Many Requests', after: 0.3 },
  ],
  [
    'a program succeeds in the same way (it may be meant)',
    { run: './report', result: 'total 42 rows in table orders', exitCode: 0 },
  ],
  [
    'CI is asked for its state every 10 s (honest)',
    { run: 'gh run view 123', result: '* main CI · 123\n* build (ID 7)', exitCode: 0, after: 10 },
  ],
];

const WORDS: Readonly<Record<string, string>> = {
  note: 'note',
  hint: 'hint',
  block: 'block',
  escalate: 'human',
  stop: 'stop',
};

/** What happens at which call: `note 3, hint 4, block 5`; `$` marks what the price calls for. */
function acts(given: Omit<Play, 'attended'>, attended: boolean): string {
  const found: string[] = [];
  for (const { call, rung, byPrice } of play({ ...given, attended }).acts) {
    const word = rung === 'escalate' && !attended ? 'report' : (WORDS[rung] ?? rung);
    const name = `${word}${byPrice ? '$' : ''}`;
    const last = found.at(-1);
    if (last?.startsWith(`${name} `)) found[found.length - 1] = `${last.split('–')[0]}–${call}`;
    else found.push(`${name} ${call}`);
  }
  return found.join(', ') || 'nothing';
}

/** What the guard does to agents that heed nothing, call by call. */
export function makeForceTable(): string {
  const rows = [
    ...CERTAIN.map(([name, turn]) => ({ name, turns: times(STEPS, turn), every: 2 })),
    ...LOOPS.map(({ name, loop, every = 2, prompt }) => ({
      name,
      turns: times(STEPS, loop),
      every,
      ...(prompt === undefined ? {} : { prompt }),
    })),
  ];
  return [
    BEGIN,
    '',
    `| an agent that heeds nothing, at most ${STEPS} calls | attended | unattended |`,
    '|---|---|---|',
    ...rows.map(
      ({ name, ...given }) => `| ${name} | ${acts(given, true)} | ${acts(given, false)} |`,
    ),
    '',
    END,
  ].join('\n');
}

/** The page with its table as the code behaves now. */
export function withForceTable(page: string = readFileSync(forceFile, 'utf8')): string {
  const [before, rest = ''] = page.split(BEGIN);
  return rest.includes(END) ? `${before}${makeForceTable()}${rest.split(END)[1]}` : page;
}
