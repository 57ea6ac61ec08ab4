import { expect, test } from 'vitest';
import type { RecentCall } from '../candidates/memory.ts';
import type { Fingerprint, Neutral, Progress } from '../fingerprint/fingerprint.ts';
import type { Verb } from '../prints.ts';
import { rewardOf } from './reward.ts';

interface Case {
  call?: Partial<RecentCall>;
  verb?: Verb;
  progress?: Progress | null;
  neutral?: Neutral | null;
  hasLooked?: boolean;
}

const rows: [string, Case, number][] = [
  ['what cannot be taken back', { call: { destroys: true }, progress: 'write' }, -1],
  [
    'what cannot be taken back, though it failed too',
    { call: { destroys: true, failure: 'other' } },
    -1,
  ],
  ['a page that lets nobody pass', { call: { failure: 'blocked-page' } }, -0.75],
  ['a permission that is missing', { call: { failure: 'permission-denied' } }, -0.75],
  ['any other failure', { call: { failure: 'missing-file' } }, -0.3],
  ['a failure, whatever it showed', { call: { failure: 'missing-file' }, progress: 'novel' }, -0.3],
  ['nothing new', { progress: null }, -0.1],
  ['nothing new from a step that does not count', { progress: null, neutral: 'wait' }, 0],
  ['a first look', { verb: 'read', progress: 'novel' }, 0.1],
  ['a second look', { verb: 'read', progress: 'novel', hasLooked: true }, 0],
  ['a write', { verb: 'write', progress: 'write' }, 0.4],
  ['a write after a look', { verb: 'write', progress: 'write', hasLooked: true }, 0.4],
  ['fewer failures', { verb: 'verify', progress: 'falling' }, 0.4],
  ['another screen', { verb: 'execute', progress: 'screen' }, 0.3],
  ['a quantity that moved', { verb: 'execute', progress: 'moved' }, 0.3],
  ['data', { verb: 'execute', progress: 'novel' }, 0.3],
  [
    'a program that went through for the first time',
    { verb: 'execute', progress: 'first-run' },
    0.2,
  ],
  ['a target never looked at', { verb: 'execute', progress: 'first-look' }, 0.1],
];

test.each(rows)(
  '%s: %j is worth %d',
  (_, { call, verb = 'execute', progress = null, neutral = null, hasLooked = false }, reward) => {
    const noted: RecentCall = { tool: 't', key: 'k', world: 'file', target: null, ...call };
    expect(rewardOf(noted, { call: { verb }, progress, neutral } as Fingerprint, hasLooked)).toBe(
      reward,
    );
  },
);

test('an act without a call of its own is worth its result', () => {
  const noted: RecentCall = { tool: 't', key: 'k', world: 'page', target: null };
  expect(rewardOf(noted, { progress: 'screen', neutral: null } as Fingerprint, false)).toBe(0.3);
});
