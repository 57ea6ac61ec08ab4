import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colours, noColours } from '@unrut/ledger/text/paint';
import { runOf } from '@unrut/test/explain-run';
import { root } from '@unrut/test/structure/tree';
import { describe, expect, test } from 'vitest';
import { SYMPTOMS } from './advice.ts';
import { explainRun } from './explain-run.ts';
import type { LoopExplained } from './report.ts';
import { runText } from './run-text.ts';

const textOf = (...lines: string[]): string =>
  runText(explainRun(runOf(...lines)), { paint: noColours, width: 100 }).join('\n');

function loopIn(...lines: string[]): LoopExplained {
  const { loops } = explainRun(runOf(...lines));
  expect(loops, 'one loop').toHaveLength(1);
  return loops[0]!;
}

const ORDER = '"Order 7 was shipped on Monday and is on its way."';

describe('a loop', () => {
  const tests = (time: string, took: string): string =>
    `exit 1 "[${time}] FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25) in ${took}"`;
  const masked = loopIn(
    `Bash {"command":"npm test","description":"Run the tests"} -> ${tests('12:03:11', '31ms')}`,
    `Bash {"command":"cd . && npm  test 2>&1","description":"Run them again"} -> ${tests('12:04:40', '29ms')}`,
    `Bash {"command":"npm test"} -> ${tests('12:05:02', '44ms')}`,
  );

  test('names the steps that are equal in call, result and error', () => {
    expect(masked.equal.map(({ in: aspect, steps }) => [aspect, steps])).toEqual([
      ['call', [0, 1, 2]],
      ['result', [0, 1, 2]],
      ['error', [0, 1, 2]],
    ]);
  });

  test('shows the raw difference of two neighbours next to what was made of it', () => {
    expect(masked.differs).toEqual({
      steps: [0, 1],
      arguments: [
        {
          name: 'command',
          before: 'npm test',
          after: 'cd . && npm  test 2>&1',
          as: 'npm test',
          counts: false,
        },
        {
          name: 'description',
          before: 'Run the tests',
          after: 'Run them again',
          as: 'not looked at',
          counts: false,
        },
      ],
      result: [
        { before: '12:03:11', after: '12:04:40', as: 'time', counts: false },
        { before: '31ms', after: '29ms', as: 'duration', counts: false },
      ],
      more: 0,
    });
  });

  test('shows the result of each step, and which options are in force', () => {
    expect(masked.steps.map(({ step, novelty }) => [step, novelty])).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
    ]);
    expect(masked.inForce).toEqual({
      'repeated-call': { threshold: 3 },
      'repeated-error': { threshold: 3, thresholdAfterEdits: 4, thresholdOtherwise: 4 },
    });
  });

  test('shows the steps between the repeats, and which of them made progress', () => {
    const { count, between } = loopIn(
      `lookup_order {"order":7} -> ${ORDER}`,
      'Read {"file_path":"/repo/a.ts"} -> "export const limit = 10;"',
      `lookup_order {"order":7} -> ${ORDER} x3`,
    );
    expect(count).toBe(4);
    expect(between.steps).toBe(1);
    expect(between.progress).toEqual([
      expect.objectContaining({ step: 1, progress: 'first-look' }),
    ]);
  });

  test('says that a value which made a difference was learned to be noise', () => {
    const { differs } = loopIn(
      `lookup_order {"order":7} -> "Order 7 is on its way, said by clerk$iclerk$i at the front desk." x7`,
    );
    expect(differs?.result).toEqual([
      expect.objectContaining({ as: 'learned noise', counts: false }),
    ]);
  });

  test('of messages shows how much of their words they share', () => {
    const { alike, steps } = loopIn(
      'say "I will now open the settings page and change the colour of the header to blue."',
      'say "Next I will open the settings page and change the colour of the header to blue."',
      'say "I am going to open the settings page now and change the colour of the header to blue."',
    );
    expect(alike!.least).toBeGreaterThan(0.5);
    expect(steps.map(({ what }) => what)).toEqual(
      expect.arrayContaining([expect.stringContaining('says “I will now open')]),
    );
  });

  test('of iterations shows the signature that is equal', () => {
    const { equal, settings } = loopIn(
      `output "Error: TypeError - Cannot read property 'id' of null at auth.ts:45" x4`,
    );
    expect(equal).toEqual([
      { in: 'signature', what: 'error:TypeError-null-auth.ts', steps: [0, 1, 2, 3] },
    ]);
    expect(settings.length).toBeGreaterThan(0);
  });
});

describe('what would have kept a loop quiet', () => {
  test('is tried: the threshold one more and one less, and the preset without the detector', () => {
    const { settings } = loopIn(`lookup_order {"order":7} -> ${ORDER} x3`);
    const now = { 'repeated-call': { threshold: 3 } };
    expect(settings).toEqual([
      { options: { 'repeated-call': { threshold: 4 } }, now, effect: 'quiet', speaks: [] },
      {
        options: { 'repeated-call': { threshold: 2 } },
        now,
        effect: 'seen at step 1, by repeated-call',
        speaks: ['repeated-call'],
      },
      { without: ['repeated-call'], effect: 'quiet', speaks: [] },
    ]);
  });

  test('counts in those that would speak instead', () => {
    const { settings } = loopIn(
      'lookup_order {"order":7} -> error "Error: the service has no such order" x5',
    );
    expect(settings[0]!.speaks).not.toEqual([]);
    expect(settings.at(-1)).toMatchObject({
      without: expect.arrayContaining(['stalling']),
      speaks: [],
    });
  });
});

describe('what was nearly called a loop', () => {
  test('is what a threshold that is one less would have found', () => {
    const { loops, nearly } = explainRun(
      runOf(
        'web_search {"query":"postgres connection pool exhausted"} -> "1. Tuning the pool of PostgreSQL connections\\n2. PgBouncer in transaction mode"',
        'web_search {"query":"postgres pool connection exhausted fix"} -> "1. PgBouncer in transaction mode\\n2. Tuning the pool of PostgreSQL connections"',
        'web_search {"query":"fix exhausted postgres connection pool"} -> "1. PgBouncer in transaction mode\\n2. Tuning the pool of PostgreSQL connections"',
      ),
    );
    expect(loops).toEqual([]);
    expect(nearly).toMatchObject([
      {
        detector: 'near-repeat',
        start: 0,
        step: 2,
        count: 3,
        setting: { options: { 'near-repeat': { threshold: 3 } } },
      },
    ]);
  });

  test('is shown once for each stretch, and not in a loop', () => {
    const { loops, nearly } = explainRun(
      runOf(
        'find_customer {"name":"Ada"} -> "Ada lives in the house by the harbour." x2',
        'user "Now another one."',
        `lookup_order {"order":7} -> ${ORDER} x4`,
      ),
    );
    expect(loops.map(({ start, end }) => [start, end])).toEqual([[3, 6]]);
    expect(nearly.map(({ start, step }) => [start, step])).toEqual([[0, 1]]);
  });

  test('is nothing if nothing repeats, and where results differ', () => {
    const said = textOf(
      'Read {"file_path":"/repo/a.ts","offset":1} -> "export const limit = 10;"',
      'Read {"file_path":"/repo/b.ts","offset":1} -> "import { limit } from \'./a.ts\';"',
    );
    expect(said).toContain('no loop in 2 steps');
    expect(said).toContain('No detector would find a loop here with its threshold one lower.');
    expect(
      explainRun(runOf('get_build {"id":7} -> "Built 1$i of 90 modules of the project so far." x3'))
        .nearly,
    ).toEqual([]);
  });
});

describe('the debugging table', () => {
  const rows = (...lines: string[]): string[] =>
    explainRun(runOf(...lines)).tooOften.map(({ symptom }) => symptom.replace(/ \(.*/, ''));

  test.each<[string, string[]]>([
    [
      'The same error again and again',
      ['lookup {"order":7} -> error "Error: the service has no such order" x4'],
    ],
    [
      'The same file, the same action',
      [10, 20, 30, 40].map(
        (now) =>
          `Edit {"file_path":"/repo/a.ts","old_string":"const timeoutSeconds = ${now};","new_string":"const timeoutSeconds = ${now + 10};"} -> "The file has been updated."`,
      ),
    ],
    [
      'Results that differ are called the same',
      ['lookup {"order":7} -> "Order 7 was looked up at 12:00:0$i by the front desk." x3'],
    ],
    ['Steps without a result are called the same', ['lookup {"order":7} -> ? x4']],
  ])('has the row “%s” where it applies', (symptom, lines) => {
    expect(rows(...lines)).toContain(symptom);
  });

  test('stands in docs/explain-debugging.md with every row', () => {
    const table = readFileSync(join(root, 'docs/explain-debugging.md'), 'utf8')
      .split('\n### ')
      .find((part) => part.startsWith('Found too often'));
    for (const symptom of SYMPTOMS) expect(table).toContain(`\n| ${symptom} |`);
  });

  test('has no row where nothing repeats', () => {
    expect(
      rows(
        `lookup {"order":7} -> ${ORDER}`,
        'lookup {"order":8} -> "Order 8 has been cancelled by the customer."',
      ),
    ).toEqual([]);
  });
});

describe('the text', () => {
  const lines = [
    `lookup_order {"order":7,"note":"\\u001b[2Jgone"} -> "Order 7 at 12:00:0$i \\u001b]0;title\\u0007 is on its way through the country." x4`,
    'user "\\u001b[2J"',
  ];

  test.each([40, 100])('keeps to %i columns, and tells a terminal to do nothing', (width) => {
    const said = runText(explainRun(runOf(...lines)), { paint: noColours, width });
    expect(said.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(
      said.filter(
        (line) =>
          line.length > width && line.trim().includes(' ') && !/^\s*\S+\s*\S{20,}/.test(line),
      ),
    ).toEqual([]);
  });

  test('has colours only where they are asked for', () => {
    const explained = explainRun(runOf(...lines));
    expect(runText(explained, { paint: colours, width: 100 }).join('\n')).toContain('\u001b[1m');
    expect(runText(explained, { paint: noColours, width: 100 }).join('\n')).not.toContain('\u001b');
  });

  test('shows how an option is given', () => {
    const text = textOf(`lookup_order {"order":7} -> ${ORDER} x3`).replace(/\s+/g, ' ');
    expect(text).toContain("createGuard({ options: { 'repeated-call': { threshold: 4 } } })");
    expect(text).toContain(
      'in unrut.config.json: "detectors": { "repeated-call": { "threshold": 4 } }',
    );
  });
});

describe('only some detectors', () => {
  test('omit the signals of others, actual and possible', () => {
    const run = runOf('lookup {"order":7} -> error "Error: the service has no such order" x4');
    const { loops } = explainRun(run, ['repeated-error']);
    expect(loops.map(({ detector, also }) => [detector, ...also])).toEqual([['repeated-error']]);
    expect(loops[0]!.settings).toMatchObject([
      {
        options: { 'repeated-error': { threshold: 4 } },
        effect: 'seen at step 3, by repeated-error',
      },
      {
        options: { 'repeated-error': { threshold: 2 } },
        effect: 'seen at step 1, by repeated-error',
      },
      { without: ['repeated-error'], effect: 'quiet' },
    ]);
    expect(explainRun(run, ['cycle']).loops).toEqual([]);
  });
});
