import { expect, test } from 'vitest';
import { blockRatio } from '../../bench/peers/block-ratio.ts';
import { geminiCliText } from '../../bench/peers/gemini-cli-text.ts';
import { indelRatio } from '../../bench/peers/indel-ratio.ts';
import { ohMyPiThinking } from '../../bench/peers/oh-my-pi-thinking.ts';
import { openHandsSdk } from '../../bench/peers/openhands-sdk.ts';
import { openHandsV0 } from '../../bench/peers/openhands-v0.ts';
import { openRouter } from '../../bench/peers/openrouter.ts';
import type { Peer } from '../../bench/peers/peer.ts';
import { qwenCodeHeuristics } from '../../bench/peers/qwen-code-heuristics.ts';
import { ralphV1 } from '../../bench/peers/ralph-v1.ts';
import { first, fresh, type Happening, list, lookup, sentence, times } from './peer-scenarios.ts';

/** A line of 50 characters with its end. */
const line = (start: string): string =>
  `${start}${'the build has failed once more, so let me try again'.slice(0, 49 - start.length)}\n`;
const capitals = `${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.repeat(2).slice(0, 49)}\n`;

const WORDS = 'red green blue white black brown grey pink gold silver orange'.split(' ');
/** The same eleven words, in another order for each of ten strides. */
const shuffled = (stride: number): string =>
  WORDS.map((_, i) => WORDS[(i * stride) % WORDS.length]).join(' ');
/** 19 words of which the last is new: 16 of 18 trigrams are shared with another of its kind. */
const alike = (i: number): string =>
  `let us look at the failing test once more and see what the build says of it now ${fresh(i)}`;
const paragraphs = (list: string[]): Happening[] => [{ think: list.join('\n\n') }];
const mixed = (copies: number): string[] =>
  list(12, (i) => (i % 3 === 2 && i / 3 < copies ? alike(i) : `${fresh(i)} ${fresh(i + 50)}`));
const everyOther = list(7, (i) => (i % 2 ? fresh(i) : alike(i)));
const letters = (changed: number): string =>
  'abcdefghij'.repeat(10).replace(/^.*/, (text) => 'X'.repeat(changed) + text.slice(changed));

/** What is said, and what the peer says to it first, with its place. */
const RULES: [peer: Peer, rule: string, happenings: Happening[], first: string][] = [
  [
    geminiCliText,
    'fifty characters ten times',
    times(12, () => ({ stream: sentence(50) })),
    '10 nudge',
  ],
  [geminiCliText, 'in one recorded message too', [{ say: line('so, ').repeat(10) }], '1 nudge'],
  [geminiCliText, 'nine times are not enough', times(9, () => ({ stream: sentence(50) })), '-'],
  [
    geminiCliText,
    'a call begins a new text',
    times(30, (i) => (i % 8 ? { stream: sentence(50) } : lookup)),
    '-',
  ],
  [
    geminiCliText,
    'a person too',
    times(30, (i) => (i % 8 ? { stream: sentence(50) } : 'a person speaks')),
    '-',
  ],
  [geminiCliText, 'thinking is not seen', times(12, () => ({ think: sentence(50) })), '-'],
  [
    geminiCliText,
    'code is passed over',
    [{ say: `\`\`\`\n${line('so, ').repeat(12)}\`\`\`\n` }],
    '-',
  ],
  [geminiCliText, 'list items begin a new text', [{ say: line('* ').repeat(12) }], '-'],
  [
    geminiCliText,
    'except those with a dash, by mistake',
    [{ say: line('- ').repeat(12) }],
    '1 nudge',
  ],
  [geminiCliText, 'capitals are a divider, by mistake', [{ say: capitals.repeat(12) }], '-'],
  [
    qwenCodeHeuristics,
    'fifty characters ten times',
    times(12, () => ({ stream: sentence(50) })),
    '10 chanting!',
  ],
  [
    qwenCodeHeuristics,
    'list items with a dash begin a new text',
    [{ say: line('- ').repeat(12) }],
    '-',
  ],
  [qwenCodeHeuristics, 'capitals are text', [{ say: capitals.repeat(12) }], '1 chanting!'],
  [
    qwenCodeHeuristics,
    'three thoughts with the same beginning',
    times(3, (i) => ({ think: sentence(80).repeat(3) + fresh(i) })),
    '3 thoughts!',
  ],
  [openHandsV0, 'three equal messages', times(3, () => ({ say: 'Well.' })), '3 stuck!'],
  [
    openHandsV0,
    'a call in between',
    times(9, (i) => [{ say: 'Well.' }, { ...lookup, args: { i } }]),
    '-',
  ],
  [openHandsV0, 'three different messages', times(9, (i) => ({ say: fresh(i) })), '-'],
  [
    openHandsSdk({ thoughts: true }),
    'three messages, whatever they say',
    times(3, (i) => ({ say: fresh(i) })),
    '3 stuck!',
  ],
  [
    openHandsSdk({ thoughts: true }),
    'messages of several agents',
    times(9, (i) => ({ say: fresh(i), by: `agent ${i % 2}` })),
    '-',
  ],
  [
    openRouter,
    'three tokens four times',
    [{ stream: fresh(1) }, ...times(4, () => ({ stream: ' no not yet' }))],
    '5 observe',
  ],
  [openRouter, 'eleven tokens are too few', times(11, () => ({ stream: ' no' })), '-'],
  [
    openRouter,
    'the same text in two steps',
    times(2, (i) => [{ say: 'Let me see.' }, { ...lookup, args: { i } }]),
    '3 observe',
  ],
  [ohMyPiThinking, 'four paragraphs alike', paragraphs(mixed(4)), '1 abort!'],
  [ohMyPiThinking, 'three paragraphs alike', paragraphs(mixed(3)), '-'],
  [ohMyPiThinking, 'four alike among the first seven', paragraphs(everyOther), '-'],
  [ohMyPiThinking, 'and the eighth', paragraphs([...everyOther, alike(8)]), '1 abort!'],
  [
    ohMyPiThinking,
    'eight paragraphs without a new word',
    paragraphs([1, 2, 3, 4, 5, 6, 7, 8, 9].map(shuffled)),
    '1 abort!',
  ],
  [ohMyPiThinking, 'seven of them', paragraphs([1, 2, 3, 4, 5, 6, 7, 8].map(shuffled)), '-'],
  [
    ohMyPiThinking,
    'a new path among them',
    paragraphs([1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => shuffled(i) + (i === 5 ? ' src/a.ts' : ''))),
    '-',
  ],
  [
    ohMyPiThinking,
    'another block of thinking',
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => ({ think: shuffled(i) })),
    '-',
  ],
  [
    ralphV1,
    'an output with a tenth changed',
    [{ output: letters(0) }, { output: letters(10) }],
    '2 stop!',
  ],
  [ralphV1, 'an output with more changed', [{ output: letters(0) }, { output: letters(11) }], '-'],
  [
    ralphV1,
    'the sixth output before',
    times(13, (i) => ({ output: i % 6 ? fresh(i) : letters(0) })),
    '-',
  ],
  [
    ralphV1,
    'a message where no loop tells its outputs',
    times(2, () => ({ say: letters(0) })),
    '2 stop!',
  ],
];

for (const [peer, rule, happenings, expected] of RULES) {
  test(`${peer.name}: ${rule}`, () => expect(first(peer, happenings)).toBe(expected));
}

test('blocks are counted as the manual of Python counts them, indels by what stays in order', () => {
  expect(blockRatio('tide', 'diet')).toBe(0.25);
  expect(blockRatio('diet', 'tide')).toBe(0.5);
  expect(blockRatio('abcd', 'bcde')).toBe(0.75);
  // Common letters begin no block in a long text: Python 3 gives this number.
  expect(blockRatio(`x${'ab'.repeat(120)}`, `${'ab'.repeat(120)}y`)).toBe(0);
  expect(indelRatio('tide', 'diet')).toBe(0.5);
  expect(indelRatio('', 'diet')).toBe(0);
});
