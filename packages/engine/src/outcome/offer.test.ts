import { describe, expect, test } from 'vitest';
import type { Candidate } from '../candidates/candidate.ts';
import type { RecentCall } from '../candidates/memory.ts';
import type { Fingerprint, Progress } from '../fingerprint/fingerprint.ts';
import type { Verb } from '../prints.ts';
import { closedOffer, followOffer, type OpenOffer, openOffer } from './offer.ts';

const candidateOf = (name: string, changes: Partial<Candidate> = {}): Candidate => ({
  name,
  description: name,
  reason: 'it may help',
  score: 0.5,
  risk: 'reversible',
  ...changes,
});
const callOf = (tool: string, changes: Partial<RecentCall> = {}): RecentCall => ({
  tool,
  key: `${tool} again`,
  world: 'page',
  target: null,
  ...changes,
});
const seenAs = (verb: Verb | undefined, progress: Progress | null = 'novel'): Fingerprint =>
  ({ ...(verb ? { call: { verb } } : {}), progress, neutral: null }) as Fingerprint;

const FAILED = callOf('click', {
  key: 'the failed click',
  target: 'element:1',
  failure: 'stale-reference',
});
const LOOK = candidateOf('look-afresh', { tool: 'snapshot', risk: 'read_only' });
const ACT = candidateOf('act-anew', { tool: 'click' });
const ADVICE = candidateOf('think');

/** An offer after these calls. */
function followed(...calls: [RecentCall, Fingerprint][]): OpenOffer {
  const offer = openOffer([LOOK, ACT, ADVICE], FAILED);
  for (const [call, seen] of calls) followOffer(offer, call, seen);
  return offer;
}

describe('an offer', () => {
  test('begins with what failed, what is on offer, and nothing done', () => {
    expect(openOffer([LOOK, ACT, ADVICE], FAILED)).toEqual({
      failure: 'stale-reference',
      world: 'page',
      target: 'element:1',
      offered: ['look-afresh', 'act-anew', 'think'],
      did: null,
      followed: null,
      reward: 0,
      failed: 'click',
      key: 'the failed click',
      tools: [
        ['look-afresh', 'snapshot', true],
        ['act-anew', 'click', false],
      ],
      hasLooked: false,
      hasPassed: false,
    });
  });

  test('holds only the moves that the model was shown', () => {
    const blocked = candidateOf('wipe', { tool: 'wipe', blockedReason: 'it cannot be undone' });
    const { offered, tools } = openOffer(
      [blocked, LOOK, candidateOf('worse', { tool: 'worse', score: 0 })],
      FAILED,
    );
    expect(offered).toEqual(['look-afresh']);
    expect(tools.map(([move]) => move)).toEqual(['look-afresh']);
  });

  test('of a call that failed in no known way is about any other failure', () => {
    expect(openOffer([LOOK], callOf('click')).failure).toBe('other');
  });
});

describe('the first call after an offer', () => {
  const rows: [string, RecentCall, Verb | undefined, string | null, string][] = [
    ['follows the move whose tool it uses', callOf('snapshot'), 'read', 'look-afresh', 'snapshot'],
    [
      'follows a move that only looks by waiting',
      callOf('snapshot'),
      'wait',
      'look-afresh',
      'snapshot',
    ],
    [
      'follows a move that only looks by checking',
      callOf('snapshot'),
      'verify',
      'look-afresh',
      'snapshot',
    ],
    [
      'does not follow a move that only looks when it writes',
      callOf('snapshot'),
      'write',
      null,
      'snapshot',
    ],
    [
      'does not follow a move that only looks when nobody knows what it does',
      callOf('snapshot'),
      undefined,
      null,
      'snapshot',
    ],
    ['follows a move that acts, whatever it does', callOf('click'), 'write', 'act-anew', 'click'],
    [
      'does not follow a move when it is the failed call again',
      callOf('click', { key: FAILED.key }),
      'execute',
      null,
      'click',
    ],
    ['follows nothing with a tool that was not on offer', callOf('other'), 'read', null, 'other'],
    ['is a question mark when its tool cannot be named', callOf(''), 'read', null, '?'],
  ];
  test.each(rows)('%s', (_, call, verb, move, did) => {
    expect(followed([call, seenAs(verb)])).toMatchObject({ followed: move, did });
  });

  test('decides: a later one follows nothing any more', () => {
    const offer = followed([callOf('other'), seenAs('read')], [callOf('snapshot'), seenAs('read')]);
    expect(offer).toMatchObject({ did: 'other', followed: null });
  });
});

describe('the reward', () => {
  const writes = (count: number): [RecentCall, Fingerprint][] =>
    Array.from({ length: count }, () => [callOf('edit'), seenAs('write', 'write')]);
  const fails = (count: number): [RecentCall, Fingerprint][] =>
    Array.from({ length: count }, () => [
      callOf('edit', { failure: 'missing-file' }),
      seenAs('write', null),
    ]);

  test.each([
    ['adds up', writes(2), 0.8],
    ['ends at 1', writes(3), 1],
    ['adds up below zero', fails(3), -0.9],
    ['ends at -1', fails(4), -1],
    ['has three decimals', [...writes(1), ...fails(1)], 0.1],
    [
      'is never a negative zero',
      [[callOf('edit'), { call: { verb: 'read' }, progress: null, neutral: 'wait' }]],
      0,
    ],
  ] as [string, [RecentCall, Fingerprint][], number][])('%s', (_, calls, reward) => {
    expect(followed(...calls).reward).toBe(reward);
  });

  test('counts a look once', () => {
    const look: [RecentCall, Fingerprint] = [callOf('snapshot'), seenAs('read')];
    expect(followed(look)).toMatchObject({ reward: 0.1, hasLooked: true });
    expect(followed(look, look).reward).toBe(0.1);
  });

  test('is not lessened by a call that is no look', () => {
    expect(followed([callOf('edit'), seenAs('write', 'write')]).hasLooked).toBe(false);
  });
});

describe('what failed', () => {
  const rows: [string, RecentCall, Verb | undefined, Progress | null, boolean][] = [
    ['goes through with the tool that failed', callOf('click'), 'execute', 'screen', true],
    [
      'goes through also when nobody knows what the tool does',
      callOf('click'),
      undefined,
      'screen',
      true,
    ],
    ['does not with another tool', callOf('press'), 'execute', 'screen', false],
    [
      'does not when it fails again',
      callOf('click', { failure: 'not-ready' }),
      'execute',
      'screen',
      false,
    ],
    ['does not when it brings nothing', callOf('click'), 'execute', null, false],
    ['does not by a look', callOf('click'), 'read', 'novel', false],
    ['does not by waiting', callOf('click'), 'wait', 'novel', false],
    ['does not by a check', callOf('click'), 'verify', 'novel', false],
  ];
  test.each(rows)('%s', (_, call, verb, progress, hasPassed) => {
    expect(followed([call, seenAs(verb, progress)]).hasPassed).toBe(hasPassed);
  });

  test.each([
    [true, true, 1],
    [true, false, 0.3],
    [false, true, 0.1],
  ])(
    'having gone through (%s) and recovered (%s) the offer is worth %d',
    (passes, isRecovered, reward) => {
      const offer = followed(
        passes
          ? [callOf('click'), seenAs('execute', 'screen')]
          : [callOf('snapshot'), seenAs('read')],
      );
      expect(closedOffer(offer, isRecovered).reward).toBe(reward);
    },
  );

  test('is kept without what was needed to follow it', () => {
    expect(closedOffer(followed([callOf('snapshot'), seenAs('read')]), false)).toEqual({
      failure: 'stale-reference',
      world: 'page',
      target: 'element:1',
      offered: ['look-afresh', 'act-anew', 'think'],
      did: 'snapshot',
      followed: 'look-afresh',
      reward: 0.1,
    });
  });
});
