import { describe, expect, test } from 'vitest';
import type { Candidate } from '../candidates/candidate.ts';
import type { Detector } from '../detectors/detector.ts';
import { type Capability, RUNGS, type Rung } from '../event.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { defineRecovery, type Recovery, type Situation } from '../recoveries/recovery.ts';
import type { Evidence } from '../signal.ts';
import { decide } from './decide.ts';
import type { Decision, Ranker } from './moment.ts';
import { type PolicyConfig, type PolicyState, startPolicy, userSpoke } from './policy-state.ts';

const detectorOf = (name: string, changes: Partial<Detector> = {}): Detector => ({
  name,
  status: 'stable',
  watches: ['call-finished'],
  rungs: { first: 'note', highest: 'stop' },
  options: {},
  declared: {},
  start: () => ({}),
  step: () => null,
  explain: ({ count }) => `${name} saw it ${count} times`,
  moves: ['do something else'],
  ...changes,
});
const recoveryOf = (rung: Rung, changes: Partial<Recovery> = {}): Recovery => ({
  ...defineRecovery({
    name: `${rung}-it`,
    rung,
    answers: ['*'],
    needs: [],
    safety: 'advisory',
    options: {},
    plan: () => ({}),
    toModel: ({ signal, moves }) =>
      `${rung}: ${signal.text}${moves.length > 1 ? ` ${moves[0]}` : ''}`,
    toHuman: () => `${rung} was done`,
  }),
  ...changes,
});
const evidenceOf = (changes: Partial<Evidence> = {}): Evidence => ({
  variant: 'v',
  count: 3,
  since: 1,
  keys: ['k'],
  strength: 0.7,
  equal: true,
  facts: {},
  ...changes,
});

const fails = (): never => {
  throw new Error('broken');
};

const FIRM = detectorOf('firm');
const OTHER = detectorOf('other');
const EVERY_TIME = detectorOf('every-time', { everyTime: true });
const CAN: Capability[] = ['note', 'hint', 'block', 'escalate', 'stop'];
const withoutStop: Capability[] = ['note', 'hint', 'block', 'escalate'];

interface Setup extends Partial<Pick<PolicyConfig, 'attended' | 'partial' | 'learned'>> {
  can?: Capability[];
  skip?: Rung[];
  recoveries?: Recovery[];
  detectors?: Detector[];
  rank?: Ranker;
}

type Sighted = Detector | [Detector, Partial<Evidence>];

const callOf = (key: string): Fingerprint['call'] =>
  ({
    key,
    label: 'the call',
    target: null,
    targetLabel: '',
    wide: false,
    verb: 'read',
    effect: 'none',
  }) as Fingerprint['call'];

/** One session whose steps come one by one. */
function session({
  can = CAN,
  skip = [],
  recoveries,
  detectors = [FIRM, OTHER, EVERY_TIME],
  rank,
  ...rest
}: Setup = {}) {
  const state: PolicyState = startPolicy();
  const config: PolicyConfig = {
    recoveries: recoveries ?? RUNGS.map((rung) => recoveryOf(rung)),
    can: new Set(can),
    skip: new Set(skip),
    allow: new Set(),
    attended: true,
    partial: false,
    learned: {},
    detectors: new Map(detectors.map((detector) => [detector.name, detector])),
    ...rest,
  };
  let step = 0;
  const ask = (sighted: Sighted[], seen: Partial<Fingerprint>): Decision => {
    const sightings = sighted.map((each) =>
      Array.isArray(each) ? each : ([each, {} as Partial<Evidence>] as const),
    );
    const fingerprint = {
      type: 'call-finished',
      step,
      tick: step,
      at: 0,
      silence: 0,
      gap: 0,
      speaker: '',
      batch: '',
      announced: false,
      neutral: null,
      progress: null,
      // A repeated look with the same result.
      ...(seen.type === undefined && sightings.length > 0
        ? {
            call: callOf(sightings[0]![1].keys?.[0] ?? 'k'),
            result: { known: true, pending: false, sameInARow: 2 } as Fingerprint['result'],
          }
        : {}),
      ...seen,
    } as Fingerprint;
    return decide(
      state,
      sightings.map(([detector, changes]) => ({ detector, evidence: evidenceOf(changes) })),
      fingerprint,
      config,
      rank,
    );
  };
  const finish = (seen: Partial<Fingerprint>, sighted: Sighted[]): Decision => {
    const decision = ask(sighted, seen);
    step++;
    return decision;
  };
  return {
    state,
    config,
    /** A call finishes, and these detectors see something. */
    see: (...sighted: Sighted[]): Decision => finish({}, sighted.length > 0 ? sighted : [FIRM]),
    seeIn: (seen: Partial<Fingerprint>, ...sighted: Sighted[]): Decision =>
      finish(seen, sighted.length > 0 ? sighted : [FIRM]),
    seeNothing: (): Decision => finish({}, []),
    /** A step with something new and without signals. */
    goForward: (): Decision => finish({ progress: 'novel' }, []),
    /** A call is announced, and may be refused. */
    propose: (key = 'k', seen: Partial<Fingerprint> = {}): Decision =>
      ask([], { type: 'call-proposed', call: callOf(key), ...seen }),
  };
}

const rungOf = ({ plan }: Decision): Rung | undefined => plan?.rung;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('what was seen', () => {
  test("becomes a signal with its detector's words, on the rung of the plan", () => {
    const { signals, plan, faults } = session().see([FIRM, { target: 'file:1' }]);
    const evidence = evidenceOf({ target: 'file:1' });
    const { variant, since, count, strength } = evidence;
    expect(signals).toEqual([
      {
        detector: 'firm',
        variant,
        step: 0,
        since,
        count,
        strength,
        rung: 'note',
        streak: 's1',
        evidence,
        text: 'firm saw it 3 times',
      },
    ]);
    expect(plan).toEqual({
      first: true,
      id: 'p2',
      recovery: 'note-it',
      rung: 'note',
      reason: 'firm/v',
      toModel: 'note: firm saw it 3 times',
      toHuman: 'note was done',
      target: 'file:1',
      budgetLeft: 5,
      streak: 's1',
    });
    expect(faults).toEqual([]);
  });

  test('is needed: without it there is neither signal nor plan', () => {
    expect(session().goForward()).toEqual({ signals: [], plan: null, faults: [] });
  });

  test('belongs to one streak while it shares a key, and to another when it does not', () => {
    const { see } = session();
    const streaks = ['k', 'k', 'l'].map((key) => see([FIRM, { keys: [key] }]).signals[0]!.streak);
    expect(streaks[1]).toBe(streaks[0]);
    expect(streaks[2]).not.toBe(streaks[0]);
  });

  test('is a fault if its detector throws while wording it, and leaves no trace', () => {
    const { state, see } = session();
    const { signals, plan, faults } = see(detectorOf('mute', { explain: fails }));
    expect({ signals, plan, faults }).toEqual({
      signals: [],
      plan: null,
      faults: [{ where: 'mute', message: 'broken' }],
    });
    expect(state.streaks).toEqual([]);
  });

  test('has the first rung of its detector if nothing can be done', () => {
    const { signals, plan } = session({ can: [] }).see(
      detectorOf('late', { rungs: { first: 'hint', highest: 'stop' } }),
    );
    expect(plan).toBeNull();
    expect(signals[0]!.rung).toBe('hint');
  });

  test('has the rung of its streak even if its detector begins higher', () => {
    const { see } = session({ can: ['note'] });
    see();
    const { signals } = see(detectorOf('late', { rungs: { first: 'hint', highest: 'stop' } }));
    expect(signals[0]!.rung).toBe('note');
  });

  test('keeps the rung of its streak on steps that get no plan', () => {
    const { see } = session({ can: ['note', 'hint'] });
    expect(
      times(4, () => see()).map(({ signals, plan }) => `${signals[0]!.rung} ${plan?.rung ?? '-'}`),
    ).toEqual(['note note', 'hint hint', 'hint -', 'hint -']);
  });
});

describe('a streak', () => {
  test('climbs one rung per step, and waits before the stop', () => {
    const { see } = session();
    expect(times(7, () => rungOf(see()))).toEqual([
      'note',
      'hint',
      'escalate',
      undefined,
      undefined,
      'stop',
      undefined,
    ]);
  });

  test('climbs half as fast, and only up to a hint, if what repeats is not known to be equal', () => {
    const { see } = session();
    const weak: Sighted = [FIRM, { equal: false }];
    expect(times(6, () => rungOf(see(weak)))).toEqual([
      'note',
      undefined,
      'hint',
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('of calls that repeat in turn climbs once per lap', () => {
    const { seeIn } = session();
    const round: Sighted = [FIRM, { keys: ['a', 'b', 'c'] }];
    const lap = ['a', 'b', 'c'].map((key) => ({ call: callOf(key) }));
    expect([...lap, ...lap, ...lap].map((seen) => rungOf(seeIn(seen, round)))).toEqual([
      ...['note', undefined, undefined],
      ...['hint', undefined, undefined],
      ...['escalate', undefined, undefined],
    ]);
  });

  test('of calls in turn climbs even if the call at which it last rose is no longer made', () => {
    const { seeIn } = session();
    const round: Sighted = [FIRM, { keys: ['a', 'b', 'c'] }];
    const made = ['a', 'b', 'c', 'b', 'c'].map((key) =>
      rungOf(seeIn({ call: callOf(key) }, round)),
    );
    expect(made).toEqual(['note', undefined, undefined, 'hint', undefined]);
  });

  test('skips a rung whose recovery has nothing to offer', () => {
    const recoveries = RUNGS.map((rung) =>
      recoveryOf(rung, rung === 'hint' ? { plan: () => null } : {}),
    );
    const { see } = session({ recoveries });
    expect(times(2, () => rungOf(see()))).toEqual(['note', 'escalate']);
  });

  test.each(['plan', 'toModel', 'toHuman'] as const)(
    'skips a recovery whose %s throws, and records a fault',
    (part) => {
      const recoveries = RUNGS.map((rung) =>
        recoveryOf(rung, rung === 'note' ? { [part]: fails } : {}),
      );
      const { plan, faults } = session({ recoveries }).see();
      expect(plan?.rung).toBe('hint');
      expect(faults).toEqual([{ where: 'note-it', message: 'broken' }]);
    },
  );

  /** The third time, after a note and a hint: a block, or the rung after it. */
  const third = (
    { seeIn, propose }: ReturnType<typeof session>,
    evidence: Partial<Evidence>,
  ): Decision => {
    const made = () => seeIn({ announced: true }, [FIRM, evidence]);
    made();
    made();
    const proposed = propose(evidence.keys?.[0]);
    const finished = made();
    return proposed.plan ? proposed : finished;
  };

  test('spends the budget only on force', () => {
    const made = session();
    expect(made.see().plan!.budgetLeft).toBe(5);
    expect(third(made, { keys: ['l'] }).plan).toMatchObject({ rung: 'block', budgetLeft: 4 });
    expect(third(made, { keys: ['m'], cap: 'hint' }).plan).toBeNull();
    expect(made.state.budget.session).toBe(1);
  });

  test('skips what the budget does not allow', () => {
    const made = session();
    const refused = times(6, (i) => rungOf(third(made, { keys: [`k${i}`] })));
    expect(refused).toEqual(['block', 'block', 'block', 'block', 'block', 'escalate']);
  });

  test('is refused at most twice for one target, however many streaks there are', () => {
    const made = session();
    const refused = times(3, () => {
      const rung = rungOf(third(made, { target: 'file:1' }));
      made.state.streaks.length = 0;
      return rung;
    });
    expect(refused).toEqual(['block', 'block', 'escalate']);
  });

  test('resumes above its last rung after the user spoke', () => {
    const { state, seeIn, propose } = session();
    seeIn({ announced: true });
    seeIn({ announced: true });
    userSpoke(state);
    expect(propose().plan).toBeNull();
    expect(rungOf(seeIn({ announced: true }))).toBeUndefined();
    expect(rungOf(propose())).toBe('block');
  });

  const afterAPerson: [Capability[], number, Rung][] = [
    [['note', 'hint', 'escalate', 'stop'], 6, 'hint'],
    [['note', 'hint', 'escalate', 'stop'], 3, 'note'],
    [['note', 'stop'], 6, 'note'],
  ];
  test.each(afterAPerson)(
    'that was reported or stopped by a host that can %j begins two rungs lower after %i steps and a word of a person',
    (can, steps, rung) => {
      const { state, see } = session({ can });
      times(steps, () => see());
      userSpoke(state);
      const after = times(6, () => rungOf(see()));
      expect(after.find((each) => each !== undefined)).toBe(rung);
    },
  );

  test('that never had more than a note starts over after any progress', () => {
    const capped = (count: number): Sighted => [FIRM, { cap: 'note', count }];
    const { see, goForward } = session();
    expect([see(capped(3)), see(capped(4)), goForward(), see(capped(6))].map(rungOf)).toEqual([
      'note',
      undefined,
      undefined,
      'note',
    ]);
  });

  test('climbs silently if the same was said before and the count has not doubled since', () => {
    const { state, see } = session();
    see();
    state.streaks.length = 0;
    expect([see(), see()].map(rungOf)).toEqual([undefined, 'hint']);
    state.streaks.length = 0;
    expect(rungOf(see([FIRM, { count: 6 }]))).toBe('note');
  });

  test('that had more than a note resumes above its last rung after progress', () => {
    const { see, goForward } = session();
    expect([see(), goForward(), goForward(), goForward(), see()].map(rungOf)).toEqual([
      'note',
      undefined,
      undefined,
      undefined,
      'hint',
    ]);
  });

  test('does not fade at a step without progress', () => {
    const { state, see, seeIn } = session();
    see();
    for (let i = 0; i < 4; i++) seeIn({ progress: null }, [OTHER, { keys: ['l'] }]);
    expect(state.streaks.map(({ progress }) => progress)).toEqual([0, 0]);
  });

  test('does not fade at the step that raises it', () => {
    const { state, seeIn } = session();
    seeIn({ progress: 'novel' });
    expect(state.streaks.map(({ progress }) => progress)).toEqual([0]);
  });
});

describe('fresh evidence', () => {
  test.each([
    ['is not less than twice the count', 5, undefined],
    ['is twice the count', 6, 'hint'],
  ])('within one step %s', (_, count, expected) => {
    const { see, seeIn } = session();
    see();
    expect(rungOf(seeIn({ step: 0, tick: 0 }, [FIRM, { count }]))).toBe(expected);
  });

  test.each([
    ['is not less than twice the count', 5, undefined],
    ['is twice the count', 6, 'hint'],
  ])('within one response %s', (_, count, expected) => {
    const { seeIn } = session();
    seeIn({ batch: 'b' });
    expect(rungOf(seeIn({ batch: 'b' }, [FIRM, { count }]))).toBe(expected);
  });

  test('comes with the next response', () => {
    const { seeIn } = session();
    expect(['b', 'b', 'c'].map((batch) => rungOf(seeIn({ batch })))).toEqual([
      'note',
      undefined,
      'hint',
    ]);
  });
});

describe('of several plans that could be made', () => {
  const late = (rung: Rung): Detector =>
    detectorOf(`from-${rung}`, { rungs: { first: rung, highest: 'stop' } });

  test.each([
    [['hint', 'note'], 'from-note/v'],
    [['note', 'hint'], 'from-note/v'],
  ] as [Rung[], string][])('for one streak the least force is chosen: %j', (rungs, reason) => {
    expect(session().see(...rungs.map(late)).plan?.reason).toBe(reason);
  });

  test('for one streak the strongest is chosen, and the first among equals', () => {
    expect(session().see(FIRM, OTHER).plan?.reason).toBe('firm/v');
    expect(session().see(FIRM, [OTHER, { strength: 0.8 }]).plan?.reason).toBe('other/v');
  });

  const elsewhere = (rung: Rung): Sighted => [late(rung), { keys: [rung] }];
  test.each([
    [['note', 'hint'], 'from-hint/v'],
    [['hint', 'note'], 'from-hint/v'],
  ] as [Rung[], string][])(
    'for several streaks the one that has climbed highest is chosen: %j',
    (rungs, reason) => {
      expect(session().see(...rungs.map(elsewhere)).plan?.reason).toBe(reason);
    },
  );

  test('for several streaks the strongest is chosen, and the first among equals', () => {
    expect(session().see(FIRM, [OTHER, { keys: ['l'] }]).plan?.reason).toBe('firm/v');
    expect(session().see(FIRM, [OTHER, { keys: ['l'], strength: 0.8 }]).plan?.reason).toBe(
      'other/v',
    );
  });

  test('only the streak that gets a plan climbs', () => {
    const { state, see } = session();
    see(FIRM, [OTHER, { keys: ['l'] }]);
    expect(state.streaks.map(({ rung }) => rung)).toEqual([0, -1]);
  });
});

describe('a note that is given every time', () => {
  const insisting: Sighted = [EVERY_TIME, { insists: true }];

  test('is repeated on every step if it insists, and neither climbs nor costs anything', () => {
    const { state, see } = session();
    expect(
      times(3, () => see(insisting)).map(
        ({ plan, signals }) => `${plan?.rung} ${signals[0]!.rung}`,
      ),
    ).toEqual(times(3, () => 'note note'));
    expect(state.streaks[0]).toMatchObject({ rung: -1, tried: [] });
  });

  test('is repeated whenever its count has doubled if it does not insist', () => {
    const { see } = session();
    const counts = [3, 4, 5, 6, 7, 11, 12].filter((count) => see([EVERY_TIME, { count }]).plan);
    expect(counts).toEqual([3, 6, 12]);
  });

  test('is repeated within one step, and within one response', () => {
    const { seeIn } = session();
    expect(times(3, () => rungOf(seeIn({ step: 0, batch: 'b' }, insisting)))).toEqual([
      'note',
      'note',
      'note',
    ]);
  });

  test('stays a note on a streak that others have made climb', () => {
    const { see } = session();
    see();
    see();
    const { plan, signals } = see(EVERY_TIME);
    expect([plan?.rung, signals[0]!.rung]).toEqual(['note', 'note']);
  });

  test('is the first one if there are two', () => {
    const second = detectorOf('second', { everyTime: true });
    expect(session().see(EVERY_TIME, second).plan?.reason).toBe('every-time/v');
  });

  test.each([
    ['first', (hint: Sighted) => [hint, EVERY_TIME]],
    ['last', (hint: Sighted) => [EVERY_TIME, hint]],
  ] as [string, (hint: Sighted) => Sighted[]][])(
    'yields to more force that comes %s',
    (_, order) => {
      const { see } = session();
      see();
      expect(see(...order(FIRM)).plan).toMatchObject({ rung: 'hint', reason: 'firm/v' });
    },
  );

  test('yields only to a stronger note', () => {
    expect(session().see(FIRM, EVERY_TIME).plan?.reason).toBe('every-time/v');
    expect(session().see([FIRM, { strength: 0.8 }], EVERY_TIME).plan?.reason).toBe('firm/v');
  });

  test('does not lead to a refusal', () => {
    const { state, see, propose } = session();
    see();
    see();
    see(EVERY_TIME);
    expect(state.streaks[0]!.rung).toBe(RUNGS.indexOf('hint'));
    expect(propose().plan).toBeNull();
  });
});

describe('where calls are announced, a refusal', () => {
  const announced = { announced: true };

  /** A session up to the hint, after which a block is due. */
  function dueSession(setup: Setup = {}) {
    const made = session(setup);
    made.seeIn(announced);
    made.seeIn(announced);
    return made;
  }

  test('waits for the next announcement of the call', () => {
    const { seeIn, propose } = dueSession();
    expect(rungOf(seeIn(announced))).toBeUndefined();
    const { plan, signals } = propose();
    expect(plan).toMatchObject({
      rung: 'block',
      reason: 'firm/v',
      toModel: 'block: firm saw it 3 times',
      budgetLeft: 4,
    });
    expect(signals).toEqual([]);
  });

  test('is skipped if calls are not announced: a call that has run cannot be refused', () => {
    expect(rungOf(dueSession().seeIn({ announced: false }))).toBe('escalate');
  });

  test('waits for two occurrences, since a call that is announced under another name never comes', () => {
    const { seeIn } = dueSession();
    expect(times(3, () => rungOf(seeIn(announced)))).toEqual([undefined, undefined, 'escalate']);
  });

  test('applies to screen actions, too', () => {
    expect(rungOf(dueSession().propose('k', { type: 'action-proposed' }))).toBe('block');
  });

  test('may be a substitute', () => {
    const { seeIn, propose } = dueSession({ can: ['note', 'hint', 'substitute'] });
    expect(rungOf(seeIn(announced))).toBeUndefined();
    expect(rungOf(propose())).toBe('substitute');
  });

  test('applies to no other call, and to nothing that is not a call', () => {
    const { propose } = dueSession();
    expect(propose('another').plan).toBeNull();
    expect(propose('k', { call: undefined }).plan).toBeNull();
  });

  test('comes first if the host can neither note nor hint', () => {
    const { seeIn, propose } = session({ can: ['block'] });
    seeIn(announced);
    expect(rungOf(propose())).toBe('block');
  });

  test('may follow the first note', () => {
    const { seeIn, propose } = session({ can: ['note', 'block'] });
    seeIn(announced);
    expect(rungOf(propose('k', { step: 9 }))).toBe('block');
  });

  test('is made only if it is the next rung: a hint is not given at an announcement', () => {
    const { seeIn, propose } = session();
    seeIn(announced);
    expect(propose('k', { step: 9 }).plan).toBeNull();
  });

  describe('is a claim that the answer is known. It is not made', () => {
    const doing = (effect: string, changes: object = {}): Partial<Fingerprint> => ({
      type: 'call-finished',
      call: {
        ...callOf('other')!,
        effect,
        verb: effect === 'none' ? 'read' : 'write',
        target: 'file:2',
        ...changes,
      } as Fingerprint['call'],
      result: { known: true, sameInARow: 1 } as Fingerprint['result'],
    });
    const changes: [string, Partial<Fingerprint>][] = [
      ['after a step that brought something new', { ...doing('none'), progress: 'novel' }],
      ['after an act that may have reached anything', doing('any')],
      ['after a write, as it depends on many things', doing('target')],
      ['after an act on nobody knows what', doing('target', { verb: 'unknown', target: null })],
      [
        'after an act that failed',
        {
          ...doing('any'),
          result: { known: true, sameInARow: 1, error: { refusal: null } } as Fingerprint['result'],
        },
      ],
      [
        'while such an act is about to run',
        { ...doing('any'), type: 'call-proposed', result: undefined },
      ],
    ];
    test.each(changes)('%s', (_, between) => {
      const made = dueSession();
      made.seeIn(between, [OTHER, { keys: ['other'] }]);
      expect(made.propose().plan).toBeNull();
    });

    const nothing: [string, Partial<Fingerprint>][] = [
      ['a look elsewhere', doing('none')],
      ['an act elsewhere whose reach is known', doing('target', { verb: 'unknown' })],
      [
        'a call that was refused',
        {
          ...doing('any'),
          result: {
            known: true,
            sameInARow: 1,
            error: { refusal: 'arguments' },
          } as Fingerprint['result'],
        },
      ],
      ['our own refusal', { ...doing('any'), neutral: 'own' }],
    ];
    test.each(nothing)('but it is made after %s', (_, between) => {
      const made = dueSession();
      made.seeIn(between, [OTHER, { keys: ['other'] }]);
      expect(rungOf(made.propose())).toBe('block');
    });

    test.each([
      ['while the answer is 29,999 ms old', 29_999, 'block'],
      ['when it is older', 30_000, undefined],
    ])('%s', (_, at, expected) => {
      expect(rungOf(dueSession().propose('k', { at }))).toBe(expected);
    });

    test('when the last result differed or is unknown', () => {
      for (const result of [
        { known: false, sameInARow: 5 },
        { known: true, sameInARow: 1 },
      ]) {
        const made = dueSession();
        made.seeIn({ ...announced, result: result as Fingerprint['result'] });
        expect(made.propose().plan).toBeNull();
      }
    });
  });

  describe('that is withheld lets the call run on probation', () => {
    /** A refusal was due, and something had happened. */
    function onProbation() {
      const made = dueSession();
      made.goForward();
      expect(made.propose().plan).toBeNull();
      return made;
    }

    test('and the same answer leads to the next rung', () => {
      expect(rungOf(onProbation().seeIn(announced))).toBe('escalate');
    });

    test('and another answer ends the streak, which starts at the bottom if it returns', () => {
      const { state, seeIn, see } = onProbation();
      seeIn(
        { call: callOf('k'), result: { known: true, sameInARow: 1 } as Fingerprint['result'] },
        [OTHER, { keys: ['other'] }],
      );
      expect(state.streaks.map(({ keys }) => keys)).toEqual([['other']]);
      expect(see([FIRM, { count: 6 }]).plan?.rung).toBe('note');
    });

    test('and each time the answer is the same again, the claim holds for twice as long', () => {
      const made = session({ can: withoutStop });
      made.seeIn(announced);
      made.seeIn(announced);
      made.goForward();
      made.propose();
      made.seeIn(announced);
      expect(made.state.streaks[0]!.renewed).toBe(1);
      made.state.streaks[0]!.tried.push({ recovery: 'block-it', rung: 'block', step: 0 });
      expect(rungOf(made.propose('k', { at: 59_999 }))).toBe('block');
      expect(rungOf(made.propose('k', { at: 60_000 }))).toBeUndefined();
    });
  });

  test('is made after a silence, unless the answer can change by itself', () => {
    expect(rungOf(dueSession().propose('k', { gap: 15_000 }))).toBe('block');
    const made = session();
    const open = { ...announced, world: { world: 'open', rule: 'log-file' } as const };
    for (let i = 0; i < 4; i++) made.seeIn(open);
    expect(made.propose('k').plan).toBeNull();
  });

  test('applies to each equal call of a response', () => {
    const { propose } = dueSession();
    expect([propose(), propose()].map(rungOf)).toEqual(['block', 'block']);
  });

  test('is made even if another detector that saw the streak may not refuse', () => {
    const weak = detectorOf('weak', { rungs: { first: 'note', highest: 'hint' } });
    const made = dueSession({ detectors: [FIRM, weak] });
    made.seeIn(announced, weak, FIRM);
    expect(made.propose().plan?.reason).toBe('firm/v');
  });

  test('is not made when its detector is no longer there', () => {
    const { propose } = dueSession({ detectors: [OTHER] });
    expect(propose().plan).toBeNull();
  });

  test('is made for the first streak that is due', () => {
    const { seeIn, propose } = session();
    const early: Sighted = [FIRM, { keys: ['early', 'both'] }];
    const lately: Sighted = [FIRM, { keys: ['lately', 'more'] }];
    seeIn(announced, early);
    seeIn(announced, lately);
    seeIn(announced, lately);
    expect(propose('both').plan).toBeNull();
    expect(propose('lately').plan).toMatchObject({ rung: 'block', streak: 's3' });
  });

  test('gives the recovery the call, what was tried and what is known', () => {
    const given: Situation[] = [];
    const plan = (situation: Situation) => {
      given.push(situation);
      return { refuse: true };
    };
    const recoveries = RUNGS.map((rung) => recoveryOf(rung, rung === 'block' ? { plan } : {}));
    const { propose } = dueSession({ recoveries, attended: false, learned: { 'a/b/c': 0.5 } });
    expect(propose().plan?.action).toEqual({ refuse: true });
    expect(given[0]).toMatchObject({
      signal: { detector: 'firm', rung: 'hint', step: 2, text: 'firm saw it 3 times' },
      moves: ['do something else'],
      tried: [
        { recovery: 'note-it', rung: 'note', step: 0 },
        { recovery: 'hint-it', rung: 'hint', step: 1 },
      ],
      attended: false,
      learned: { 'a/b/c': 0.5 },
      proposed: { key: 'k', label: 'the call' },
    });
    expect(given[0]!.tried).toHaveLength(2);
  });
});

test("the recovery of a streak's first plan gets a signal on the lowest rung, and no proposed call", () => {
  const given: Situation[] = [];
  const plan = (situation: Situation) => {
    given.push(situation);
    return {};
  };
  const seen = session({ recoveries: [recoveryOf('note', { plan })] }).see();
  expect(given).toMatchObject([
    { signal: { rung: 'note' }, tried: [], proposed: null, attended: true },
  ]);
  expect(seen.plan).not.toHaveProperty('action');
  expect(seen.plan).not.toHaveProperty('target');
});

describe('where the host cannot stop, a streak with no rung left', () => {
  const announced = { announced: true };
  type Made = ReturnType<typeof session>;

  /** Note, hint, refusal, question: nothing is left. */
  function exhausted(setup: Setup = {}): Made {
    const made = session({ can: withoutStop, ...setup });
    made.seeIn(announced);
    made.seeIn(announced);
    made.propose();
    // The blocked call is a step without signals.
    made.seeNothing();
    made.seeIn(announced);
    return made;
  }

  test('is refused each time, at no cost', () => {
    const { state, propose } = exhausted();
    const before = structuredClone(state.streaks[0]!);
    expect(times(3, () => propose().plan).map((plan) => [plan?.rung, plan?.budgetLeft])).toEqual(
      times(3, () => ['block', 4]),
    );
    expect(state.streaks[0]).toMatchObject({
      rung: before.rung,
      tried: before.tried,
      refused: 3,
      equal: { count: 1 },
    });
  });

  const free: [string, (made: Made) => unknown, Partial<Fingerprint>][] = [
    ['anything went forward', (made) => made.goForward(), {}],
    ['a person spoke', (made) => userSpoke(made.state), {}],
    [
      'another call is proposed',
      () => {},
      { call: { key: 'other', label: '' } as Fingerprint['call'] },
    ],
  ];
  test.each(free)('is not refused when %s', (_, before, seen) => {
    const made = exhausted();
    before(made);
    expect(made.propose('k', seen).plan).toBeNull();
  });

  test('is not refused when it never was', () => {
    const { state, propose } = exhausted();
    state.streaks[0]!.tried = state.streaks[0]!.tried.filter(({ rung }) => rung !== 'block');
    expect(propose().plan).toBeNull();
  });

  test('is refused even if other things were tried after the refusal', () => {
    const { state, propose } = exhausted();
    expect(state.streaks[0]!.tried.map(({ rung }) => rung)).toEqual([
      'note',
      'hint',
      'block',
      'escalate',
    ]);
    expect(rungOf(propose())).toBe('block');
  });

  test('runs after 2, 4, 8 refusals if the guard sees only some of the calls', () => {
    const made = exhausted({ partial: true });
    const refused = times(17, () => {
      const rung = rungOf(made.propose());
      if (rung === undefined) made.seeIn(announced);
      else made.seeNothing();
      return rung === 'block' ? 'x' : '-';
    });
    expect(refused.join('')).toBe('xx-xxxx-xxxxxxxx-');
  });

  test('is refused until the third occurrence, which runs and is stopped, if the host can stop', () => {
    const made = exhausted({ can: CAN });
    const next = (): Rung | undefined => {
      const { plan } = made.propose();
      if (!plan) return rungOf(made.seeIn(announced));
      made.seeNothing();
      return plan.rung;
    };
    expect(times(3, next)).toEqual(['block', 'block', 'stop']);
  });

  test.each(['escalate', 'stop'] as const)(
    'is not refused while another rung is still to come, up to %s',
    (cap) => {
      const made = session({ can: withoutStop });
      made.seeIn(announced, [FIRM, { cap }]);
      made.seeIn(announced, [FIRM, { cap }]);
      expect(rungOf(made.propose())).toBe('block');
      made.seeNothing();
      expect(made.propose().plan).toBeNull();
    },
  );

  test.each([
    ['is not refused when its evidence now ends at a hint', 'hint', undefined],
    ['is refused when its evidence now ends at a refusal', 'block', 'block'],
  ] as [string, Rung, Rung | undefined][])('%s', (_, cap, expected) => {
    const { seeIn, propose } = exhausted();
    seeIn(announced, [FIRM, { cap }]);
    expect(rungOf(propose())).toBe(expected);
  });

  test('is not refused if the host can no longer refuse', () => {
    const { state } = exhausted();
    const other = session({ can: ['note', 'hint'] });
    Object.assign(other.state, state);
    expect(other.propose('k', { step: 9 })).toEqual({ signals: [], plan: null, faults: [] });
  });

  test('is refused by the first of its detectors that may', () => {
    const weak = detectorOf('weak', { rungs: { first: 'note', highest: 'hint' } });
    const { seeIn, propose } = exhausted({ detectors: [FIRM, weak] });
    seeIn(announced, weak, FIRM);
    expect(propose().plan?.reason).toBe('firm/v');
  });
});

describe('ranked next actions', () => {
  const candidate: Candidate = {
    name: 'look',
    description: 'Look again',
    reason: 'it may have changed',
    score: 0.5,
    risk: 'read_only',
  };
  const asked: unknown[] = [];
  const rank: Ranker = (trouble) => {
    asked.push(trouble);
    return [candidate];
  };
  const ranking = [recoveryOf('note'), recoveryOf('hint', { ranks: true })];

  test('come only with a recovery that ranks, in its text and in a field', () => {
    const { see } = session({ recoveries: ranking, rank });
    expect(see().plan).not.toHaveProperty('candidates');
    const { plan } = see();
    expect(plan?.candidates).toEqual([candidate]);
    expect(plan?.toModel).toBe('hint: firm saw it 3 times Look again; it may have changed');
  });

  test.each([
    [FIRM, false],
    [detectorOf('net', { yields: true }), true],
  ])(
    'are ranked for what repeats; for a safety net, any call may be the cause',
    (detector, anyCall) => {
      asked.length = 0;
      const { see } = session({ recoveries: ranking, rank });
      see([detector, { keys: ['k', 'l'] }]);
      see([detector, { keys: ['k', 'l'] }]);
      expect(asked).toEqual([{ keys: ['k', 'l'], anyCall }]);
    },
  );

  test('are omitted if there are none', () => {
    for (const setup of [{ recoveries: ranking }, { recoveries: ranking, rank: () => [] }]) {
      const { see } = session(setup);
      see();
      const { plan } = see();
      expect(plan?.rung).toBe('hint');
      expect(plan).not.toHaveProperty('candidates');
    }
  });
});
