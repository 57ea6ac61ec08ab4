import { describe, expect, test } from 'vitest';
import type { Candidate } from '../candidates/candidate.ts';
import type { Trouble } from '../candidates/candidates-for.ts';
import type { RecentCall } from '../candidates/memory.ts';
import type { Capability, Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { hintFailure } from './hint-failure.ts';
import type { Plan } from './plan.ts';
import { startPolicy } from './policy-state.ts';

const CANDIDATE: Candidate = {
  name: 'look',
  description: 'Look again',
  reason: 'it may be there',
  score: 0.5,
  risk: 'read_only',
};
const FAILED = {
  call: { label: 'read a.ts' },
  result: { error: { class: 'x' } },
  progress: null,
} as Fingerprint;

interface Setup {
  call?: Partial<RecentCall>;
  seen?: Partial<Fingerprint>;
  can?: Capability[];
  skip?: Rung[];
  candidates?: Candidate[];
}

function hint({ call, seen, can = ['hint'], skip = [], candidates = [CANDIDATE] }: Setup = {}): {
  plan: Plan | null;
  asked: Trouble[];
  next: number;
} {
  const state = startPolicy();
  const asked: Trouble[] = [];
  const noted: RecentCall = {
    tool: 'Read',
    key: 'k',
    world: 'file',
    target: 'file:1',
    failure: 'missing-file',
    ...call,
  };
  const config = {
    recoveries: [],
    can: new Set(can),
    skip: new Set(skip),
    allow: new Set<string>(),
  };
  const plan = hintFailure(state, { ...FAILED, ...seen }, noted, config, (trouble) => {
    asked.push(trouble);
    return candidates;
  });
  return { plan, asked, next: state.next };
}

test('a first failure of a known kind gets a hint that belongs to no streak and costs nothing', () => {
  const { plan, asked, next } = hint();
  expect(plan).toEqual({
    id: 'p1',
    recovery: 'hint-failure',
    rung: 'hint',
    reason: 'failure/missing-file',
    toModel: expect.stringMatching(
      /^Unrut \(loop guard\): `read a\.ts` failed: .+\. Try next: Look again; /,
    ),
    toHuman: expect.stringMatching(/^Unrut gave the agent next steps: `read a\.ts` failed: .+\.$/),
    candidates: [CANDIDATE],
    target: 'file:1',
    budgetLeft: 5,
    streak: '',
  });
  expect(asked).toEqual([{ keys: ['k'], anyCall: false }]);
  expect(next).toBe(2);
});

test('without a target the hint names none', () => {
  expect(hint({ call: { target: null } }).plan).not.toHaveProperty('target');
});

describe('there is no hint', () => {
  test.each([
    ['for a call that did not fail', { call: { failure: undefined } }],
    ['for an act without effect', { call: { failure: 'no-effect' } }],
    ['for a failure of no known kind', { call: { failure: 'other' } }],
    ['from a host that cannot hint', { can: ['note'] }],
    ['where hints are left out', { skip: ['hint'] }],
    ['where there is nothing to do', { candidates: [] }],
    [
      'where the call brought something all the same',
      { seen: { result: { error: null } as Fingerprint['result'], progress: 'novel' } },
    ],
    [
      'where nothing is known of the result, and something was brought',
      { seen: { result: undefined, progress: 'novel' } },
    ],
  ] as [string, Setup][])('%s', (_, setup) => {
    expect(hint(setup).plan).toBeNull();
  });
});

describe('there is a hint', () => {
  test.each([
    ['for an error, whatever it showed', { seen: { progress: 'novel' } }],
    [
      'for a failure without an error that brought nothing',
      { seen: { result: { error: null } as Fingerprint['result'] } },
    ],
    ['where other rungs are left out', { skip: ['note'] }],
  ] as [string, Setup][])('%s', (_, setup) => {
    expect(hint(setup).plan?.rung).toBe('hint');
  });
});
