import { describe, expect, test } from 'vitest';
import { present } from '../json.ts';
import type { Signal } from '../signal.ts';
import {
  type AccountState,
  accountOf,
  addEntry,
  readAccount,
  restAccount,
  startAccount,
} from './account.ts';
import type { AccountEntry } from './entry.ts';

const at = (step: number, agent?: string) => ({
  session: 's',
  at: 1000 * step,
  step,
  ...present({ agent }),
});
const step = (
  number: number,
  cost?: { tokens?: number; usd?: number },
  agent?: string,
): AccountEntry => ({
  ...at(number, agent),
  kind: 'event',
  data: { type: 'call-finished', ...(cost ? { cost } : {}) },
});
const signal = (number: number, more: Partial<Signal> = {}, agent?: string): AccountEntry => ({
  ...at(number, agent),
  kind: 'signal',
  data: {
    detector: 'repeated-call',
    variant: 'consecutive',
    step: number,
    since: 0,
    count: number + 1,
    strength: 0.9,
    rung: 'note',
    streak: 's1',
    text: 'it repeats',
    evidence: { variant: 'consecutive', count: 3, since: 0, keys: [], strength: 0.9, facts: {} },
    ...more,
  } as Signal,
});
const steps = (from: number, to: number, cost?: { usd: number }): AccountEntry[] =>
  Array.from({ length: to - from + 1 }, (_, i) => step(from + i, cost));

describe('the account', () => {
  test('counts steps, what was spent, and what was wasted after the first lap', () => {
    const entries = steps(0, 4, { usd: 0.5 }).flatMap((each) =>
      each.step >= 2 ? [each, signal(each.step)] : [each],
    );
    expect(accountOf([...entries, ...steps(5, 9, { usd: 1 })])).toMatchObject({
      steps: 10,
      usd: 7.5,
      looped: 1,
      wasted: { steps: 4, tokens: 0, usd: 2 },
      looping: false,
      loops: [
        { start: 0, firedAt: 2, end: 4, count: 5, wasted: { steps: 4, usd: 2 }, open: false },
      ],
    });
  });

  test("distributes the whole run's spending over its steps", () => {
    const ended: AccountEntry = {
      ...at(4),
      kind: 'event',
      data: { type: 'session-ended', cost: { usd: 8 } },
    };
    expect(accountOf([...steps(0, 3), signal(3), ended])).toMatchObject({
      usd: 8,
      wasted: { steps: 3, usd: 6 },
    });
  });

  test('what loops that overlap have wasted adds up to what the run has', () => {
    const entries = steps(0, 19, { usd: 1 });
    const first = [signal(9, { count: 5 })];
    const second = [
      signal(16, { detector: 'cycle', variant: 'one-call', streak: 's2', since: 8, count: 3 }),
    ];
    const { loops, wasted } = accountOf([
      ...entries.slice(0, 10),
      ...first,
      ...entries.slice(10, 17),
      ...second,
      ...entries.slice(17),
    ]);
    expect(loops).toHaveLength(2);
    expect(loops.map((loop) => loop.wasted.steps)).toEqual([8, 6]);
    expect(wasted).toEqual({ steps: 14, tokens: 0, usd: 14 });
  });

  test('of a run with very many loops that overlap, no step is wasted twice, however often the account is read', () => {
    const entries = steps(0, 4000, { usd: 0.01 }).flatMap((each) =>
      each.step % 10 === 9
        ? [
            each,
            signal(each.step, {
              streak: `s${each.step}`,
              since: Math.max(0, each.step - 13),
              count: 14,
            }),
          ]
        : [each],
    );
    const state = startAccount();
    for (const entry of entries) {
      addEntry(state, entry);
      if (entry.kind === 'signal') readAccount(state);
    }
    const account = accountOf(entries);
    expect(readAccount(state)).toEqual(account);
    expect(account.looped).toBe(400);
    expect(account.wasted).toEqual({ steps: 3999, tokens: 0, usd: 39.99 });
  });

  test('a streak that is silent for long is another loop when it returns', () => {
    const bursts = [0, 50, 100].flatMap((from) => [
      ...steps(from, from + 7).flatMap((each) =>
        from > 0 || each.step >= 2 ? [each, signal(each.step)] : [each],
      ),
      ...steps(from + 8, from + 49),
    ]);
    const { loops, wasted } = accountOf(bursts);
    expect(loops.map(({ start, end }) => [start, end])).toEqual([
      [0, 7],
      [50, 57],
      [100, 107],
    ]);
    expect(wasted.steps).toBe(21);
  });

  const refusal = (number: number, shadow = false): AccountEntry =>
    ({
      ...at(number),
      kind: 'plan',
      data: { id: `p${number}`, streak: 's1', rung: 'block', recovery: 'refuse-repeat', shadow },
    }) as AccountEntry;

  test('a loop whose calls are refused continues, and one that would have been refused does not', () => {
    const seen = [...steps(0, 4), signal(4, { count: 5 })];
    const refused = steps(5, 29).flatMap((each) => [refusal(each.step), each]);
    expect(accountOf([...seen, ...refused])).toMatchObject({
      looped: 1,
      looping: true,
      wasted: { steps: 29 },
      loops: [{ start: 0, end: 29, count: 5, refused: 25 }],
    });
    const recorded = steps(5, 29).flatMap((each) => [refusal(each.step, true), each]);
    expect(accountOf([...seen, ...recorded])).toMatchObject({
      looping: false,
      wasted: { steps: 4 },
      loops: [{ end: 4, refused: 0 }],
    });
  });

  test('signals on trial, advice and what a nested agent reports are no loops', () => {
    const trial = signal(2, { detector: 'drifting-click', variant: 'soft' });
    const reported = signal(2, { agent: 'helper' });
    expect(accountOf([...steps(0, 2), trial, reported])).toMatchObject({
      looped: 0,
      loops: [],
      wasted: { steps: 0 },
      looping: false,
    });
    const advice = signal(2, { detector: 'stale-poll', variant: 'often' });
    expect(accountOf([...steps(0, 2), advice])).toMatchObject({
      looped: 0,
      loops: [{ advice: true, wasted: { steps: 0 } }],
    });
  });

  test('thoughts and messages of a person are no steps', () => {
    const text = (channel?: 'thinking'): AccountEntry => ({
      ...at(0),
      kind: 'event',
      data: {
        type: 'text-added',
        seen: { text: { message: { words: 3 }, ...(channel ? { channel } : {}) } },
      },
    });
    expect(
      accountOf([
        text('thinking'),
        { ...at(0), kind: 'event', data: { type: 'user-spoke' } },
        text(),
      ]).steps,
    ).toBe(1);
  });

  test('a loop continues until two steps were none of it, or a person has spoken', () => {
    const looped = [...steps(0, 3), signal(3)];
    const spoke: AccountEntry = { ...at(4), kind: 'event', data: { type: 'user-spoke' } };
    expect(accountOf(looped).looping).toBe(true);
    expect(accountOf([...looped, step(4)]).looping).toBe(true);
    expect(accountOf([...looped, step(4), step(5)]).looping).toBe(false);
    expect(accountOf([...looped, spoke]).looping).toBe(false);
  });

  test('is plain JSON of bounded size, and the same after a round trip', () => {
    let state: AccountState = startAccount();
    for (let number = 0; number < 20_000; number++) {
      const agent = number % 3 === 0 ? `agent ${number}` : undefined;
      addEntry(state, step(number, { tokens: 3, usd: 0.01 }, agent));
      if (number % 20 < 4)
        addEntry(
          state,
          signal(number, { since: number - 2, count: 3, streak: `s${number}` }, agent),
        );
      if (number % 997 !== 0) continue;
      const restored = JSON.parse(JSON.stringify(state)) as AccountState;
      expect(readAccount(restored)).toEqual(readAccount(state));
      state = restored;
    }
    expect(JSON.stringify(state).length).toBeLessThan(300_000);
    expect(readAccount(state)).toMatchObject({ steps: 20_000, tokens: 60_000, usd: 200 });
  });

  test('a loop that continues after a rest has cost what it has cost', () => {
    const state = startAccount();
    const play = (entries: readonly AccountEntry[]): void => {
      for (const entry of entries) addEntry(state, entry);
    };
    play([...steps(0, 5, { usd: 1 }), signal(5)]);
    restAccount(state);
    play([...steps(6, 7, { usd: 1 }), signal(7)]);
    expect(readAccount(state)).toMatchObject({ wasted: { steps: 7, usd: 7 } });
  });

  test('names that objects have by nature are names of agents like others', () => {
    expect(
      accountOf([step(0, undefined, '__proto__'), step(0, undefined, 'constructor')]).steps,
    ).toBe(2);
  });
});

describe('where a loop ended', () => {
  const looped = steps(0, 4).flatMap((each) =>
    each.step >= 2 ? [each, signal(each.step)] : [each],
  );
  const plan = (number: number, rung: string, more: object = {}): AccountEntry => ({
    ...at(number),
    kind: 'plan',
    data: { id: `p${number}`, streak: 's1', rung, recovery: 'r', shadow: false, ...more } as never,
  });
  const event = (number: number, data: object): AccountEntry => ({
    ...at(number),
    kind: 'event',
    data: data as never,
  });
  const further = steps(5, 9);
  const endingOf = (...entries: AccountEntry[]): unknown =>
    accountOf([...looped, ...entries]).loops[0]!.ending;

  test.each<[string, AccountEntry[], string | null]>([
    ['while it goes on, nowhere', [], null],
    ['by itself', further, 'itself'],
    ['after a note', [plan(4, 'note'), ...further], 'note'],
    [
      'after the last thing that was done',
      [plan(3, 'note'), plan(4, 'block'), ...further],
      'block',
    ],
    [
      'by itself, where that was only recorded',
      [plan(4, 'block', { shadow: true }), ...further],
      'itself',
    ],
    [
      'by itself, where nothing could be done',
      [
        plan(4, 'block'),
        event(4, { type: 'plan-performed', plan: 'p4', rung: 'block', failed: true }),
        ...further,
      ],
      'itself',
    ],
    [
      'on the rung that was reached',
      [
        plan(4, 'block'),
        event(4, { type: 'plan-performed', plan: 'p4', rung: 'note', failed: false }),
        ...further,
      ],
      'note',
    ],
    [
      "by a human's word",
      [plan(4, 'escalate'), event(5, { type: 'user-spoke' }), ...further],
      'human',
    ],
    [
      'not by a word that came too late',
      [...steps(5, 9), event(10, { type: 'user-spoke' })],
      'itself',
    ],
    ['by a stop', [plan(4, 'stop')], 'stop'],
    ['not by a stop after which it goes on', [plan(4, 'stop'), step(5), signal(5)], null],
    [
      'never, where the run ended in it',
      [plan(4, 'note'), event(5, { type: 'session-ended' })],
      'never',
    ],
    [
      'after a note, where the run then ended well',
      [plan(4, 'note'), event(5, { type: 'session-ended', well: true })],
      'note',
    ],
  ])('%s', (_, entries, ending) => expect(endingOf(...entries)).toBe(ending));

  test('advice has no ending', () => {
    const advice = [
      ...steps(0, 4),
      signal(4, { detector: 'stale-poll', variant: 'often' }),
      ...further,
    ];
    expect(accountOf(advice).loops).toMatchObject([{ advice: true, ending: null }]);
  });
});
