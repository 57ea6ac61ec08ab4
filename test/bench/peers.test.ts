import { expect, test } from 'vitest';
import { agentE } from '../../bench/peers/agent-e.ts';
import { agentLoopGuard } from '../../bench/peers/agent-loop-guard.ts';
import { browserUse } from '../../bench/peers/browser-use.ts';
import { cline } from '../../bench/peers/cline.ts';
import { crush } from '../../bench/peers/crush.ts';
import { deerFlow } from '../../bench/peers/deer-flow.ts';
import { forgecode } from '../../bench/peers/forgecode.ts';
import { futureAgi } from '../../bench/peers/future-agi.ts';
import { geminiCliTools } from '../../bench/peers/gemini-cli-tools.ts';
import { goose } from '../../bench/peers/goose.ts';
import { hermes } from '../../bench/peers/hermes.ts';
import { peers } from '../../bench/peers/index.ts';
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
import { reflexion } from '../../bench/peers/reflexion.ts';
import { rooCode } from '../../bench/peers/roo-code.ts';
import { webArena } from '../../bench/peers/webarena.ts';
import { zeroClaw } from '../../bench/peers/zeroclaw.ts';
import { firstSaid, lookup, play, SCENARIOS, times } from './peer-scenarios.ts';

/**
 * A peer, its words (with an exclamation mark when it acts), and at which call it first says each,
 * for S1 to S8 (S5b after S5).
 */
type Row = [peer: Peer, words: string, expected: string];

/** From the rules' descriptions, by an independent earlier derivation. */
const ACCEPTANCE: Row[] = [
  // The first strike is given; the second follows at the next call, since the history is kept.
  [geminiCliTools, 'nudge/halt!', '5/6 5/6 10/11 15/16 -/- -/- -/- -/- -/-'],
  [qwenCode, 'identical calls!/cap!', '5/- 5/- -/101 -/101 -/- -/- -/- -/101 -/101'],
  [
    qwenCodeHeuristics,
    'same call!/alternating!/same tool!',
    '6/-/- 6/-/- 11/6/- 16/-/- -/-/8 -/-/8 -/-/8 12/-/- 11/-/-',
  ],
  [opencode, 'ask!', '- - - - - - - - -'],
  [openHandsSdk({ thoughts: false }), 'stuck!', '4 - 6 - - - - - -'],
  [openHandsSdk({ thoughts: true }), 'stuck!', '4 - 6 - - - - - -'],
  [rooCode, 'refuse!', '4 4 - - - - - - -'],
  [cline, 'notice/stop!', '3/5 3/5 -/- -/- -/6 -/- -/- -/- -/-'],
  [crush, 'stop!', '10 - - - - - - - -'],
  [
    openClaw({ unbrokenRun: false }),
    'warning/block!',
    '11/21 11/- 10/20 31/- -/- -/- -/- 22/- 21/-',
  ],
  [hermes({ attended: false }), 'note/halt!', '3/5 -/- 6/10 9/15 3/8 -/- -/- -/- -/-'],
  [zeroClaw, 'warn/break!', '3/5 3/5 8/12 -/- -/- 5/7 -/- 8/12 -/-'],
  [
    kimi,
    'reminder/stronger reminder/final answer/end!',
    '3/5/8/12 3/5/8/12 -/-/-/- -/-/-/- -/-/-/- -/-/-/- -/-/-/- -/-/-/- -/-/-/-',
  ],
  [
    browserUse,
    'mild nudge/nudge/strong nudge',
    '5/8/12 5/8/12 9/15/- 13/-/- -/-/- -/-/- -/-/- 10/16/- 9/15/-',
  ],
  [deerFlow, 'warning/strip!', '3/5 3/5 5/9 7/13 30/50 30/50 30/50 6/10 5/9'],
  [forgecode, 'reminder', '3 3 5 7 - - - - -'],
  [openRouter, 'observe/block!/stop!', '2/3/6 2/3/6 3/5/11 4/7/16 -/-/- -/-/- -/-/- 4/6/12 3/5/11'],
  [futureAgi, 'cycle', '3 3 6 9 - - - - -'],
];

/** Derived by hand if no rule description has a case. */
const BY_HAND: Row[] = [
  // Denied when the count exceeds 3, so the 4th; any other call begins again.
  [goose, 'deny!', '4 4 - - - - - - -'],
  // 4 equal pairs; new results are unequal pairs; A-B-A-B-A-B is 6; three periods are not looked
  // at; errors need equal actions.
  [openHandsV0, 'stuck!', '4 - 6 - - - - - -'],
  // As before, but 20 equal calls before this one block it in S2 too.
  [
    openClaw({ unbrokenRun: true }),
    'warning/block!',
    '11/21 11/21 10/20 31/- -/- -/- -/- 22/- 21/-',
  ],
  // The row of the unattended one without its stops.
  [hermes({ attended: true }), 'note/halt!', '3/- -/- 6/- 9/- 3/- -/- -/- -/- -/-'],
  // 5 turns with the same set of calls; every other scenario has another set in each turn.
  [ohMyPiTools, 'redirect', '5 5 - - - - - - -'],
  // More than 0.3 of ten is the 4th alike (calls in S1 and S2, outputs in S5 and S5b), two laps of
  // names are 4 and 6 calls; the ladder adds 1, 3 and 5.
  [
    agentLoopGuard,
    'warn/stop!/escalate!',
    '5/7/9 5/7/9 5/7/9 7/9/11 5/7/9 5/7/9 -/-/- 5/7/9 -/-/-',
  ],
  // 3 equal actions in a row, results unseen.
  [webArena, 'early stop!', '3 3 - - - - - - -'],
  // 3 equal calls with equal responses.
  [agentE, 'hand back!', '3 - - - - - - - -'],
  // The 2nd of two equal actions, otherwise the 49th step.
  [reflexion, 'end!', '2 2 49 49 49 49 49 49 49'],
  // One call a response: the 20th.
  [plainCap('smolagents', 20), 'end!', '20 20 20 20 20 20 20 20 20'],
];

const said = (peer: Peer, words: string): string =>
  Object.values(SCENARIOS)
    .map((turns) => firstSaid(peer, words.split('/'), turns))
    .join(' ');

test.each(ACCEPTANCE)('$name speaks at the calls given for it', (peer, words, expected) => {
  expect(said(peer, words)).toBe(expected);
});

test.each(BY_HAND)(
  '$name speaks at the calls that its description implies',
  (peer, words, expected) => {
    expect(said(peer, words)).toBe(expected);
  },
);

test('every baseline is listed once, under a name of its own', () => {
  const names = peers.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([...ACCEPTANCE, ...BY_HAND].map(([{ name }]) => name)),
  );
});

test.each([
  ...[
    geminiCliTools,
    qwenCode,
    qwenCodeHeuristics,
    openHandsV0,
    openHandsSdk({ thoughts: false }),
    cline,
    crush,
  ],
  ...[
    openClaw({ unbrokenRun: true }),
    hermes({ attended: false }),
    zeroClaw,
    kimi,
    agentE,
    plainCap('smolagents', 20),
  ],
])('$name forgets when a person speaks', (peer) => {
  const calls = times(40, () => ['a person speaks', lookup]);
  expect(play(peer, calls).filter((word) => word !== null)).toEqual([]);
});

test.each([
  [rooCode, 'refuse!', 4],
  [browserUse, 'mild nudge', 5],
  [deerFlow, 'warning', 3],
  [forgecode, 'reminder', 3],
  [openRouter, 'observe', 2],
  [ohMyPiTools, 'redirect', 5],
])('$name remembers when a person speaks', (peer, word, call) => {
  const calls = times(12, () => ['a person speaks', lookup]);
  expect(play(peer, calls).indexOf(word)).toBe(2 * call - 1);
});
