import { describe, expect, test } from 'vitest';
import type { Candidate } from '../candidates/candidate.ts';
import type { RecentCall } from '../candidates/memory.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import type { Plan } from '../policy/plan.ts';
import type { Verb } from '../prints.ts';
import type { Signal } from '../signal.ts';
import {
  type About,
  followPlans,
  type Outcome,
  type OutcomeState,
  performed,
  startOutcomes,
  startWatching,
  trailsAt,
} from './outcome.ts';

const planOf = (changes: Partial<Plan> = {}): Plan => ({
  id: 'p1',
  recovery: 'say-it',
  rung: 'note',
  reason: 'd/v',
  toModel: '',
  toHuman: '',
  budgetLeft: 5,
  streak: 's1',
  ...changes,
});
const seenAt = (step: number, changes: Partial<Fingerprint> = {}): Fingerprint =>
  ({
    type: 'call-finished',
    step,
    tick: step,
    neutral: null,
    progress: null,
    ...changes,
  }) as Fingerprint;
const callOf = (changes: Partial<RecentCall> = {}): RecentCall => ({
  tool: 't',
  key: 'k',
  world: 'page',
  target: null,
  ...changes,
});

/** The step at which the plans are made. */
const MADE = 7;

const WRITES = {
  call: { key: 'w', verb: 'write' as Verb },
  progress: 'write',
} as Partial<Fingerprint>;
const LOOKS = {
  call: { key: 'r', verb: 'read' as Verb },
  progress: 'novel',
} as Partial<Fingerprint>;
const FAILS = {
  call: { key: 'k', verb: 'execute' as Verb },
  result: { error: {} },
} as Partial<Fingerprint>;
const WORKS = {
  call: { key: 'k', verb: 'execute' as Verb },
  result: { error: null },
} as Partial<Fingerprint>;

interface Event extends Partial<Fingerprint> {
  raises?: string[];
  noted?: Partial<RecentCall>;
  isStep?: boolean;
  ended?: boolean;
  endedWell?: boolean;
}

/** Plans that are watched, and what becomes of them event by event. */
function watched(
  plans: Plan[] = [planOf()],
  about: Partial<About> = {},
  state: OutcomeState = startOutcomes(),
) {
  const { seen = seenAt(MADE) } = about;
  for (const plan of plans)
    startWatching(state, plan, { keys: ['k'], failed: undefined, ...about, seen });
  let step = seen.step;
  const next = ({
    raises = [],
    noted,
    isStep = true,
    ended = false,
    endedWell = false,
    ...changes
  }: Event = {}): Outcome[] => {
    const signals = raises.map((streak) => ({ streak }) as Signal);
    return followPlans(state, {
      seen: seenAt(++step, changes),
      signals,
      call: noted && callOf(noted),
      isStep,
      ended,
      endedWell,
    });
  };
  return {
    state,
    next,
    /** The words for what became of them in these events. */
    after: (...events: Event[]): string[] =>
      events
        .flatMap((event) => next(event))
        .map(({ outcome, after }) => `${outcome} after ${after}`),
  };
}
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

test('at first nothing is watched', () =>
  expect(startOutcomes()).toEqual({ watched: [], recovered: [], trails: [] }));

test('an outcome says which plan it is of', () => {
  const plan = planOf({ id: 'p7', recovery: 'ask', rung: 'escalate', reason: 'd/w', streak: 's3' });
  expect(watched([plan]).next({ raises: ['s3'] })).toEqual([
    {
      plan: 'p7',
      recovery: 'ask',
      rung: 'escalate',
      reason: 'd/w',
      streak: 's3',
      outcome: 'persisted',
      after: 1,
    },
  ]);
});

describe('a plan', () => {
  const idle: Event = {};
  const rows: [string, Event[], string[]][] = [
    ['persisted when its streak goes on', [{ raises: ['s1'] }], ['persisted after 1']],
    [
      'persisted when its streak goes on later',
      [idle, idle, { raises: ['s2', 's1'] }],
      ['persisted after 3'],
    ],
    ['is open when another streak goes on', [{ raises: ['s2'] }], []],
    ['is open one step before its time', times(4, () => idle), []],
    ['is unknown at the end of its time', times(5, () => idle), ['unknown after 5']],
    ['is unknown when the session ends first', [idle, { ended: true }], ['unknown after 2']],
    [
      'is a recovery when the session ends well first',
      [idle, { ended: true, endedWell: true }],
      ['recovered after 2'],
    ],
    [
      'is recovered at the end of its time by one step that did something',
      [WRITES, idle, idle, idle, idle],
      ['recovered after 5'],
    ],
    ['is not recovered before its time', [WRITES, WRITES, WRITES, WRITES], []],
    [
      'is recovered by a step that did something in its last step',
      [idle, idle, idle, idle, WRITES],
      ['recovered after 5'],
    ],
    [
      'is recovered when the session ends after a step that did something',
      [WRITES, { ended: true }],
      ['recovered after 2'],
    ],
    ['is recovered by three looks', [LOOKS, LOOKS, LOOKS, idle, idle], ['recovered after 5']],
    ['is unknown after two looks', [LOOKS, LOOKS, idle, idle, idle], ['unknown after 5']],
    [
      'is recovered by progress that is no call',
      [{ progress: 'screen' }, { ended: true }],
      ['recovered after 2'],
    ],
    [
      'is not recovered by what is no step',
      [{ ...WRITES, isStep: false }, { ended: true }],
      ['unknown after 2'],
    ],
    [
      'is not recovered by our own refusal',
      [{ ...WRITES, neutral: 'own' }, { ended: true }],
      ['unknown after 2'],
    ],
    [
      'is recovered though the step was a wait',
      [{ ...WRITES, neutral: 'wait' }, { ended: true }],
      ['recovered after 2'],
    ],
    [
      'that was about no failure is not recovered when its call works',
      [WORKS, { ended: true }],
      ['unknown after 2'],
    ],
  ];
  test.each(rows)('%s', (_, events, expected) => {
    expect(watched().after(...events)).toEqual(expected);
  });

  test.each([
    ['raised', { raises: ['s1'] }],
    ['a step that did something', WRITES],
  ])('is not judged by its own step: %s', (_, event) => {
    const { state } = watched();
    const { raises = [], ...changes } = event as Event;
    const signals = raises.map((streak) => ({ streak }) as Signal);
    expect(
      followPlans(state, {
        seen: seenAt(MADE, changes),
        signals,
        call: undefined,
        isStep: true,
        ended: false,
      }),
    ).toEqual([]);
    expect(state.watched).toMatchObject([{ progress: 0, moved: 0 }]);
  });

  test('has one outcome, and is not watched after it', () => {
    const { state, after } = watched();
    expect(after({ raises: ['s1'] }, { raises: ['s1'] }, ...times(6, () => idle))).toEqual([
      'persisted after 1',
    ]);
    expect(state.watched).toEqual([]);
  });

  test('that are still open: eight are watched, the ninth pushes out the oldest', () => {
    const ids = times(9, (i) => `p${i + 1}`);
    const { state } = watched(ids.slice(0, 8).map((id) => planOf({ id })));
    expect(state.watched.map(({ plan }) => plan)).toEqual(ids.slice(0, 8));
    watched([planOf({ id: 'p9' })], {}, state);
    expect(state.watched.map(({ plan }) => plan)).toEqual(ids.slice(1));
  });

  test('that could only be performed with less force has that rung, and others keep theirs', () => {
    const { state, next } = watched([
      planOf({ id: 'p1', rung: 'block' }),
      planOf({ id: 'p2', rung: 'block' }),
    ]);
    performed(state, 'p2', 'note');
    expect(next({ raises: ['s1'] }).map(({ plan, rung }) => `${plan} ${rung}`)).toEqual([
      'p1 block',
      'p2 note',
    ]);
  });
});

describe('a plan about a failing call', () => {
  const about = { seen: seenAt(MADE, FAILS) };

  test.each([
    ['is recovered as soon as the call works', [WORKS], ['recovered after 1']],
    ['is open when the call fails in another streak', [FAILS], []],
    ['is open when another call works', [{ ...WORKS, call: { key: 'x', verb: 'execute' } }], []],
    ['is open when nothing is known of the result', [{ ...WORKS, result: undefined }], []],
    ['is open when a result belongs to no call', [{ ...WORKS, call: undefined }], []],
    ['is open when only our own refusal came', [{ ...WORKS, neutral: 'own' }], []],
  ] as [string, Event[], string[]][])('%s', (_, events, expected) => {
    expect(watched([planOf()], about).after(...events)).toEqual(expected);
  });
});

describe('a relapse', () => {
  const recovered: Event[] = [WRITES, { ended: true }];

  test('is a streak that comes back after its recovery, said once', () => {
    const { after } = watched();
    expect(after(...recovered, { raises: ['s1'] }, { raises: ['s1'] })).toEqual([
      'recovered after 2',
      'relapsed after 3',
    ]);
  });

  test.each([
    ['another streak is raised', recovered, { raises: ['s2'] }],
    ['it never recovered', [{ ended: true }], { raises: ['s1'] }],
    ['it persisted', [{ raises: ['s1'] }], { raises: ['s1'] }],
  ] as [string, Event[], Event][])('is none when %s', (_, before, event) => {
    const { after } = watched();
    after(...before);
    expect(after(event)).toEqual([]);
  });

  test('takes back the plan of its own streak, and leaves those of others', () => {
    const { next, after } = watched([
      planOf({ id: 'p1', streak: 's1' }),
      planOf({ id: 'p2', streak: 's2' }),
    ]);
    after(...recovered);
    expect(next({ raises: ['s1'] }).map(({ plan }) => plan)).toEqual(['p1']);
    expect(next({ raises: ['s2'] }).map(({ plan }) => plan)).toEqual(['p2']);
  });

  test.each([
    [8, ['p1']],
    [9, []],
  ])('of the first of %d recovered streaks is %j: eight are remembered', (count, expected) => {
    const state = startOutcomes();
    for (let i = 1; i <= count; i++)
      watched([planOf({ id: `p${i}`, streak: `s${i}` })], {}, state).after(...recovered);
    expect(
      watched([], {}, state)
        .next({ raises: ['s1'] })
        .map(({ plan }) => plan),
    ).toEqual(expected);
  });
});

describe('an offer', () => {
  const look: Candidate = {
    name: 'look',
    tool: 'snapshot',
    description: '',
    reason: '',
    score: 0.9,
    risk: 'read_only',
  };
  const failed = callOf({
    tool: 'click',
    key: 'k',
    target: 'element:1',
    failure: 'stale-reference',
  });
  const hint = planOf({
    id: 'p1',
    rung: 'hint',
    streak: '',
    reason: 'failure/stale-reference',
    candidates: [look],
  });
  const offered = (plan: Plan = hint, state?: OutcomeState) =>
    watched([plan], { seen: seenAt(MADE, FAILS), failed }, state);

  const looked: Event = { noted: { tool: 'snapshot', key: 'x' }, ...LOOKS };
  const passed: Event = { noted: { tool: 'click', key: 'y' }, ...WRITES };
  const failedAgain: Event = {
    noted: { tool: 'press', key: 'z', failure: 'stale-reference', target: 'element:1' },
  };

  test('is watched only where there are candidates and a call that failed', () => {
    expect(offered().state.watched[0]).toHaveProperty('offer');
    expect(offered(planOf()).state.watched[0]).not.toHaveProperty('offer');
    expect(watched([hint]).state.watched[0]).not.toHaveProperty('offer');
    expect(watched().next({ raises: ['s1'] })[0]).not.toHaveProperty('offer');
  });

  test('of a hint outside any streak is recovered as soon as what failed goes through', () => {
    const { next } = offered();
    expect(next(looked)).toEqual([]);
    expect(next(passed)).toMatchObject([
      { outcome: 'recovered', after: 2, offer: { did: 'snapshot', followed: 'look', reward: 1 } },
    ]);
  });

  test.each([
    ['in the same way on the same target', failedAgain, ['persisted after 1']],
    ['in another way', { noted: { ...failedAgain.noted, failure: 'not-ready' } }, []],
    ['on another target', { noted: { ...failedAgain.noted, target: 'element:2' } }, []],
    ['without a call that could be noted', {}, []],
  ] as [string, Event, string[]][])(
    'of a hint outside any streak, when it fails again %s: %s',
    (_, event, expected) => {
      expect(offered().after(event)).toEqual(expected);
    },
  );

  test.each([
    ['what failed goes through', passed],
    ['it fails again', failedAgain],
  ])('of a streak is not judged as soon as %s', (_, event) => {
    expect(offered({ ...hint, streak: 's1' }).after(event)).toEqual([]);
  });

  test.each([passed, failedAgain])(
    'is not followed by the step that it was made in',
    ({ noted, ...changes }) => {
      const { state } = offered();
      expect(
        followPlans(state, {
          seen: seenAt(MADE, changes),
          signals: [],
          call: callOf(noted),
          isStep: true,
          ended: false,
        }),
      ).toEqual([]);
      expect(state.watched[0]!.offer).toMatchObject({ did: null, reward: 0, hasPassed: false });
    },
  );

  test('is not followed by an event that is no call', () => {
    const { state, next } = offered();
    next(LOOKS);
    expect(state.watched[0]!.offer!.did).toBeNull();
  });

  test('that did not end in a recovery is worth what its steps were', () => {
    const { next } = offered();
    next(looked);
    expect(next(failedAgain)).toMatchObject([
      { outcome: 'persisted', offer: { followed: 'look', reward: -0.2 } },
    ]);
  });

  test('whose streak comes back is worth -0.5', () => {
    const { next } = offered({ ...hint, streak: 's1' });
    next(looked);
    next({ ...passed, ended: true });
    expect(next({ raises: ['s1'] })).toMatchObject([
      { outcome: 'relapsed', offer: { followed: 'look', reward: -0.5 } },
    ]);
  });

  test('that was followed leaves a trail, and one that was not leaves none', () => {
    const followed = offered();
    followed.after(looked, passed);
    expect(followed.state.trails).toEqual([
      { failure: 'stale-reference', target: 'element:1', followed: 'look', reward: 1 },
    ]);
    const ignored = offered();
    ignored.after(passed);
    expect(ignored.state.trails).toEqual([]);
  });

  test('twelve trails are kept, and the 13th pushes out the oldest', () => {
    const state = startOutcomes();
    const follow = (): unknown => offered(hint, state).after(looked, failedAgain);
    offered(hint, state).after(looked, passed);
    times(11, follow);
    expect(state.trails.map(({ reward }) => reward)).toEqual([1, ...times(11, () => -0.2)]);
    follow();
    expect(state.trails.map(({ reward }) => reward)).toEqual(times(12, () => -0.2));
  });

  describe('that a call shows to have been in vain', () => {
    test.each([
      ['counts as a further failure', { failure: 'stale-reference', target: 'element:1' }, [-0.3]],
      ['must be about the same failure', { failure: 'not-ready', target: 'element:1' }, []],
      ['must be about the same target', { failure: 'stale-reference', target: null }, []],
    ])('%s', (_, call, rewards) => {
      const { state } = offered();
      watched([planOf()], {}, state);
      expect(trailsAt(state, callOf(call)).map(({ reward }) => reward)).toEqual(rewards);
    });

    test('comes after the trails that are known, and is not kept', () => {
      const { state } = offered();
      const trail = { failure: 'f', target: null, followed: 'look', reward: 1 };
      state.trails.push(trail);
      expect(trailsAt(state, failed)).toMatchObject([
        trail,
        { failure: 'stale-reference', reward: -0.3 },
      ]);
      expect(state.trails).toEqual([trail]);
    });
  });
});

describe('an action that was done instead of another', () => {
  const done = { tick: MADE, progress: 'novel' } as Partial<Fingerprint>;

  test('is the first thing that its plan is judged by', () => {
    expect(watched([planOf({ rung: 'substitute' })]).after(done, { ended: true })).toEqual([
      'recovered after 2',
    ]);
  });

  test('twin: what the agent did before a note is not its doing', () => {
    expect(watched().after(done, { ended: true })).toEqual(['unknown after 2']);
  });

  test('twin: one that changed nothing has not helped', () => {
    expect(
      watched([planOf({ rung: 'substitute' })]).after({ tick: MADE }, { ended: true }),
    ).toEqual(['unknown after 2']);
  });
});
