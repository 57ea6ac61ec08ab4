import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SYMPTOMS } from '../src/explain/advice.ts';
import { explainRun } from '../src/explain/explain-run.ts';
import type { LoopExplained, MissExplained } from '../src/explain/report.ts';
import { runText } from '../src/explain/run-text.ts';
import { colours, noColours } from '../src/text/paint.ts';
import { runOf } from './explain-run.ts';
import { root } from './structure/tree.ts';

const textOf = (...lines: string[]): string => runText(explainRun(runOf(...lines)), { paint: noColours, width: 100 }).join('\n');

function loopIn(...lines: string[]): LoopExplained {
  const { loops } = explainRun(runOf(...lines));
  expect(loops, 'one loop').toHaveLength(1);
  return loops[0]!;
}

function missIn(...lines: string[]): MissExplained {
  const { loops, misses } = explainRun(runOf(...lines));
  expect(loops, 'no loop').toEqual([]);
  expect(misses, 'one miss').toHaveLength(1);
  return misses[0]!;
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
        { name: 'command', before: 'npm test', after: 'cd . && npm  test 2>&1', as: 'npm test', counts: false },
        { name: 'description', before: 'Run the tests', after: 'Run them again', as: 'not looked at', counts: false },
      ],
      result: [
        { before: '12:03:11', after: '12:04:40', as: 'time', counts: false },
        { before: '31ms', after: '29ms', as: 'duration', counts: false },
      ],
      more: 0,
    });
  });

  test('tells what each step brought, and which options are in force', () => {
    expect(masked.steps.map(({ step, novelty }) => [step, novelty])).toEqual([
      [0, 1],
      [1, 0],
      [2, 0],
    ]);
    expect(masked.inForce).toEqual({ 'repeated-call': { threshold: 3 }, 'repeated-error': { threshold: 3, thresholdAfterEdits: 4 } });
  });

  test('tells what lies between the repeats, and what of it went forward', () => {
    const { count, between } = loopIn(
      `lookup_order {"order":7} -> ${ORDER}`,
      'Read {"file_path":"/repo/a.ts"} -> "export const limit = 10;"',
      `lookup_order {"order":7} -> ${ORDER} x3`,
    );
    expect(count).toBe(4);
    expect(between.steps).toBe(1);
    expect(between.progress).toEqual([expect.objectContaining({ step: 1, progress: 'first-look' })]);
  });

  test('says that a value which made a difference was learned to be noise', () => {
    const { differs } = loopIn(`lookup_order {"order":7} -> "Order 7 is on its way, said by clerk$iclerk$i at the front desk." x7`);
    expect(differs?.result).toEqual([expect.objectContaining({ as: 'learned noise', counts: false })]);
  });

  test('of messages shows how much of their words they share', () => {
    const { alike, steps } = loopIn(
      'say "I will now open the settings page and change the colour of the header to blue."',
      'say "Next I will open the settings page and change the colour of the header to blue."',
      'say "I am going to open the settings page now and change the colour of the header to blue."',
    );
    expect(alike!.least).toBeGreaterThan(0.5);
    expect(steps.map(({ what }) => what)).toEqual(expect.arrayContaining([expect.stringContaining('says “I will now open')]));
  });

  test('of iterations shows the signature that is equal', () => {
    const { equal, settings } = loopIn(`output "Error: TypeError - Cannot read property 'id' of null at auth.ts:45" x4`);
    expect(equal).toEqual([{ in: 'signature', what: 'error:TypeError-null-auth.ts', steps: [0, 1, 2, 3] }]);
    expect(settings!.length).toBeGreaterThan(0);
  });
});

describe('what would have kept a loop quiet', () => {
  test('is the smallest change of an option, a poll, or the preset without the detector', () => {
    const { settings } = loopIn(`lookup_order {"order":7} -> ${ORDER} x4`);
    expect(settings).toMatchObject([
      { options: { 'repeated-call': { threshold: 5 } }, now: { 'repeated-call': { threshold: 3 } } },
      { tools: { lookup_order: { poll: true } } },
      { without: ['repeated-call'] },
    ]);
  });

  test('counts in the nets that were silent beside it', () => {
    const { settings } = loopIn(`lookup_order {"order":7} -> ${ORDER} x9`);
    expect(Object.keys(settings![0]!.options!)).toEqual(expect.arrayContaining(['repeated-call', 'stalling']));
  });

  test('is said not to be enough where a net has no option for it', () => {
    const { settings } = loopIn('lookup_order {"order":7} -> error "Error: the service has no such order" x5');
    expect(settings![0]).toMatchObject({ still: ['stalling'] });
    expect(settings!.at(-1)).toMatchObject({ without: expect.arrayContaining(['stalling']) });
  });

  test('is all arguments of a tool where some were not looked at', () => {
    const { settings } = loopIn(`lookup_order {"order":7,"nonce":"n$i"} -> ${ORDER} x3`);
    expect(settings).toContainEqual(expect.objectContaining({ tools: { lookup_order: { identity: ['nonce', 'order'] } } }));
  });

  test('is no declaration of a shell, which would be one of every command', () => {
    const { settings } = loopIn('Bash {"command":"ls src"} -> "a.ts b.ts c.ts and d.ts" x3');
    expect(settings!.filter(({ tools }) => tools)).toEqual([]);
  });
});

describe('what was not called a loop', () => {
  test.each<[string, string[], Partial<MissExplained>]>([
    [
      'because work went on in between, and would have been without that',
      [
        'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25)"',
        'Edit {"file_path":"/repo/a.ts","old_string":"a - b","new_string":"a + b"} -> "The file has been updated."',
        'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25)"',
        'Edit {"file_path":"/repo/b.ts","old_string":"sum(1)","new_string":"sum(1, 2)"} -> "The file has been updated."',
        'Bash {"command":"npm test"} -> exit 1 "FAIL test/a.test.ts > adds\\nTests  1 failed | 24 passed (25)"',
      ],
      {
        kind: 'call',
        repeats: [0, 2, 4],
        because: [
          {
            kind: 'progress',
            text: expect.stringMatching(/^2 steps in between .* without them repeated-(?:call|error) would have spoken at step 4$/),
          },
        ],
      },
    ],
    [
      'because each result was another one',
      [
        'lookup_order {"order":7} -> "Order 7 was shipped on Monday."',
        'lookup_order {"order":7} -> "The parcel has reached the depot in Bremen."',
        'lookup_order {"order":7} -> "A driver has loaded the parcel."',
      ],
      {
        kind: 'call',
        because: [expect.objectContaining({ kind: 'moved' }), { kind: 'results', text: 'they brought 3 different results' }],
        settings: [],
      },
    ],
    [
      'because a quantity moved',
      ['get_build {"id":7} -> "Built 1$i of 90 modules of the project so far." x3'],
      {
        because: expect.arrayContaining([{ kind: 'moved', text: '2 of the 2 repeats went forward: a count has moved' }]),
        differs: expect.objectContaining({ result: [expect.objectContaining({ as: 'a quantity', counts: true })] }),
      },
    ],
    [
      'because it counts as waiting',
      ['get_build {"id":7} -> "Build 7: state queued" x8'],
      {
        because: [{ kind: 'waiting', text: '8 of the 8 steps neither count nor clear: asking whether something has changed' }],
        settings: [expect.objectContaining({ options: { 'stale-poll': { threshold: 8 } } })],
      },
    ],
    [
      'because a person spoke in between',
      [`lookup_order {"order":7} -> ${ORDER} x2`, 'user "And now?"', `lookup_order {"order":7} -> ${ORDER} x2`],
      {
        because: [{ kind: 'person', text: 'a person spoke at step 2, and all counting began anew' }],
        settings: [expect.objectContaining({ options: { 'repeated-call': { threshold: 2 } } })],
      },
    ],
    [
      'because a detector asks for more',
      [
        'web_search {"query":"postgres connection pool exhausted"} -> "1. Tuning the pool of PostgreSQL connections\\n2. PgBouncer in transaction mode"',
        'web_search {"query":"postgres pool connection exhausted fix"} -> "1. PgBouncer in transaction mode\\n2. Tuning the pool of PostgreSQL connections"',
        'web_search {"query":"fix exhausted postgres connection pool"} -> "1. PgBouncer in transaction mode\\n2. Tuning the pool of PostgreSQL connections"',
      ],
      {
        kind: 'detector',
        because: expect.arrayContaining([{ kind: 'arguments', text: 'they are 3 different calls' }]),
        settings: [
          expect.objectContaining({ options: { 'near-repeat': { threshold: 3 } }, effect: 'near-repeat would have spoken at step 2' }),
        ],
      },
    ],
  ])('%s', (_, lines, expected) => {
    expect(missIn(...lines)).toMatchObject(expected);
  });

  test('may be found when an argument that changes each time is left out of account', () => {
    const { settings } = missIn('lookup {"order":7,"cursor":"c$ix$i9"} -> "The parcel is at the depot in Bremen" x3');
    expect(settings![0]).toMatchObject({ tools: { lookup: { identity: ['order'] } }, effect: 'repeated-call would have spoken at step 2' });
  });

  test('is nothing where nothing repeats, and where pages are turned', () => {
    const said = textOf(
      'Read {"file_path":"/repo/a.ts","offset":1} -> "export const limit = 10;"',
      'Read {"file_path":"/repo/b.ts","offset":1} -> "import { limit } from \'./a.ts\';"',
    );
    expect(said).toContain('no loop in 2 steps');
    expect(said).toContain('Nothing in it repeats three times.');
    const pages = explainRun(runOf(...[1, 2, 3, 4].map((page) => `list {"page":${page}} -> "${`${page}th of the pages `.repeat(20)}"`)));
    expect(pages.misses.filter(({ kind }) => kind === 'numbers')).toEqual([]);
  });

  test('is told with what else the option would have found', () => {
    const { misses } = explainRun(
      runOf(
        `lookup_order {"order":7} -> ${ORDER} x2`,
        'user "And now?"',
        `lookup_order {"order":7} -> ${ORDER} x2`,
        'user "Now another one."',
        'find_customer {"name":"Ada"} -> "Ada lives in the house by the harbour." x2',
      ),
    );
    expect(misses[0]!.settings[0]!.effect).toMatch(/would have spoken at step 1, and at \d other steps? of the run$/);
  });
});

/** Nine words that are in no other sentence. */
const babble = (i: number): string =>
  Array.from(
    { length: 9 },
    (_, k) => [...'bdfgklmnprstv'][i % 13]! + [...'aeiou'][k % 5]! + [...'lmnrstkpd'][k]! + [...'aeiou'][(i + k) % 5]!,
  ).join(' ');

describe('the debugging tables', () => {
  const rows = (...lines: string[]): string[] => {
    const { tooOften, notFound } = explainRun(runOf(...lines));
    return [...tooOften, ...notFound].map(({ symptom }) => symptom.replace(/ \(.*/, ''));
  };

  test.each<[string, string[]]>([
    ['The same error again and again', ['lookup {"order":7} -> error "Error: the service has no such order" x4']],
    [
      'The same file, the same action',
      [10, 20, 30, 40].map(
        (now) =>
          `Edit {"file_path":"/repo/a.ts","old_string":"const timeoutSeconds = ${now};","new_string":"const timeoutSeconds = ${now + 10};"} -> "The file has been updated."`,
      ),
    ],
    ['Calls that differ are called the same', [`lookup {"order":7,"nonce":"n$i"} -> ${ORDER} x3`]],
    ['Results that differ are called the same', ['lookup {"order":7} -> "Order 7 was looked up at 12:00:0$i by the front desk." x3']],
    ['Waiting is called a loop', [`lookup {"order":7} -> ${ORDER} x3`]],
    ['Steps without a result are called the same', ['lookup {"order":7} -> ? x4']],
    ['The results differ a little each time', ['lookup {"order":7} -> "Your order is at the depot in Bremen, ticket k$iz$iq$i7" x3']],
    ['The calls differ a little each time', ['lookup {"order":7,"cursor":"c$ix$i9"} -> "The parcel is at the depot in Bremen" x3']],
    ['It goes forward', ['get_build {"id":7} -> "Built 1$i of 90 modules of the project so far." x3']],
    ['It counts as waiting', ['get_build {"id":7} -> "Build 7: state queued" x8']],
    ['A person spoke in between', [`lookup {"order":7} -> ${ORDER} x2`, 'user "And now?"', `lookup {"order":7} -> ${ORDER} x2`]],
    ['Too few in a row, or too unlike', [`lookup {"order":7} -> ${ORDER} x2`, 'user "And now?"', `lookup {"order":7} -> ${ORDER} x2`]],
    [
      'It comes back only after many steps',
      Array.from(
        { length: 18 },
        (_, i) => `say "${[0, 5, 10, 17].includes(i) ? 'I should check once more whether it was saved' : babble(i)}"`,
      ),
    ],
    ['The results are not known', ['navigate {"url":"https://a.example/$i"} -> ? x3']],
    [
      'Something in between may have changed the answer',
      [
        'lookup {"order":7} -> ?',
        'Bash {"command":"./deploy.sh one"} -> ?',
        'lookup {"order":7} -> ?',
        'Bash {"command":"./deploy.sh two"} -> ?',
        'lookup {"order":7} -> ?',
      ],
    ],
  ])('have the row “%s” where it applies', (symptom, lines) => {
    expect(rows(...lines)).toContain(symptom);
  });

  test('stand in docs/explain.md with every row', () => {
    const tables = readFileSync(join(root, 'docs/explain.md'), 'utf8').split('\n### ');
    const symptomsIn = (heading: string): string[] => {
      const rows = tables
        .find((part) => part.startsWith(heading))!
        .split('\n')
        .filter((line) => line.startsWith('| '));
      return rows.slice(1).map((row) => row.split('|')[1]!.trim());
    };
    expect(symptomsIn('Found too often')).toEqual(SYMPTOMS.tooOften);
    expect(symptomsIn('Not found')).toEqual(SYMPTOMS.notFound);
  });

  test('have no row where nothing repeats', () => {
    expect(rows(`lookup {"order":7} -> ${ORDER}`, 'lookup {"order":8} -> "Order 8 has been cancelled by the customer."')).toEqual([]);
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
    expect(said.filter((line) => line.length > width && line.trim().includes(' ') && !/^\s*\S+\s*\S{20,}/.test(line))).toEqual([]);
  });

  test('has colours only where they are asked for', () => {
    const explained = explainRun(runOf(...lines));
    expect(runText(explained, { paint: colours, width: 100 }).join('\n')).toContain('\u001b[1m');
    expect(runText(explained, { paint: noColours, width: 100 }).join('\n')).not.toContain('\u001b');
  });

  test('shows how an option is given', () => {
    expect(textOf(`lookup_order {"order":7} -> ${ORDER} x3`)).toContain("createGuard({ options: { 'repeated-call': { threshold: 4 } } })");
  });
});

describe('only some detectors', () => {
  test('leave out what others saw, and what others would have seen', () => {
    const run = runOf('lookup {"order":7} -> error "Error: the service has no such order" x4');
    const { loops } = explainRun(run, ['repeated-error']);
    expect(loops.map(({ detector, also }) => [detector, ...also])).toEqual([['repeated-error']]);
    expect(loops[0]!.settings).toMatchObject([
      { options: { 'repeated-error': { threshold: 5 } } },
      { tools: { lookup: { poll: true } } },
      { without: ['repeated-error'] },
    ]);
    expect(explainRun(run, ['cycle']).loops).toEqual([]);
  });
});
