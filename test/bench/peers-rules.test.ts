import { expect, test } from 'vitest';
import { agentE } from '../../bench/peers/agent-e.ts';
import { browserUse } from '../../bench/peers/browser-use.ts';
import { cline } from '../../bench/peers/cline.ts';
import { crush } from '../../bench/peers/crush.ts';
import { forgecode } from '../../bench/peers/forgecode.ts';
import { hermes } from '../../bench/peers/hermes.ts';
import { kimi } from '../../bench/peers/kimi.ts';
import { ohMyPiTools } from '../../bench/peers/oh-my-pi-tools.ts';
import { openClaw } from '../../bench/peers/openclaw.ts';
import { opencode } from '../../bench/peers/opencode.ts';
import { openHandsSdk } from '../../bench/peers/openhands-sdk.ts';
import { openHandsV0 } from '../../bench/peers/openhands-v0.ts';
import { openRouter } from '../../bench/peers/openrouter.ts';
import type { Peer } from '../../bench/peers/peer.ts';
import { plainCap } from '../../bench/peers/plain-cap.ts';
import { qwenCode } from '../../bench/peers/qwen-code.ts';
import { qwenCodeHeuristics } from '../../bench/peers/qwen-code-heuristics.ts';
import { rooCode } from '../../bench/peers/roo-code.ts';
import { webArena } from '../../bench/peers/webarena.ts';
import { zeroClaw } from '../../bench/peers/zeroclaw.ts';
import {
  failing,
  first,
  fresh,
  type Happening,
  lookup,
  play,
  shell,
  type Turn,
  times,
  turn,
} from './peer-scenarios.ts';

const reading = (i: number): Turn => turn(i % 2 ? 'Grep' : 'Read', { path: fresh(i) }, fresh(i));
const poll = turn('TaskOutput', { task: 7 }, 'running');
const gits = ['git status', 'git diff --stat && git status', 'git ls-files | git status'];
const unattended = hermes({ attended: false });
const claw = openClaw({ unbrokenRun: true });

/** Rounds of two calls each; the second of them succeeds or not. */
const pairs = (rounds: number, second: Partial<Turn> = {}): Happening[] =>
  times(rounds, (i) => [
    { ...failing, args: { i }, batch: `round ${i}` },
    { ...failing, args: { i, second: true }, batch: `round ${i}`, ...second },
  ]);

/** What happens, and what the peer says first, with its place. */
const RULES: [peer: Peer, rule: string, happenings: Happening[], first: string][] = [
  [
    qwenCode,
    'eight looks at the state of git',
    times(9, (i) => shell(gits[i % 3]!, i)),
    '8 git overview!',
  ],
  [
    qwenCode,
    'a diff of one file is no overview',
    times(30, (i) => shell(i % 4 ? gits[i % 3]! : `git diff ${fresh(i)}`, i)),
    '-',
  ],
  [
    qwenCodeHeuristics,
    'eight reads of fifteen after something else',
    [shell('make', 0), ...times(9, reading)],
    '9 reads!',
  ],
  [qwenCodeHeuristics, 'reads alone are exploring', times(12, reading), '-'],
  [
    opencode,
    'three equal calls in one response',
    times(3, () => ({ ...lookup, batch: 'one' })),
    '3 ask!',
  ],
  [
    opencode,
    'words in between hide them',
    times(5, () => [{ say: 'Again.' }, { ...lookup, batch: 'one' }]),
    '-',
  ],
  [cline, 'six turns in which all calls failed', pairs(6), '11 stop!'],
  [cline, 'one success makes a turn good', pairs(9, { failed: false }), '-'],
  [
    crush,
    'five of ten steps are not enough',
    [...times(5, (i) => shell('ls', i)), ...times(5, () => lookup)],
    '-',
  ],
  [
    crush,
    'six of ten are',
    [...times(4, (i) => shell('ls', i)), ...times(6, () => lookup)],
    '10 stop!',
  ],
  [
    crush,
    'calls of one response are one step',
    times(9, (i) => times(2, () => ({ ...lookup, batch: `${i}` }))),
    '-',
  ],
  [
    openHandsV0,
    'three equal failures, whatever the message',
    times(3, (i) => ({ ...failing, result: fresh(i) })),
    '3 stuck!',
  ],
  [
    openHandsV0,
    'ten condensations, two of them on end',
    [...times(8, (i) => ['compaction', shell(`ls ${i}`, i)]), 'compaction', 'compaction'],
    '18 stuck!',
  ],
  [
    openHandsV0,
    'ten condensations with work between',
    times(12, (i) => ['compaction', shell(`ls ${i}`, i)]),
    '-',
  ],
  [
    openHandsSdk({ thoughts: true }),
    'three equal failures',
    times(3, (i) => ({ ...failing, result: fresh(i) })),
    '3 nudge',
  ],
  [claw, 'ten polls with one result', times(25, () => poll), '11 warning'],
  [
    claw,
    'polls with new results are never blocked',
    times(25, (i) => ({ ...poll, result: fresh(i) })),
    '-',
  ],
  [
    claw,
    'ten calls of an unknown tool',
    times(11, (i) => ({ ...turn('nope', { i }), refusedBy: 'unknown-tool' })),
    '11 block!',
  ],
  [
    claw,
    'a loop that outlives a compaction',
    [lookup, 'compaction', ...times(3, () => lookup)],
    '5 abort!',
  ],
  [
    unattended,
    'a listed read with the result it had before',
    times(6, (i) => [turn('read_file', 1, 'x'), shell(`ls ${i}`, i)]),
    '3 note',
  ],
  [
    unattended,
    'the second equal failure',
    times(2, (i) => ({ ...failing, result: fresh(i) })),
    '2 note',
  ],
  [
    unattended,
    'JSON that speaks of an error',
    times(2, (i) => turn('lookup', 1, `{"error":${i}}`)),
    '2 note',
  ],
  [
    unattended,
    'a write in between is progress',
    times(4, (i) => [failing, turn('Edit', { i }, fresh(i))]),
    '-',
  ],
  [unattended, 'pollers may wait', times(9, () => poll), '-'],
  [zeroClaw, 'failures are not looked at', times(9, () => failing), '-'],
  [
    kimi,
    'equal calls of one step count once',
    times(2, (i) => times(4, () => ({ ...lookup, batch: `${i}` }))),
    '-',
  ],
  [
    forgecode,
    'six calls twice and the first again',
    times(13, (i) => turn('x', { i: i % 6 })),
    '13 reminder',
  ],
  [
    ohMyPiTools,
    'a turn of text alone ends the streak',
    times(9, () => [lookup, { say: 'Hm.' }, 'a person speaks']),
    '-',
  ],
  [browserUse, 'waiting is not counted', times(20, () => turn('wait', { seconds: 1 })), '-'],
  [
    webArena,
    'typing counts anywhere in the run',
    times(3, (i) => [turn('type', '7, "Rome"'), shell('ls', i)]),
    '5 early stop!',
  ],
  [
    webArena,
    'three actions that could not be read',
    times(3, (i) => ({ ...turn('click', { i }), refusedBy: 'schema' })),
    '3 early stop!',
  ],
  [agentE, 'messages in between', times(6, () => [lookup, { say: 'Hm.' }, { say: 'Well.' }]), '-'],
  [
    agentE,
    'what is said with a call is part of it',
    times(3, (i) => [{ say: fresh(i) }, lookup]),
    '6 hand back!',
  ],
  [
    plainCap('any', 3),
    'calls of one response are one step',
    times(6, (i) => ({ ...lookup, batch: `${i >> 1}` })),
    '5 end!',
  ],
];

for (const [peer, rule, happenings, expected] of RULES) {
  test(`${peer.name}: ${rule}`, () => expect(first(peer, happenings)).toBe(expected));
}

test('Roo Code counts anew after a refusal', () => {
  const four = [null, null, null, 'refuse!'];
  expect(
    play(
      rooCode,
      times(8, () => lookup),
    ),
  ).toEqual([...four, ...four]);
});

test('Hermes blocks the sixth listed read with the same result, and the sixth equal failure', () => {
  const reads = play(
    unattended,
    times(6, (i) => [turn('read_file', 1, 'x'), shell(`ls ${i}`, i)]),
  );
  expect(reads.indexOf('block!')).toBe(10);
  const failures = play(
    unattended,
    times(6, (i) => ({ ...failing, result: fresh(i) })),
  );
  expect(failures).toEqual([null, 'note', 'note', 'note', 'note', 'block!']);
});

test('The OpenHands SDK is stuck at the failure after the nudge', () => {
  expect(
    play(
      openHandsSdk({ thoughts: true }),
      times(4, (i) => ({ ...failing, result: fresh(i) })),
    ),
  ).toEqual([null, null, 'nudge', 'stuck!']);
});

test('OpenRouter counts a call in consecutive rounds of its tool, whatever is beside it', () => {
  const rounds = times(3, (i) => [
    { ...lookup, batch: `${i}` },
    { ...lookup, args: { i }, batch: `${i}` },
  ]);
  expect(play(openRouter, rounds)).toEqual([null, null, 'observe', null, 'block!', null]);
});

test('a host that tells of calls only when they are over is followed too', () => {
  const watch = kimi.start();
  const said = times(3, () => lookup).map((_, i) =>
    watch({
      type: 'call-finished',
      session: 's',
      at: i * 1000,
      call: { id: `${i}`, tool: 'lookup', args: {} },
    }),
  );
  expect(said.map((alarm) => alarm?.word)).toEqual([undefined, undefined, 'reminder']);
});
