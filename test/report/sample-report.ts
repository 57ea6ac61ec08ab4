import type { ScanReport } from '@unrut/ledger/report/scan-report';
import { loop, report, run, step } from './make-report.ts';

const failingTest = (
  milliseconds: number,
): string => `❯ test/invoice.test.ts (6 tests | 1 failed) ${milliseconds}ms
   × reminderDate > keeps the day across the change of clocks
     → expected '2026-03-30' to be '2026-03-29' // Object.is equality

 Test Files  1 failed | 11 passed (12)
      Tests  1 failed | 87 passed (88)`;

const invoices = run({
  id: 'Fix the invoice tests after the move to UTC',
  file: '/home/dev/project/.logs/4f1c2a7e.jsonl',
  format: 'claude-code',
  timeline: 'umnnnennenneee-eeeemnnnenn-nnmnen-enen-en-enmnnnnnnm',
  tokens: 386_000,
  usd: 3.42,
  loops: [
    loop({
      detector: 'repeated-error',
      variant: 'persistent',
      also: ['repeated-call', 'stalling'],
      start: 11,
      firedAt: 13,
      end: 18,
      rung: 'escalate',
      count: 7,

      text: '`npm test` failed 7 times in a row in the same way (1 failed: reminderDate keeps the day across the change of clocks)',
      plans: [
        {
          step: 13,
          rung: 'note',
          recovery: 'say-what-repeats',
          toModel:
            'Unrut (loop guard): `npm test` failed 3 times in a row in the same way. Try next: 1. Find out what the error depends on before the next try. 2. Reach the goal with another tool or in another way.',
          toHuman: 'Unrut told the agent: `npm test` failed 3 times in a row in the same way.',
        },
        {
          step: 15,
          rung: 'hint',
          recovery: 'offer-next-moves',
          toModel:
            'Unrut (loop guard) again: `npm test` failed 4 times with the same error. Try next: 1. Read the lines that the failure names, and the check itself. 2. Print the actual value right before the failing line.',
          toHuman: 'Unrut reminded the agent: `npm test` failed 4 times with the same error.',
        },
        {
          step: 17,
          rung: 'escalate',
          recovery: 'ask-human',
          toModel:
            'Unrut (loop guard) asks a human to look at this: `npm test` failed 6 times with the same error. Leave it until they answer.',
          toHuman:
            'Unrut: `npm test` failed 6 times with the same error, and advice did not help. Please tell the agent how to go on.',
        },
      ],
      repeats: [41, 44, 39, 52, 43].map((ms, i) =>
        step(
          [11, 12, 13, 17, 18][i]!,
          'npm test',
          i === 2 ? '{"command":"npm test -- --run"}' : '{"command":"npm test"}',
          failingTest(ms),
          i === 0 ? 'failed, 1 failing' : `failed as before, 1 failing`,
        ),
      ),
    }),
    loop({
      detector: 'cycle',
      variant: 'round of 3',
      also: ['edit-revert'],
      start: 31,
      firedAt: 38,
      end: 43,
      rung: 'block',
      count: 4,
      wastedSteps: 10,
      text: '3 steps (`Edit src/dates.ts`, `npm test`, `Read src/dates.ts`) were made 4 times over, with the same results',
      plans: [
        {
          step: 38,
          rung: 'note',
          recovery: 'say-what-repeats',
          toModel:
            'Unrut (loop guard): 3 steps were made 3 times in turn, with the same results each time. Try next: Decide what these results already tell you, and act on that.',
          toHuman: 'Unrut told the agent: 3 steps were made 3 times in turn.',
        },
        {
          step: 41,
          rung: 'block',
          recovery: 'refuse-repeat',
          toModel:
            'Unrut (loop guard) did not run `npm test`: it failed 4 times with the same error. Its last result stands above.',
          toHuman: 'Unrut blocked `npm test`: it failed 4 times with the same error.',
        },
      ],
      repeats: [0, 1, 3].flatMap((lap) => [
        step(
          31 + lap * 3,
          'Edit src/dates.ts',
          lap % 2 === 0
            ? 'old: return addDays(toUtc(day), n)\nnew: return addDays(day, n)'
            : 'old: return addDays(day, n)\nnew: return addDays(toUtc(day), n)',
          'The file was changed.',
          lap === 0 ? 'made a change' : 'brought back what it had been',
        ),
        step(
          32 + lap * 3,
          'npm test',
          '{"command":"npm test"}',
          failingTest(40 + lap),
          'failed, 1 failing',
        ),
        step(
          33 + lap * 3,
          'Read src/dates.ts',
          '{"file_path":"src/dates.ts"}',
          `export function addDays(day: Date, n: number): Date {\n  return shift(${lap % 2 === 0 ? 'day' : 'toUtc(day)'}, n);\n}`,
          lap === 0 ? 'partly new (12%)' : 'nothing new',
        ),
      ]),
    }),
  ],
});

const queries = [
  'heat pump subsidy 2026 small business',
  'heat pump subsidies for small businesses 2026',
  'small business heat pump grant 2026',
  '2026 grant heat pump small company',
  'subsidy heat pump small business apply 2026',
];
const research = run({
  id: 'Which subsidies are there for heat pumps?',
  file: '/home/dev/project/traces/research-2026-03.json',
  format: 'openai-chat',
  timeline: 'unnnn-nn-------w-------nnm',
  tokens: 121_000,
  usd: 0.61,
  loops: [
    loop({
      detector: 'near-repeat',
      variant: 'reworded',
      also: ['same-answer'],
      start: 7,
      firedAt: 11,
      end: 22,
      rung: 'hint',
      count: 14,
      text: '14 calls of `web_search` differ only in wording, and the last 13 brought next to nothing new',
      plans: [
        {
          step: 11,
          rung: 'note',
          recovery: 'say-what-repeats',
          toModel:
            'Unrut (loop guard): 5 calls to `web_search` that differed only in wording returned almost nothing new. Try next: Work with what was returned: open one of the results, or decide.',
          toHuman: 'Unrut told the agent: reworded searches return the same pages.',
        },
        {
          step: 14,
          rung: 'hint',
          recovery: 'offer-next-moves',
          toModel:
            'Unrut (loop guard) again: the searches return the same pages. Try next: 1. Read one of the pages found. 2. Ask another question. 3. Write the answer with what is known.',
          toHuman: 'Unrut reminded the agent.',
        },
      ],
      repeats: queries.map((query, i) =>
        step(
          [7, 8, 9, 21, 22][i]!,
          `web_search “${query}”`,
          JSON.stringify({ query }),
          `1. Subsidies at a glance – energy office\n2. Heat pumps: who pays what?\n3. ${i % 2 === 0 ? 'Forms and deadlines' : 'Forms, deadlines and contacts'}`,
          i === 0 ? 'partly new (38%)' : 'nothing new',
        ),
      ),
    }),
  ],
});

const booking = run({
  id: 'Book the large meeting room for Thursday',
  file: '/home/dev/project/traces/browser-31.jsonl',
  format: 'neutral-steps',
  timeline: `umnnnn${'-w'.repeat(14)}--m${'-'.repeat(9)}?um`,
  loops: [
    loop({
      detector: 'repeated-call',
      start: 6,
      firedAt: 10,
      end: 35,
      rung: 'stop',
      count: 16,
      wastedSteps: 28,
      text: '`click button "Reserve"` left the same screen 16 times',
      plans: [
        {
          step: 10,
          rung: 'note',
          recovery: 'say-what-repeats',
          toModel:
            'Unrut (loop guard): `click button "Reserve"` left the same screen 3 times. Try next: Look for a message on the page.',
          toHuman: 'Unrut told the agent: a click changes nothing.',
        },
        {
          step: 20,
          rung: 'stop',
          recovery: 'stop-run',
          toModel:
            'The run is stopped here: nothing that was tried has changed it. It can be resumed.',
          toHuman: 'Unrut stopped the run: `click button "Reserve"` left the same screen 8 times.',
        },
      ],
      repeats: [6, 8, 10, 33, 35].map((at) =>
        step(
          at,
          'click button "Reserve"',
          '{"x":612,"y":840}',
          'Reserve a room – Thursday 5 March – 0 people',
          'the same screen',
        ),
      ),
    }),
    loop({
      detector: 'monologue',
      variant: 'alike',
      start: 36,
      firedAt: 40,
      end: 45,
      rung: 'note',
      count: 9,
      text: '9 messages in a row say much the same, with no action between',
      repeats: [36, 37, 45].map((at, i) =>
        step(
          at,
          'says',
          '',
          `I will ${['try', 'now try', 'try once more'][i]} to reserve the room for Thursday by pressing the button.`,
        ),
      ),
    }),
  ],
});

const advice = run({
  id: 'Rename the settings page',
  file: '/home/dev/project/.logs/91bd0c33.jsonl',
  format: 'codex',
  timeline: 'umnnnnnnnenm',
  tokens: 42_000,
  usd: 0.19,
  loops: [
    loop({
      detector: 'edit-streak',
      variant: 'unread',
      advice: true,
      start: 4,
      firedAt: 6,
      end: 7,
      wastedSteps: 0,
      strength: 0.3,
      text: '`src/settings.tsx` was patched 4 times without a fresh look',
      plans: [
        {
          step: 6,
          rung: 'note',
          recovery: 'count-edits',
          toModel:
            'Unrut (loop guard): `src/settings.tsx` was patched 3 times without a fresh look — read it before the next patch.',
          toHuman: 'Unrut told the agent: `src/settings.tsx` was patched 3 times.',
        },
      ],
      repeats: [4, 5, 6, 7].map((at) =>
        step(
          at,
          'Edit src/settings.tsx',
          `line ${at * 12}: Settings → Preferences`,
          'The file was changed.',
          'made a change',
        ),
      ),
    }),
  ],
});

const migration = run({
  id: 'a93f1d52-5b0e-4a55-9d1f-0c5e6b2f77aa',
  file: '/home/dev/project/.logs/a93f1d52-5b0e-4a55-9d1f-0c5e6b2f77aa.jsonl',
  format: 'claude-code',
  timeline: `u${'mnnnennnwnnn-nmn'.repeat(34)}${'ew'.repeat(18)}${'nnnmnnenn'.repeat(12)}m`,
  tokens: 4_120_000,
  usd: 31.4,
  skipped: 2,
  loops: [
    loop({
      detector: 'repeated-error',
      variant: 'transient',
      start: 545,
      firedAt: 553,
      end: 580,
      rung: 'hint',
      count: 18,
      wastedSteps: 34,
      strength: 0.7,
      text: '`psql -f migrate.sql` failed 18 times (could not connect to server: Connection refused)',
      plans: [
        {
          step: 553,
          rung: 'note',
          recovery: 'suggest-backoff',
          toModel:
            'Unrut (loop guard): the server refuses connections. Wait before asking again, twice as long each time, and check in another way whether it runs.',
          toHuman: 'Unrut told the agent: a server refuses connections.',
        },
      ],
      repeats: [545, 547, 549, 577, 579].map((at, i) =>
        step(
          at,
          'psql -f migrate.sql',
          '{"command":"psql -h localhost -p 5432 -f migrate.sql"}',
          `psql: error: connection to server at "localhost", port 5432 failed: Connection refused (attempt ${i + 1})`,
          'failed',
        ),
      ),
    }),
  ],
});

const calm = [
  'Add a dark theme',
  'Why is the build slow?',
  'Write release notes for 2.4',
  'Review pull request 118',
].map((id, i) =>
  run({
    id,
    file: `/home/dev/project/.logs/calm-${i + 1}.jsonl`,
    format: i % 2 === 0 ? 'claude-code' : 'codex',
    timeline: 'umnnnnennnm'.repeat(i + 1),
    tokens: 60_000 * (i + 1),
    usd: 0.4 * (i + 1),
  }),
);

/**
 * Several runs as people have them: with loops of different kinds, with advice only, with nothing,
 * and with files that were no runs.
 */
export const sampleReport: ScanReport = report(
  [calm[0]!, research, invoices, calm[1]!, booking, advice, calm[2]!, migration, calm[3]!],
  [
    {
      file: '/home/dev/project/.logs/7c02.jsonl',
      message: 'line 318: unexpected end of JSON. Line skipped.',
      fatal: false,
    },
    {
      file: '/home/dev/project/.logs/settings.json',
      message: 'no known form of a run.',
      fatal: true,
    },
  ],
);
