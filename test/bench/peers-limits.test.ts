import { expect, test } from 'vitest';
import { agentLoopGuard } from '../../bench/peers/agent-loop-guard.ts';
import { browserUse } from '../../bench/peers/browser-use.ts';
import { deerFlow } from '../../bench/peers/deer-flow.ts';
import { futureAgi } from '../../bench/peers/future-agi.ts';
import { geminiCliText } from '../../bench/peers/gemini-cli-text.ts';
import { geminiCliTools } from '../../bench/peers/gemini-cli-tools.ts';
import { hermes } from '../../bench/peers/hermes.ts';
import { ohMyPiThinking } from '../../bench/peers/oh-my-pi-thinking.ts';
import { openClaw } from '../../bench/peers/openclaw.ts';
import { openHandsSdk } from '../../bench/peers/openhands-sdk.ts';
import { openHandsV0 } from '../../bench/peers/openhands-v0.ts';
import { openRouter } from '../../bench/peers/openrouter.ts';
import type { Peer } from '../../bench/peers/peer.ts';
import { qwenCode } from '../../bench/peers/qwen-code.ts';
import { qwenCodeHeuristics } from '../../bench/peers/qwen-code-heuristics.ts';
import { ralphV1 } from '../../bench/peers/ralph-v1.ts';
import { zeroClaw } from '../../bench/peers/zeroclaw.ts';
import {
  first,
  fresh,
  type Happening,
  list,
  lookup,
  play,
  sentence,
  type Turn,
  times,
  turn,
} from './peer-scenarios.ts';

const other = (i: number): Turn => turn(`tool ${i}`, { name: fresh(i) }, fresh(i + 1000));
const laps = (period: number, calls: number): Happening[] =>
  times(calls, (i) => turn(`tool ${i % period}`, i % period, 'same'));
/** Something at these places, among calls that are all different. */
const sparse = (
  places: number[],
  what: (i: number) => Happening = () => lookup,
  length = places.at(-1)! + 1,
): Happening[] => times(length, (i) => (places.includes(i) ? what(i) : other(i)));
const read = (i: number): Turn => turn(i % 2 ? 'Grep' : 'Read', { path: fresh(i) }, fresh(i));
const question = (i: number): Turn => turn('lookup', { name: fresh(i) }, 'nothing');
const stream = (text: (i: number) => string): Happening[] =>
  times(20, (i) => ({ stream: text(i) }));
/** The same call, after so many messages of two agents. */
const after = (messages: number[]): Happening[] =>
  [0, ...messages].flatMap((n) => [
    ...times(n, (i) => ({ say: fresh(i), by: `agent ${i % 2}` })),
    lookup,
  ]);
const condensed = (calls: number): Happening[] => [
  ...times(calls, (i): Happening[] => ['compaction', other(i)]),
  'compaction',
  'compaction',
];

const tokens = (period: number, count: number): Happening[] =>
  times(count, (i) => ({ stream: ` word${i % period}` }));

const think = (...paragraphs: string[]): Happening[] => [{ think: paragraphs.join('\n\n') }];
const unlike = (i: number): string => `${fresh(i)} ${fresh(i + 100)}`;
/**
 * 18 known words and these many new ones: 16 trigrams are shared, and twice as many as there are
 * new words are not.
 */
const alike = (i: number, newWords: number): string =>
  `let us look at the failing test once more and see what the build says of it now ${list(newWords, (k) => fresh(i * 50 + k)).join(' ')}`;
const cluster = (places: number[], newWords = 2): Happening[] =>
  think(...list(places.at(-1)! + 1, (i) => (places.includes(i) ? alike(i, newWords) : unlike(i))));
const WORDS = 'red green blue white black brown grey pink gold silver orange'.split(' ');
/** Nine paragraphs of the same eleven words in other orders, with these many new ones. */
const stale = (newWords: number): Happening[] =>
  think(
    ...list(9, (i) =>
      [
        ...WORDS.map((_, k) => WORDS[(k * (i + 1)) % 11]),
        ...list(newWords, (k) => `new${i}x${k}`),
      ].join(' '),
    ),
  );

/** Each limit from both sides: what happens, and what the peer says first, with its place. */
const LIMITS: [peer: Peer, limit: string, happenings: Happening[], first: string][] = [
  [geminiCliTools, 'a cycle of five', laps(5, 25), '25 nudge'],
  [geminiCliTools, 'a cycle of six', laps(6, 40), '-'],
  [geminiCliText, 'copies 250 characters apart', stream(() => sentence(250)), '10 nudge'],
  [geminiCliText, 'copies 251 characters apart', stream(() => sentence(251)), '-'],
  [
    geminiCliText,
    'five ways from one copy to the next',
    stream((i) => `${sentence(50)}${i % 5}-${i % 5}`),
    '10 nudge',
  ],
  [geminiCliText, 'six ways', stream((i) => `${sentence(50)}${i % 6}-${i % 6}`), '-'],
  [
    geminiCliText,
    'copies of 49 characters',
    stream((i) => `${sentence(49)}${i % 5}-${i % 5}`),
    '-',
  ],
  [qwenCode, 'a hundred calls with six equal', sparse([0, 20, 40, 60, 80, 100]), '101 cap!'],
  [qwenCode, 'a hundred calls with five equal', sparse([0, 20, 40, 60, 80], undefined, 110), '-'],
  [qwenCode, 'a thousand calls', sparse([0], undefined, 1001), '1001 cap!'],
  [
    qwenCodeHeuristics,
    'eight reads of fifteen',
    sparse([1, 2, 3, 4, 5, 6, 7, 15], read),
    '16 reads!',
  ],
  [qwenCodeHeuristics, 'eight reads of sixteen', sparse([1, 2, 3, 4, 5, 6, 7, 16], read), '-'],
  [
    qwenCodeHeuristics,
    'thoughts with 200 characters alike',
    times(3, (i) => ({ think: `${sentence(200)}${i}` })),
    '3 thoughts!',
  ],
  [
    qwenCodeHeuristics,
    'thoughts with 199 characters alike',
    times(3, (i) => ({ think: `${sentence(199)}${i}` })),
    '-',
  ],
  [qwenCodeHeuristics, 'copies 75 characters apart', stream(() => sentence(75)), '10 chanting!'],
  [qwenCodeHeuristics, 'copies 76 characters apart', stream(() => sentence(76)), '-'],
  [browserUse, 'five of twenty actions', sparse([0, 5, 10, 15, 19]), '20 mild nudge'],
  [browserUse, 'five of twenty-one', sparse([0, 5, 10, 15, 20]), '-'],
  [openHandsV0, 'nine condensations', condensed(7), '-'],
  [openHandsSdk({ thoughts: false }), 'twenty events', after([5, 5, 5]), '19 stuck!'],
  [openHandsSdk({ thoughts: false }), 'twenty-one events', after([5, 5, 6]), '-'],
  [
    openClaw({ unbrokenRun: true }),
    'ten of thirty calls before',
    sparse([1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31]),
    '32 warning',
  ],
  [
    openClaw({ unbrokenRun: true }),
    'ten of thirty-one',
    sparse([0, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31]),
    '-',
  ],
  [hermes({ attended: true }), 'a cycle of four', laps(4, 12), '12 note'],
  [hermes({ attended: true }), 'a cycle of five', laps(5, 40), '-'],
  [zeroClaw, 'five of twenty calls', sparse([0, 5, 10, 15, 19], question), '20 warn'],
  [zeroClaw, 'five of twenty-one', sparse([0, 5, 10, 15, 20], question), '-'],
  [deerFlow, 'three of twenty responses', sparse([0, 10, 19]), '20 warning'],
  [deerFlow, 'three of twenty-one', sparse([0, 10, 20]), '-'],
  [
    deerFlow,
    'thirty of fifty calls',
    [question(0), ...times(20, other), ...list(29, (i) => question(i + 1))],
    '50 warning',
  ],
  [
    deerFlow,
    'thirty of fifty-one',
    [question(0), ...times(21, other), ...list(29, (i) => question(i + 1))],
    '-',
  ],
  [
    deerFlow,
    'lines 0 to 199',
    [0, 100, 199].map((start_line) => turn('read_file', { path: 'a', start_line })),
    '3 warning',
  ],
  [
    deerFlow,
    'lines 0 to 200',
    [0, 199, 200].map((start_line) => turn('read_file', { path: 'a', start_line })),
    '-',
  ],
  [openRouter, 'sixteen tokens four times', tokens(16, 64), '64 observe'],
  [openRouter, 'seventeen tokens four times', tokens(17, 99), '-'],
  [openRouter, 'four tokens three times', tokens(4, 12), '-'],
  [
    ohMyPiThinking,
    '180 characters of units of 45',
    think(fresh(9) + sentence(45).repeat(4)),
    '1 abort!',
  ],
  [
    ohMyPiThinking,
    '179 characters of units of 44',
    think(fresh(9) + sentence(44).slice(-3) + sentence(44).repeat(4)),
    '-',
  ],
  [
    ohMyPiThinking,
    '1024 characters of units of 341',
    think(fresh(9) + sentence(341).slice(-1) + sentence(341).repeat(3)),
    '1 abort!',
  ],
  [
    ohMyPiThinking,
    '1023 characters of units of 341',
    think(fresh(9) + sentence(341).repeat(3)),
    '-',
  ],
  [ohMyPiThinking, 'a unit of 600 twice', think(sentence(600).repeat(2)), '-'],
  [ohMyPiThinking, 'a unit of 1024', think(sentence(1024).repeat(3)), '1 abort!'],
  [ohMyPiThinking, 'a unit of 1025', think(sentence(1025).repeat(3)), '-'],
  [ohMyPiThinking, 'four alike within sixteen', cluster([0, 5, 10, 15]), '1 abort!'],
  [ohMyPiThinking, 'four alike within seventeen', cluster([0, 5, 10, 16]), '-'],
  [ohMyPiThinking, '16 of 22 trigrams alike', cluster([0, 5, 10, 15], 3), '-'],
  // 2 of 13 words are 0.15, 4 of 15 are 0.27.
  [ohMyPiThinking, 'two new words a paragraph', stale(2), '1 abort!'],
  [ohMyPiThinking, 'four new words a paragraph', stale(4), '-'],
  [futureAgi, 'a cycle of four', laps(4, 12), '12 cycle'],
  [futureAgi, 'a cycle of five', laps(5, 40), '-'],
  [
    agentLoopGuard,
    'five tools in turn',
    times(12, (i) => turn(`tool ${i % 5}`, { name: fresh(i) }, fresh(i))),
    '11 warn',
  ],
  [
    ralphV1,
    'the fifth output before',
    times(6, (i) => ({ output: i % 5 ? fresh(i) : sentence(100) })),
    '6 stop!',
  ],
];

for (const [peer, limit, happenings, expected] of LIMITS) {
  test(`${peer.name}: ${limit}`, () => expect(first(peer, happenings)).toBe(expected));
}

test('OpenClaw breaks off after thirty polls with one result', () => {
  const said = play(
    openClaw({ unbrokenRun: false }),
    times(31, () => turn('TaskOutput', { task: 7 }, 'running')),
  );
  expect([said[20], said[29], said[30]]).toEqual(['block!', 'block!', 'breaker!']);
});
