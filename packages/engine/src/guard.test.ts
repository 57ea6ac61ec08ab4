import { describe, expect, test } from 'vitest';
import { type Detector, defineDetector } from './detectors/detector.ts';
import { UnrutError } from './errors.ts';
import { type AgentEvent, RUNGS } from './event.ts';
import type { Fingerprint } from './fingerprint/fingerprint.ts';
import { createGuard, type Guard, type GuardOptions, type Verdict } from './guard.ts';
import { option } from './option.ts';
import type { Preset } from './presets.ts';
import { defineRecovery, type Situation } from './recoveries/recovery.ts';
import type { Evidence } from './signal.ts';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** A call that finishes; the tool says what the toy detectors make of it. */
const done = (tool: string, i: number, more: object = {}): AgentEvent =>
  ({
    type: 'call-finished',
    session: 'main',
    at: i * 5000,
    call: { id: `c${i}`, tool, args: { number: i } },
    result: `Answer number ${i}.`,
    ...more,
  }) as AgentEvent;

const evidenceOf = (seen: Fingerprint, changes: Partial<Evidence>): Evidence => ({
  variant: 'v',
  count: 3,
  since: seen.step,
  keys: ['k'],
  strength: 1,
  equal: true,
  facts: {},
  ...changes,
});

/**
 * A detector that speaks whenever a condition is true of its count of the events that it was shown.
 */
const toy = (
  name: string,
  speaks: (seen: Fingerprint, count: number) => boolean,
  changes: Partial<Detector> = {},
): Detector => ({
  ...defineDetector({
    name,
    status: 'stable',
    watches: ['call-finished'],
    rungs: { first: 'note', highest: 'stop' },
    options: {},
    start: (): { count: number } => ({ count: 0 }),
    step: (state, seen) =>
      speaks(seen, ++state.count) ? evidenceOf(seen, { keys: [name], count: state.count }) : null,
    explain: ({ count }) => `${name} ${count}`,
    moves: ['do something else'],
  }),
  ...changes,
});
const recoveries = RUNGS.map((rung) =>
  defineRecovery({
    name: `${rung}-it`,
    rung,
    answers: ['*'],
    needs: [],
    safety: 'advisory',
    options: {},
    ...(rung === 'hint' ? { ranks: true } : {}),
    plan: () => ({}),
    toModel: ({ signal }) => signal.text,
    toHuman: ({ signal }) => signal.text,
  }),
);
const presetOf = (...detectors: Detector[]): Preset => ({
  name: 'toys',
  detectors,
  recoveries,
  skip: [],
  shadow: false,
});

/** Who speaks at each event. */
const heard = (guard: Guard, events: AgentEvent[]): string[] =>
  events.map((event) =>
    guard
      .observe(event)
      .signals.map(({ detector }) => detector)
      .join(' and '),
  );

const always = toy('always', () => true);
const third = toy('third', (_, count) => count === 3);

describe('a net under the other detectors', () => {
  const firm = toy('firm', (seen) => seen.call?.tool === 'loops');
  const net = toy('net', () => true, { yields: true });
  const listen = (tools: string[], detectors = [firm, net]): string[] =>
    heard(
      createGuard({ preset: presetOf(...detectors) }),
      tools.map((tool, i) =>
        tool === 'user' ? { type: 'user-spoke', session: 'main', at: i * 5000 } : done(tool, i),
      ),
    );

  test.each([
    ['speaks where nobody else has spoken', ['other', 'other'], ['net', 'net']],
    ['is silent beside another', ['loops'], ['firm']],
    [
      'is silent for three steps after another, and no longer',
      ['loops', 'a', 'b', 'c', 'd'],
      ['firm', '', '', '', 'net'],
    ],
    [
      'counts the steps from the last time that another spoke',
      ['loops', 'a', 'loops', 'b', 'c', 'd', 'e'],
      ['firm', '', 'firm', '', '', '', 'net'],
    ],
    ['is no reason for silence itself', ['a', 'b', 'loops', 'c'], ['net', 'net', 'firm', '']],
    ['speaks again at once after the user spoke', ['loops', 'user', 'a'], ['firm', '', 'net']],
  ])('%s', (_, tools, expected) => {
    expect(listen(tools)).toEqual(expected);
  });

  test('does not depend on the order of the detectors', () => {
    expect(listen(['loops', 'a', 'b', 'c', 'd'], [net, firm])).toEqual(['firm', '', '', '', 'net']);
  });

  test('speaks even if another net speaks', () => {
    expect(listen(['a'], [net, toy('second', () => true, { yields: true })])).toEqual([
      'net and second',
    ]);
  });

  test('stays silent after a restart', () => {
    let guard = createGuard({ preset: presetOf(firm, net) });
    const spoken = ['loops', 'a', 'b', 'c', 'd'].map((tool, i) => {
      const [who] = heard(guard, [done(tool, i)]);
      guard = createGuard({ preset: presetOf(firm, net), from: guard.snapshot() });
      return who;
    });
    expect(spoken).toEqual(['firm', '', '', '', 'net']);
  });
});

describe('a nested run', () => {
  const quiet = toy('always', (seen) => seen.call?.tool === 'loops');
  const guardOf = (): Guard => createGuard({ preset: presetOf(quiet) });
  const nested = (i: number, more: object = { agent: 'helper' }): AgentEvent =>
    done('loops', i, more);
  const counts = (verdict: Verdict): [number, string | undefined][] =>
    verdict.signals.map(({ count, agent }) => [count, agent]);

  test('tells its parent the last four signals at the parent’s next event, once', () => {
    const guard = guardOf();
    for (let i = 1; i <= 5; i++) expect(counts(guard.observe(nested(i)))).toEqual([[i, undefined]]);
    expect(counts(guard.observe(done('other', 6)))).toEqual(
      [2, 3, 4, 5].map((count) => [count, 'helper']),
    );
    expect(guard.observe(done('other', 7)).signals).toEqual([]);
  });

  test('tells four signals when there are four', () => {
    const guard = guardOf();
    for (let i = 1; i <= 4; i++) guard.observe(nested(i));
    expect(guard.observe(done('other', 6)).signals).toHaveLength(4);
  });

  test('comes after the note for the parent itself', () => {
    const guard = guardOf();
    guard.observe(nested(1));
    expect(counts(guard.observe(done('loops', 2)))).toEqual([
      [1, undefined],
      [1, 'helper'],
    ]);
  });

  test('has a count of its own, separate from its parent and other nested runs', () => {
    const guard = guardOf();
    const agents = ['a', 'b', 'a', undefined].map(
      (agent, i) => counts(guard.observe(nested(i, { agent })))[0]![0],
    );
    expect(agents).toEqual([1, 1, 2, 1]);
  });

  const kinships: [string, object, string | undefined][] = [
    [
      'of another session tells the parent that it names',
      { session: 'child', parent: 'main' },
      'child',
    ],
    [
      'with a name in another session tells the parent that it names',
      { session: 'child', parent: 'main', agent: 'helper' },
      'helper',
    ],
    ['of the session tells the session', { agent: 'helper', parent: 'main' }, 'helper'],
    ['of another session without a parent tells nobody', { session: 'child' }, undefined],
    [
      'with a name in another session tells only that session',
      { session: 'child', agent: 'helper' },
      undefined,
    ],
  ];
  test.each(kinships)('%s', (_, more, agent) => {
    const guard = guardOf();
    guard.observe(nested(1, more));
    expect(counts(guard.observe(done('other', 2)))).toEqual(
      agent === undefined ? [] : [[1, agent]],
    );
  });

  test('that is its own parent is the session itself', () => {
    const guard = guardOf();
    expect(guard.observe(nested(1, { parent: 'main' })).signals).toHaveLength(1);
    expect(guard.observe(done('other', 2)).signals).toEqual([]);
  });

  test('without signals leaves nothing behind, not even a parent', () => {
    const guard = guardOf();
    guard.observe(done('other', 1, { session: 'child', parent: 'main' }));
    expect(guard.knows('main')).toBe(false);
  });

  test('is reported also after a restart of the parent', () => {
    const guard = guardOf();
    guard.observe(nested(1));
    const resumed = createGuard({ preset: presetOf(quiet), from: guard.snapshot() });
    expect(counts(resumed.observe(done('other', 2)))).toEqual([[1, 'helper']]);
  });
});

describe('an event that comes again', () => {
  const withId = (id: string, i: number, more: object = {}): AgentEvent =>
    done('other', i, { id, ...more });

  test.each([
    [63, true],
    [64, false],
  ])('after %d others is known: %s', (others, isKnown) => {
    const guard = createGuard({ preset: presetOf(always) });
    guard.observe(withId('again', 0));
    for (let i = 1; i <= others; i++) guard.observe(withId(`e${i}`, i));
    expect(guard.observe(withId('again', 200)).seen === null).toBe(isKnown);
  });

  test('is not looked at, and is no step', () => {
    const guard = createGuard({ preset: presetOf(always) });
    const [first, second, next] = ['a', 'a', 'b'].map((id, i) => guard.observe(withId(id, i)));
    expect([first!.signals.length, second!.signals.length, next!.signals.length]).toEqual([
      1, 0, 1,
    ]);
    expect([first!.step, second!.step, next!.step]).toEqual([0, 1, 1]);
    expect(second).toMatchObject({ seen: null, plan: null, outcomes: [], faults: [] });
  });

  test.each([
    ['is of another type', { type: 'call-proposed' }],
    ['is of another session', { session: 'other' }],
    ['is of another agent', { agent: 'helper' }],
    ['has another id', { id: 'b' }],
    ['has no id', { id: undefined }],
  ])('is another event when it %s', (_, more) => {
    const guard = createGuard({ preset: presetOf(always) });
    guard.observe(withId('a', 0));
    expect(guard.observe(withId('a', 0, more)).seen).not.toBeNull();
  });
});

describe('the detectors begin again', () => {
  const spoken = (between: AgentEvent): string[] =>
    heard(createGuard({ preset: presetOf(third) }), [
      done('a', 0),
      done('b', 1),
      between,
      done('c', 3),
      done('d', 4),
      done('e', 5),
    ]);

  test('when a person speaks', () => {
    expect(spoken({ type: 'user-spoke', session: 'main', at: 10_000 })).toEqual([
      '',
      '',
      '',
      '',
      '',
      'third',
    ]);
  });

  test('when a person refuses a call, which is the first step of the new count', () => {
    expect(spoken(done('x', 2, { refusedBy: 'user', result: undefined }))).toEqual([
      '',
      '',
      '',
      '',
      'third',
      '',
    ]);
  });

  test('not when the host refuses one', () => {
    expect(spoken(done('x', 2, { refusedBy: 'host', result: undefined }))[2]).toBe('third');
  });

  test.each([
    ['the context is compacted', { type: 'context-compacted', session: 'main', at: 10_000 }],
    [
      'a call is announced, whatever else is said of it',
      done('x', 2, { type: 'call-proposed', refusedBy: 'user' }),
    ],
  ] as [string, AgentEvent][])('not when %s', (_, event) => {
    expect(spoken(event)).toEqual(['', '', '', 'third', '', '']);
  });

  test('and streaks are over: a refusal that was due is not made', () => {
    const proposed = (i: number): AgentEvent =>
      done('a', i, { type: 'call-proposed', result: undefined });
    const keyed = toy('keyed', () => false);
    keyed.step = (_, seen) => evidenceOf(seen, { keys: [seen.call!.key] });
    const RESULT = { result: 'The same answer.' };
    const same = (event: AgentEvent): AgentEvent =>
      ({ ...event, call: { id: 'c', tool: 'a', args: {} } }) as AgentEvent;
    const rungs = (...between: AgentEvent[]): (string | undefined)[] => {
      const guard = createGuard({ preset: presetOf(keyed) });
      const events = [
        proposed(0),
        done('a', 0, RESULT),
        proposed(1),
        done('a', 1, RESULT),
        ...between,
        proposed(3),
      ];
      return events.map((event) => guard.observe('call' in event ? same(event) : event).plan?.rung);
    };
    expect(rungs().at(-1)).toBe('block');
    expect(rungs({ type: 'user-spoke', session: 'main', at: 10_000 }).at(-1)).toBeUndefined();
  });
});

describe('a detector', () => {
  test('is shown only the types of event that it watches', () => {
    const texts = toy('texts', () => true, { watches: ['text-added'] });
    const both = toy('both', () => true, { watches: ['text-added', 'call-finished'] });
    const said: AgentEvent = {
      type: 'text-added',
      session: 'main',
      at: 1,
      channel: 'answer',
      text: 'I wait.',
      done: true,
    };
    expect(
      heard(createGuard({ preset: presetOf(always, texts, both) }), [done('a', 0), said]),
    ).toEqual(['always and both', 'texts and both']);
  });

  test('is shown no neutral step, unless it asks for that kind', () => {
    const waiting = toy('waiting', () => true, { alsoNeutral: ['wait'] });
    const polling = toy('polling', () => true, { alsoNeutral: ['poll'] });
    const sleep = done('sleep', 1, {
      call: { id: 'c', tool: 'sleep', args: { seconds: 60 } },
      result: 'Slept for 60 seconds.',
    });
    expect(heard(createGuard({ preset: presetOf(always, waiting, polling) }), [sleep])).toEqual([
      'waiting',
    ]);
  });

  test('that throws is a fault, begins again, and does not silence the others', () => {
    const broken = toy('broken', (_, count) => {
      if (count === 2) throw new Error('no');
      return count > 2;
    });
    const guard = createGuard({ preset: presetOf(broken, always) });
    const verdicts = times(4, (i) => guard.observe(done('a', i)));
    expect(verdicts.map(({ faults }) => faults)).toEqual([
      [],
      [{ where: 'broken', message: 'no' }],
      [],
      [{ where: 'broken', message: 'no' }],
    ]);
    expect(verdicts.map(({ signals }) => signals.map(({ detector }) => detector))).toEqual(
      times(4, () => ['always']),
    );
  });

  test('without words is a fault in addition to those of the others', () => {
    const mute = toy('mute', () => true, {
      explain: () => {
        throw new Error('no words');
      },
    });
    expect(createGuard({ preset: presetOf(mute, always) }).observe(done('a', 0))).toMatchObject({
      faults: [{ where: 'mute', message: 'no words' }],
      signals: [{ detector: 'always' }],
    });
  });

  const mistakes: [string, object, string[]][] = [
    ['a detector that is not there', { wordless: {} }, ['wordless', 'always, wordy']],
    [
      'an option that the detector does not have',
      { wordy: { a: 3, unheard: 4 } },
      ['wordy', 'unheard', 'a, b'],
    ],
    ['an option of a detector that has none', { always: { c: 4 } }, ['always', 'c', 'none']],
  ];
  test.each(mistakes)(
    'cannot be given options for %s, and the error says what there is',
    (_, options, words) => {
      const wordy = toy('wordy', () => true, {
        options: { a: 1, b: 2 },
        declared: { a: option.integer(1, {}, 'An a.'), b: option.integer(2, {}, 'A b.') },
      });
      const create = () =>
        createGuard({ preset: presetOf(always, wordy), options: options as never });
      expect(create).toThrow(UnrutError);
      for (const word of words) expect(create).toThrow(word);
    },
  );

  test('keeps its own options where none are given, and takes those that are', () => {
    const wordy = toy('wordy', () => true, {
      options: { a: 1, b: 2 },
      declared: { a: option.integer(1, {}, 'An a.'), b: option.integer(2, {}, 'A b.') },
    });
    const given: object[] = [];
    wordy.step = (_, __, options) => {
      given.push(options);
      return null;
    };
    createGuard({ preset: presetOf(wordy) }).observe(done('a', 0));
    createGuard({ preset: presetOf(always, wordy), options: { wordy: { b: 3 } } as never }).observe(
      done('a', 0),
    );
    expect(given).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ]);
  });
});

describe('what is no event', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'call-finished'],
    ['an unknown type', { type: 'no-such', session: 's', at: 1 }],
    ['a session that is missing', { ...done('a', 0), session: null }],
  ])('is a fault and changes nothing: %s', (_, event) => {
    const guard = createGuard();
    const verdict = guard.observe(event as never);
    expect(verdict).toEqual({
      signals: [],
      witnesses: [],
      plan: null,
      shadow: null,
      outcomes: [],
      faults: [{ where: 'event', message: expect.any(String) }],
      step: 0,
      seen: null,
    });
    expect(guard.snapshot()).toEqual({ version: 1, sessions: {} });
  });

  test('is never an exception, whatever it does when it is read', () => {
    const event = Object.defineProperty({ ...done('a', 0) }, 'call', {
      enumerable: true,
      get: () => {
        throw new Error('do not touch');
      },
    });
    expect(createGuard().observe(event).faults).toEqual([
      { where: 'guard', message: 'do not touch' },
    ]);
  });
});

describe('a field that is null', () => {
  test('is a field that is missing', () => {
    const guard = createGuard({ preset: presetOf(always) });
    const event = done('a', 0, {
      agent: null,
      parent: null,
      id: null,
      error: null,
      exitCode: null,
    });
    expect(guard.observe(event)).toEqual(
      createGuard({ preset: presetOf(always) }).observe(done('a', 0)),
    );
  });

  test('is known when it is the result', () => {
    const known = (more: object): boolean | undefined =>
      createGuard().observe(done('a', 0, more)).seen?.result?.known;
    expect(known({ result: null })).toBe(true);
    expect(known({ result: null, agent: null })).toBe(true);
    expect(known({ result: undefined })).toBe(false);
  });
});

describe('the options', () => {
  const given: Situation[] = [];
  const asks = defineRecovery({
    name: 'asks',
    rung: 'note',
    answers: ['*'],
    needs: [],
    safety: 'irreversible',
    options: {},
    plan: (situation) => {
      given.push(situation);
      return {};
    },
    toModel: () => 'to the model',
    toHuman: () => 'to a person',
  });
  const asked = (options: GuardOptions): Situation | undefined => {
    given.length = 0;
    createGuard({ preset: { ...presetOf(always), recoveries: [asks] }, ...options }).observe(
      done('a', 0),
    );
    return given[0];
  };

  test('allow an irreversible recovery by name, and no other', () => {
    expect(asked({})).toBeUndefined();
    expect(() => asked({ allow: ['other'] })).toThrow(UnrutError);
    expect(asked({ allow: ['asks'] })).toBeDefined();
  });

  test('say whether somebody can be asked, and what is known: by default yes, and nothing', () => {
    const allow = ['asks'];
    expect(asked({ allow })).toMatchObject({ attended: true, learned: {} });
    expect(asked({ allow, attended: false, learned: { 'a/b/c': 0.5 } })).toMatchObject({
      attended: false,
      learned: { 'a/b/c': 0.5 },
    });
    expect(asked({ allow })!.learned).toEqual({});
  });

  const rungs = (
    options: GuardOptions,
    preset: Preset = presetOf(always),
  ): (string | undefined)[] => {
    const guard = createGuard({ preset, ...options });
    const same = (i: number): object => ({
      call: { id: `c${i}`, tool: 'a', args: {} },
      result: 'The same answer.',
    });
    return times(6, (i) => guard.observe(done('a', i, same(i))).plan?.rung);
  };
  test('say what the host can do: by default note, hint, block, escalate and stop', () => {
    expect(rungs({})).toEqual(['note', 'hint', 'escalate', undefined, undefined, 'stop']);
    expect(rungs({ can: ['note', 'stop'] })).toEqual([
      'note',
      undefined,
      undefined,
      undefined,
      'note',
      'stop',
    ]);
    expect(rungs({ can: [] })).toEqual(times(6, () => undefined));
  });

  test('leave out the rungs that the preset leaves out', () => {
    expect(rungs({}, { ...presetOf(always), skip: ['hint'] })).toEqual([
      'note',
      'escalate',
      undefined,
      undefined,
      undefined,
      'stop',
    ]);
  });

  test.each([
    [undefined, false, 'plan'],
    [undefined, true, 'shadow'],
    [true, false, 'shadow'],
    [false, true, 'plan'],
  ])('with shadow %s, and a preset whose shadow is %s, give a %s', (shadow, ofPreset, expected) => {
    const verdict = createGuard({
      preset: { ...presetOf(always), shadow: ofPreset },
      shadow,
    }).observe(done('a', 0));
    const other = expected === 'plan' ? 'shadow' : 'plan';
    expect(verdict).toMatchObject({ [expected]: { rung: 'note' }, [other]: null });
  });

  test('with a key make the fingerprints incomparable', () => {
    const keyOf = (key?: string) => createGuard({ key }).observe(done('a', 0)).seen!.call!.key;
    expect(keyOf('mine')).toBe(keyOf('mine'));
    expect(new Set([keyOf('mine'), keyOf('yours'), keyOf()]).size).toBe(3);
    expect(keyOf()).toBe(keyOf(''));
  });

  test('say what a tool is', () => {
    const verbOf = (options: GuardOptions) =>
      createGuard(options).observe(done('frobnicate', 0)).seen!.call!.poll;
    expect(verbOf({})).toBe(false);
    expect(verbOf({ tools: { frobnicate: { poll: true } } })).toBe(true);
  });
});

describe('sessions', () => {
  const one = (session: string, i = 0): AgentEvent => done('a', i, { session });

  test('beyond the limit are forgotten, the least recently used first', () => {
    const guard = createGuard({ preset: presetOf(always), sessions: 2 });
    for (const session of ['a', 'b', 'a', 'a', 'c']) guard.observe(one(session));
    expect(['a', 'b', 'c'].map((session) => guard.knows(session))).toEqual([true, false, true]);
  });

  test('are a thousand by default', () => {
    const guard = createGuard({ preset: presetOf(always) });
    times(1000, (i) => guard.observe(one(`s${i}`)));
    expect(guard.knows('s0')).toBe(true);
    guard.observe(one('s1000'));
    expect([guard.knows('s0'), guard.knows('s1')]).toEqual([false, true]);
  });

  test('that come back beyond the limit are forgotten, the first first', () => {
    const guard = createGuard({ preset: presetOf(always) });
    for (const session of ['a', 'b', 'c']) guard.observe(one(session));
    const resumed = createGuard({ preset: presetOf(always), sessions: 2, from: guard.snapshot() });
    expect(['a', 'b', 'c'].map((session) => resumed.knows(session))).toEqual([false, true, true]);
  });

  test('that come back are the most recently used', () => {
    const source = createGuard({ preset: presetOf(always) });
    source.observe(one('a'));
    const guard = createGuard({ preset: presetOf(always), sessions: 2 });
    for (const session of ['a', 'b']) guard.observe(one(session));
    guard.restore(source.snapshot());
    guard.observe(one('c'));
    expect(['a', 'b', 'c'].map((session) => guard.knows(session))).toEqual([true, false, true]);
  });

  test('that come back take the place of what is known, and continue as they were', () => {
    const source = createGuard({ preset: presetOf(third) });
    const saved = source.snapshot();
    for (const i of [0, 1]) source.observe(one('main', i));
    const guard = createGuard({ preset: presetOf(third) });
    guard.observe(one('main'));
    guard.restore(source.snapshot());
    source.observe(one('main', 2));
    expect(saved).toEqual({ version: 1, sessions: {} });
    expect(heard(guard, [one('main', 2), one('main', 3)])).toEqual(['third', '']);
  });

  test('are distinguished in a snapshot: one has its nested agents, and nobody else', () => {
    const guard = createGuard({ preset: presetOf(always) });
    const events = [one('a'), done('a', 1, { session: 'a', agent: 'helper' }), one('ab'), one('b')];
    for (const event of events) guard.observe(event);
    expect(Object.keys(guard.snapshot().sessions)).toHaveLength(4);
    expect(Object.keys(guard.snapshot('a').sessions).sort()).toEqual(['a', 'a\u0000helper']);
    expect(guard.snapshot('none')).toEqual({ version: 1, sessions: {} });
  });

  test('in a snapshot do not change when the guard continues', () => {
    const guard = createGuard({ preset: presetOf(third) });
    guard.observe(one('main', 0));
    const saved = guard.snapshot();
    const text = JSON.stringify(saved);
    guard.observe(one('main', 1));
    expect(JSON.stringify(saved)).toBe(text);
  });

  test('are forgotten with their nested agents, and others stay', () => {
    const guard = createGuard({ preset: presetOf(third) });
    const nested = (i: number): AgentEvent => done('a', i, { session: 'a', agent: 'helper' });
    const events = [one('a', 0), one('a', 1), nested(0), nested(1), one('ab', 0), one('ab', 1)];
    expect(heard(guard, events)).toEqual(times(6, () => ''));
    guard.forget('a');
    expect([guard.knows('a'), guard.knows('ab')]).toEqual([false, true]);
    expect(heard(guard, [one('a', 2), nested(2), one('ab', 2)])).toEqual(['', '', 'third']);
  });

  test.each([
    [null],
    [7],
    ['text'],
    [{}],
    [{ policy: {} }],
    [{ outcomes: null, reader: null, candidates: null }],
  ])('that come back damaged begin again: %j', (state) => {
    const restored = (sessions: object) =>
      createGuard({ preset: presetOf(third), from: { version: 1, sessions } as never });
    expect(restored({ main: state }).snapshot()).toEqual(restored({ main: {} }).snapshot());
    expect(
      heard(restored({ main: state }), [one('main', 0), one('main', 1), one('main', 2)]),
    ).toEqual(['', '', 'third']);
  });

  test.each([
    ['of another version', { version: 2, sessions: {} }],
    ['without sessions', { version: 1 }],
    ['with null for sessions', { version: 1, sessions: null }],
    ['with a text for sessions', { version: 1, sessions: 'main' }],
    ['that is null', null],
  ])('in a snapshot %s are refused', (_, snapshot) => {
    expect(() => createGuard().restore(snapshot as never)).toThrow(
      /expected a snapshot of version 1/,
    );
  });
});

describe('what becomes of a plan', () => {
  const once = toy('once', (_, count) => count === 1);
  const outcomesOf = (events: AgentEvent[]): string[] => {
    const guard = createGuard({ preset: presetOf(once) });
    return events
      .flatMap((event) => guard.observe(event).outcomes)
      .map(({ rung, outcome }) => `${rung} ${outcome}`);
  };
  const end: AgentEvent = { type: 'session-ended', session: 'main', at: 90_000 };
  const write = (i: number): AgentEvent =>
    done('Write', i, {
      call: {
        id: `c${i}`,
        tool: 'Write',
        args: { file_path: `/repo/${i}.md`, content: `Lamp ${i}` },
      },
      result: `The file /repo/${i}.md has been created.`,
    });

  test('is known when the session ends', () => {
    expect(outcomesOf([done('a', 0), end])).toEqual(['note unknown']);
    expect(outcomesOf([done('a', 0), write(1), end])).toEqual(['note recovered']);
  });

  test('is open while the session continues', () => {
    expect(outcomesOf([done('a', 0), write(1)])).toEqual([]);
  });

  test('has the rung that was really performed', () => {
    const performed: AgentEvent = {
      type: 'plan-performed',
      session: 'main',
      at: 1,
      plan: 'p2',
      rung: 'hint',
    };
    expect(outcomesOf([done('a', 0), performed, end])).toEqual(['hint unknown']);
  });

  test('is not judged by an event that is no step', () => {
    const proposed: AgentEvent = { ...write(1), type: 'call-proposed' } as never;
    expect(outcomesOf([done('a', 0), proposed, end])).toEqual(['note unknown']);
  });

  test('is recovered when the call that repeated works', () => {
    const keyed = toy('keyed', () => false);
    keyed.step = (_, seen) =>
      seen.result?.error ? evidenceOf(seen, { keys: [seen.call!.key] }) : null;
    const guard = createGuard({ preset: presetOf(keyed) });
    const call = { id: 'c', tool: 'deploy', args: { stage: 'live' } };
    const fails = guard.observe(
      done('deploy', 0, { call, result: undefined, error: 'Error: no certificate' }),
    );
    expect(fails.plan?.rung).toBe('note');
    expect(guard.observe(done('deploy', 1, { call })).outcomes).toMatchObject([
      { outcome: 'recovered', after: 1 },
    ]);
  });
});

describe('a plan is about', () => {
  const fails = { result: undefined, error: 'Error: no certificate' };
  const call = { id: 'c', tool: 'deploy', args: { stage: 'live' } };
  const sees = (
    name: string,
    keysOf: (seen: Fingerprint) => string[],
    changes: Partial<Detector> = {},
  ): Detector => ({
    ...toy(name, () => true, changes),
    step: (_, seen) => (seen.result?.error ? evidenceOf(seen, { keys: keysOf(seen) }) : null),
  });

  test('what its own streak repeats, not what another does', () => {
    const other = sees('other', () => ['elsewhere']);
    const farther = sees('farther', (seen) => [seen.call!.key], {
      rungs: { first: 'hint', highest: 'stop' },
    });
    const guard = createGuard({ preset: presetOf(other, farther) });
    expect(guard.observe(done('deploy', 0, { call, ...fails })).plan?.reason).toBe('farther/v');
    expect(guard.observe(done('deploy', 1, { call })).outcomes).toMatchObject([
      { outcome: 'recovered', reason: 'farther/v' },
    ]);
  });

  test('the call that failed, when it is a hint for a first failure', () => {
    const read = { id: 'c', tool: 'Read', args: { file_path: '/repo/a.ts' } };
    const outcomes = (second: object) => {
      const guard = createGuard({ preset: presetOf(), hintFailures: true });
      guard.observe(
        done('Read', 0, { call: read, result: undefined, error: 'File does not exist.' }),
      );
      return guard.observe(done('Read', 1, second)).outcomes.map(({ outcome }) => outcome);
    };
    expect(outcomes({ call: read })).toEqual(['recovered']);
    expect(outcomes({ call: { ...read, args: { file_path: '/repo/b.ts' } } })).toEqual([]);
  });

  test.each([
    ['the failure of what repeats', false, 'missing-file'],
    ['the latest failure of all, under a net', true, 'permission-denied'],
  ])('%s', (_, yields, failure) => {
    const file = (name: string) => ({
      id: name,
      tool: 'Read',
      args: { file_path: `/repo/${name}.ts` },
    });
    const keys: string[] = [];
    const detector: Detector = {
      ...toy('late', () => true, { yields, rungs: { first: 'hint', highest: 'stop' } }),
      step: (_state, seen) => {
        keys.push(seen.call!.key);
        return keys.length === 3 ? evidenceOf(seen, { keys: [keys[0]!] }) : null;
      },
    };
    const guard = createGuard({ preset: presetOf(detector) });
    guard.observe(
      done('Read', 0, { call: file('a'), result: undefined, error: 'File does not exist.' }),
    );
    guard.observe(
      done('Read', 1, { call: file('b'), result: undefined, error: 'EACCES: permission denied' }),
    );
    expect(guard.observe(done('Read', 2, { call: file('c') })).plan?.rung).toBe('hint');
    const { outcomes } = guard.observe({ type: 'session-ended', session: 'main', at: 90_000 });
    expect(outcomes).toMatchObject([{ offer: { failure } }]);
  });
});

describe('ranked next actions', () => {
  const missing = (i: number): AgentEvent =>
    done('Read', i, {
      call: { id: `c${i}`, tool: 'Read', args: { file_path: `/repo/src/${i}.ts` } },
      result: undefined,
      error: 'File does not exist.',
    });
  const listed: AgentEvent = {
    type: 'tools-listed',
    session: 'main',
    at: 0,
    tools: [{ name: 'list_directory' }],
  };
  const hintsOf = (options: GuardOptions, ...events: AgentEvent[]) => {
    const guard = createGuard(options);
    return events.flatMap((event) => guard.observe(event).plan ?? []);
  };
  const hintFailures = true;

  test('come with the first failure only when that is asked for', () => {
    const preset = presetOf(third);
    expect(hintsOf({ preset }, missing(1))).toEqual([]);
    expect(hintsOf({ preset, hintFailures }, missing(1))).toMatchObject([
      { rung: 'hint', streak: '', reason: 'failure/missing-file' },
    ]);
  });

  test('name a tool that the host has listed, or that was used', () => {
    const toolOf = (...events: AgentEvent[]) =>
      hintsOf({ preset: presetOf(third), hintFailures }, ...events)[0]!.candidates![0]!.tool;
    expect(toolOf(missing(1))).toBeUndefined();
    expect(toolOf(listed, missing(1))).toBe('list_directory');
    expect(
      toolOf(
        done('list_directory', 0, {
          call: { id: 'c', tool: 'list_directory', args: { path: '/repo' } },
        }),
        missing(1),
      ),
    ).toBe('list_directory');
  });

  test('give way to a plan about what repeats', () => {
    expect(
      hintsOf({ preset: presetOf(always), hintFailures }, missing(1)).map(({ reason }) => reason),
    ).toEqual(['always/v']);
  });

  test('come with the hint about what repeats, for the call that failed', () => {
    const [note, hint] = hintsOf({ preset: presetOf(always) }, listed, missing(1), missing(2));
    expect(note).not.toHaveProperty('candidates');
    expect(hint!.candidates![0]).toMatchObject({ name: 'list-folder', tool: 'list_directory' });
  });

  test('come with the hint about an action on a screen too', () => {
    const clicks = toy('clicks', () => true, { watches: ['action-finished'] });
    const click = (i: number): AgentEvent => ({
      type: 'action-finished',
      session: 'main',
      at: i * 5000,
      action: { type: 'click', x: i, y: 7 },
    });
    const [, hint] = hintsOf({ preset: presetOf(clicks) }, click(1), click(2));
    expect(hint).toMatchObject({
      rung: 'hint',
      candidates: expect.arrayContaining([expect.anything()]),
    });
  });

  test('do not come where the agent only spoke', () => {
    const texts = toy('texts', () => true, { watches: ['text-added'], yields: true });
    const say = (i: number): AgentEvent => ({
      type: 'text-added',
      session: 'main',
      at: i * 5000,
      channel: 'answer',
      text: `I wait ${i}.`,
      done: true,
    });
    const [, hint] = hintsOf({ preset: presetOf(texts) }, missing(0), say(1), say(2));
    expect(hint!.rung).toBe('hint');
    expect(hint).not.toHaveProperty('candidates');
  });

  test('are followed: the outcome tells what was offered and what the agent did', () => {
    const offerOf = (preset: Preset, ...events: AgentEvent[]) => {
      const guard = createGuard({ preset, hintFailures });
      return events.flatMap((event) => guard.observe(event).outcomes).find(({ offer }) => offer)
        ?.offer;
    };
    const look = done('list_directory', 3, {
      call: { id: 'c', tool: 'list_directory', args: { path: '/repo/src' } },
      result: 'a.ts',
    });
    const end: AgentEvent = { type: 'session-ended', session: 'main', at: 90_000 };
    const offer = {
      failure: 'missing-file',
      world: 'file',
      did: 'list_directory',
      followed: 'list-folder',
    };
    expect(offerOf(presetOf(third), listed, missing(1), look, end)).toMatchObject(offer);
    const twice = toy('twice', (_, count) => count < 3);
    expect(offerOf(presetOf(twice), listed, missing(1), missing(2), look, end)).toMatchObject(
      offer,
    );
  });

  test('under a net may be about any call, also one that did not fail', () => {
    const net = toy('net', () => true, { yields: true });
    const offers = [always, net].map((detector) => {
      const guard = createGuard({ preset: presetOf(detector) });
      times(2, (i) => guard.observe(done('a', i)));
      return guard.observe(done('a', 2)).outcomes.map(({ offer }) => offer?.failure);
    });
    expect(offers).toEqual([[undefined], ['other']]);
  });

  test('are ranked down where they were in vain, and up where they are known to help', () => {
    const scoreOf = (options: GuardOptions, ...events: AgentEvent[]) =>
      hintsOf({ preset: presetOf(), hintFailures, ...options }, listed, ...events)
        .at(-1)!
        .candidates!.find(({ name }) => name === 'list-folder')!.score;
    const look = done('list_directory', 3, {
      call: { id: 'c', tool: 'list_directory', args: { path: '/repo/src' } },
      result: 'a.ts',
    });
    const plain = scoreOf({}, missing(1));
    expect(scoreOf({}, missing(1), look, missing(1))).toBeLessThan(plain);
    expect(scoreOf({ learned: { 'missing-file/file/list-folder': 0 } }, missing(1))).toBeLessThan(
      plain,
    );
  });
});
