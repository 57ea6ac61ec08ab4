import { expect, test } from 'vitest';
import { agentLoopGuard } from '../../bench/peers/agent-loop-guard.ts';
import { browserUse } from '../../bench/peers/browser-use.ts';
import { deerFlow } from '../../bench/peers/deer-flow.ts';
import { futureAgi } from '../../bench/peers/future-agi.ts';
import { geminiCliTools } from '../../bench/peers/gemini-cli-tools.ts';
import { hermes } from '../../bench/peers/hermes.ts';
import { ohMyPiTools } from '../../bench/peers/oh-my-pi-tools.ts';
import { openClaw } from '../../bench/peers/openclaw.ts';
import { openHandsSdk } from '../../bench/peers/openhands-sdk.ts';
import { openHandsV0 } from '../../bench/peers/openhands-v0.ts';
import type { Peer } from '../../bench/peers/peer.ts';
import { qwenCode } from '../../bench/peers/qwen-code.ts';
import { zeroClaw } from '../../bench/peers/zeroclaw.ts';
import { first, fresh, type Happening, lookup, shell, times, turn } from './peer-scenarios.ts';

const reordered = times(8, (i) => turn('lookup', i % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 }));
const cell = (end: string): string => `x = edit_file_by_replace(\n'a.py',\n1,\n${end})`;
const nearly = (i: number): string => `a name of forty letters, all but one ${i}`;
const page = { url: 'https://example.com', frame: 'same' };

/** What is taken for the same thing: what happens, and what the peer says first, with its place. */
const RULES: [peer: Peer, rule: string, happenings: Happening[], first: string][] = [
  [geminiCliTools, 'the order of keys makes another call', reordered, '-'],
  [qwenCode, 'the order of keys makes no other call', reordered, '5 identical calls!'],
  [
    openHandsV0,
    'of a shell only the exit code counts',
    times(4, (i) => shell('make', i)),
    '4 stuck!',
  ],
  [
    openHandsV0,
    'cells that replace count by three lines',
    times(4, (i) => turn('cell', { code: cell(fresh(i)) })),
    '4 stuck!',
  ],
  [
    openHandsSdk({ thoughts: false }),
    'the output of a shell counts',
    times(8, (i) => shell('make', i)),
    '-',
  ],
  [
    openHandsSdk({ thoughts: true }),
    'another thought makes another call',
    times(8, (i) => [{ think: fresh(i) }, lookup]),
    '-',
  ],
  [
    openHandsSdk({ thoughts: false }),
    'thoughts are left out',
    times(8, (i) => [{ think: fresh(i) }, lookup]),
    '8 stuck!',
  ],
  [
    openClaw({ unbrokenRun: false }),
    'of a plan only the statuses count',
    times(11, (i) =>
      turn('update_plan', { plan: [{ step: fresh(i), status: 'doing' }] }, fresh(i)),
    ),
    '11 warning',
  ],
  [
    hermes({ attended: false }),
    'the order of keys makes no other result',
    times(3, (i) => turn('lookup', 1, i % 2 ? '{"a":1,"b":2}' : '{"b":2,"a":1}')),
    '3 note',
  ],
  [
    hermes({ attended: false }),
    'counters of runs are dropped',
    times(3, (i) => turn('execute_code', 1, `{"duration":${i},"out":1}`)),
    '3 note',
  ],
  [
    zeroClaw,
    'results nobody recorded are not the same',
    times(9, (i) => turn('click', { i })),
    '-',
  ],
  [
    browserUse,
    'a search is its words',
    times(5, (i) => turn('search', { query: i % 2 ? 'Rome hotels' : 'hotels rome' })),
    '5 mild nudge',
  ],
  [
    browserUse,
    'an input is its element and small letters',
    times(5, (i) => turn('input', { index: 7, text: i % 2 ? 'Rome ' : 'rome', i })),
    '5 mild nudge',
  ],
  [
    browserUse,
    'another element is another click',
    times(9, (i) => turn('click', { index: i })),
    '-',
  ],
  [
    browserUse,
    'a page is its address and what it shows',
    times(6, (i) => ({ click: `${i}`, screen: page })),
    '6 stagnant page',
  ],
  [
    browserUse,
    'a page that shows something else is another',
    times(9, (i) => ({ click: `${i}`, screen: { ...page, frame: `${i}` } })),
    '-',
  ],
  [
    deerFlow,
    'a description is not telling',
    times(3, (i) => turn('bash', { command: 'ls', description: fresh(i) })),
    '3 warning',
  ],
  [
    deerFlow,
    'lines of the same two hundred are one read',
    times(3, (i) => turn('read_file', { path: 'a', start_line: i * 50 })),
    '3 warning',
  ],
  [
    deerFlow,
    'the next two hundred are another',
    times(9, (i) => turn('read_file', { path: 'a', start_line: i * 200 })),
    '-',
  ],
  [
    deerFlow,
    'what is written counts in full',
    times(9, (i) => turn('write_file', { path: 'a', content: fresh(i) })),
    '-',
  ],
  [
    ohMyPiTools,
    'the intent is dropped',
    times(5, (i) => turn('lookup', { name: 'job', intent: fresh(i) })),
    '5 redirect',
  ],
  [
    futureAgi,
    'volatile keys are dropped',
    times(3, (i) => turn('lookup', { name: 'job', request_id: fresh(i) })),
    '3 cycle',
  ],
  // One character of 56 differs: 55 / 56 is over 0.92.
  [
    futureAgi,
    'a digit makes a near-duplicate',
    times(3, (i) => turn('lookup', { name: nearly(i) }, 'none')),
    '3 near-duplicate',
  ],
  // Six characters of 62 differ: 56 / 62 is under 0.92.
  [
    futureAgi,
    'six letters make another',
    times(5, (i) => turn('lookup', { name: nearly(0) + `${i}`.repeat(6) }, 'none')),
    '-',
  ],
  [
    futureAgi,
    'but not with another result',
    times(5, (i) => turn('lookup', { name: nearly(i) }, fresh(i))),
    '-',
  ],
  // 9 of 11 words are shared, and 55 of 56 characters: (0.82 + 0.98) / 2 is over 0.85.
  [
    agentLoopGuard,
    'a digit makes a call alike',
    times(5, (i) => turn('lookup', { name: nearly(i) }, fresh(i))),
    '5 warn',
  ],
  // Two words differ: 8 of 12 words and 0.95 of the characters make 0.81.
  [
    agentLoopGuard,
    'two of ten words make another',
    times(9, (i) => turn('lookup', { name: nearly(i).replace('but', `${i + 10}`) }, fresh(i))),
    '-',
  ],
];

for (const [peer, rule, happenings, expected] of RULES) {
  test(`${peer.name}: ${rule}`, () => expect(first(peer, happenings)).toBe(expected));
}
