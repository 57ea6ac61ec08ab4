import { prose } from '@unrut/test/scenarios/content';
import {
  CAN,
  type CallStep,
  type GuardOptions,
  type Item,
  inTurn,
  type Moment,
  plansOf,
  play,
  says,
  times,
  told,
} from '@unrut/test/scenarios/scenario';
import { describe, expect, test } from 'vitest';
import { detectors } from '../detectors/index.ts';
import { repeatedCall } from '../detectors/repeated-call/detector.ts';
import { UnrutError } from '../errors.ts';
import type { CallFinished, Capability } from '../event.ts';
import { createGuard } from '../guard.ts';
import { observe, recommended, strict, without } from '../presets.ts';
import { defineRecovery } from '../recoveries/recovery.ts';
import type { Plan } from './plan.ts';

/** The same call with the same answer; another one for each number. */
const lookup = (order: number): CallStep => ({
  tool: 'lookup_order',
  args: { order },
  result: `The order of ${prose(order, 6)} was shipped on Monday.`,
});
const loop = (count: number, order = 7): Item[] => inTurn(count, [lookup(order)]);
const lever = (i: number): CallStep => ({
  tool: 'pull_lever',
  args: { lever: prose(i, 2) },
  result:
    'The gate stays shut, the lamp above it stays dark, and behind the wall nothing moves at all.',
});
/** What an agent gets that continues and on. */
const CLIMB = ['3 note', '4 hint', '5 block', '6 escalate', '7 block', '8 block', '9 stop'];
const climbed = (moments: Moment[]): string[] =>
  plansOf(moments).map(({ call, plan }) => `${call} ${plan.rung}`);
const names = (moments: Moment[]): string[] => [
  ...new Set(moments.flatMap(({ verdict }) => verdict.signals.map(({ detector }) => detector))),
];
const only = (...given: string[]) => ({
  ...recommended,
  detectors: detectors.filter(({ name }) => given.includes(name)),
});

const thrown = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe('one streak', () => {
  test('gets one plan per rung, even if the agent ignores all of them', async () => {
    const moments = await play(loop(14), { ignores: true });
    expect(climbed(moments), told(moments)).toEqual([
      ...CLIMB,
      ...times(5, (i) => `${10 + i} block`),
    ]);
  });

  test('rises once per response, since an agent that makes several calls at once has not read the note yet', async () => {
    const thrice = (i: number): Item => ({
      parallel: times(3, () => lookup(7)),
      batch: `response ${i}`,
    });
    const moments = await play(times(4, thrice), { mode: 'finished' });
    expect(climbed(moments), told(moments)).toEqual(['5 note', '7 hint', '10 escalate']);
  });

  test('is raised on every further step, with a growing count and the rung that it has reached', async () => {
    const moments = await play(loop(9), {
      mode: 'finished',
      options: { preset: only('repeated-call') },
    });
    const signals = moments.flatMap(({ verdict }) => verdict.signals);
    expect(signals.map(({ count }) => count)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(signals.map(({ rung }) => rung)).toEqual([
      'note',
      'hint',
      'escalate',
      'escalate',
      'escalate',
      'stop',
      'stop',
    ]);
    expect(new Set(signals.map(({ streak }) => streak)).size).toBe(1);
  });

  test('shares its rung among the detectors that see it', async () => {
    const reads = [lookup(1), lookup(2)];
    const moments = await play(inTurn(12, reads), { mode: 'finished' });
    expect(names(moments)).toEqual(expect.arrayContaining(['cycle', 'repeated-call']));
    const rungs = plansOf(moments)
      .filter(({ plan }) => !plan.byPrice)
      .map(({ plan }) => plan.rung);
    expect(rungs[0], told(moments)).toBe('note');
    expect(new Set(rungs).size, told(moments)).toBe(rungs.length);
  });

  test('ends with a message of the user: it resumes two rungs below what was escalated, and the budget stays', async () => {
    const moments = await play([...loop(6), says('Thank you, go on.'), ...loop(4)]);
    expect(climbed(moments), told(moments)).toEqual([
      '3 note',
      '4 hint',
      '5 block',
      '6 escalate',
      '9 hint',
      '10 block',
    ]);
    const plans = plansOf(moments).map(({ plan }) => plan);
    expect(plans.map(({ budgetLeft }) => budgetLeft)).toEqual([5, 5, 4, 4, 4, 3]);
  });

  test('that only got a note resumes with a hint after the user spoke', async () => {
    const moments = await play([...loop(3), says('Please go on.'), ...loop(3)], {
      mode: 'finished',
    });
    expect(climbed(moments), told(moments)).toEqual(['3 note', '6 hint']);
  });

  test('a call that was due to be refused runs after the user spoke', async () => {
    const moments = await play([...loop(4), says('Please look it up again.'), ...loop(1)]);
    expect(climbed(moments), told(moments)).toEqual(['3 note', '4 hint']);
  });
});

describe('the budget of forceful plans', () => {
  test('is five per session; then it escalates', async () => {
    const items = times(6, (i) => loop(6, 100 + i)).flat();
    const plans = plansOf(await play(items)).map(({ plan }) => plan);
    const rungs = (streak: string): string =>
      plans
        .filter((plan) => plan.streak === streak)
        .map(({ rung }) => rung)
        .join(' ');
    const streaks = [...new Set(plans.map(({ streak }) => streak))];
    expect(streaks.map(rungs)).toEqual([
      ...times(5, () => 'note hint block escalate'),
      'note hint escalate',
    ]);
    expect(
      plans.filter(({ rung }) => rung === 'block').map(({ budgetLeft }) => budgetLeft),
    ).toEqual([4, 3, 2, 1, 0]);
  });

  test('is two per recovery and target; then it escalates', async () => {
    const file = (path: string): CallStep => ({
      tool: 'Read',
      args: { file_path: path },
      result: `1\t${prose(path.length, 12)} (${path})`,
    });
    // So many other streaks that the one in question is forgotten, and only the budget remembers
    // it.
    const others = (from: number): Item[] =>
      times(16, (i) => inTurn(3, [file(`/repo/docs/${from + i}.md`)])).flat();
    const again = (): Item[] => inTurn(6, [file('/repo/src/a.ts')]);
    const moments = await play([
      ...again(),
      ...others(100),
      ...again(),
      ...others(200),
      ...again(),
    ]);
    const climbs = [1, 2, 3].map((round) => {
      const [from, to] = [(round - 1) * 54, (round - 1) * 54 + 6];
      return plansOf(moments).flatMap(({ call, plan }) =>
        call > from && call <= to ? plan.rung : [],
      );
    });
    expect(climbs.map((rungs) => rungs.includes('block'))).toEqual([true, true, false]);
  });

  test('is not touched by notes, hints and questions', async () => {
    const can: Capability[] = ['note', 'hint', 'escalate'];
    const plans = plansOf(
      await play(times(6, (i) => loop(6, 100 + i)).flat(), { options: { can } }),
    );
    expect(new Set(plans.map(({ plan }) => plan.budgetLeft))).toEqual(new Set([5]));
  });
});

describe('where a host cannot stop, a streak that has no rung left', () => {
  const can: Capability[] = ['note', 'hint', 'block', 'escalate'];
  const climb = ['3 note', '4 hint', '5 block', '6 escalate'];
  const write = (i: number): CallStep => ({
    tool: 'write_note',
    args: { text: prose(i, 8) },
    result: `Wrote ${prose(i, 8)}.`,
  });

  test('is refused each time that it is proposed, and the budget is not touched', async () => {
    const moments = await play(loop(10), { options: { can } });
    expect(climbed(moments), told(moments)).toEqual([
      ...climb,
      '7 block',
      '8 block',
      '9 block',
      '10 block',
    ]);
    expect(plansOf(moments).map(({ plan }) => plan.budgetLeft)).toEqual([5, 5, 4, 4, 4, 4, 4, 4]);
  });

  test('is not refused after anything has changed, and is refused again if its result is still the same', async () => {
    const moments = await play([...loop(7), write(1), ...loop(4)], { options: { can } });
    expect(climbed(moments), told(moments)).toEqual([
      ...climb,
      '7 block',
      '10 block',
      '11 block',
      '12 block',
    ]);
  });

  test('is no longer refused after the user spoke', async () => {
    const moments = await play([...loop(7), says('Try once more.'), ...loop(1)], {
      options: { can },
    });
    expect(climbed(moments), told(moments)).toEqual([...climb, '7 block']);
  });

  test('is refused after a wait, because only an act changes a record', async () => {
    const moments = await play([...loop(6), { ...lookup(7), wait: 20 }], { options: { can } });
    expect(climbed(moments), told(moments)).toEqual([...climb, '7 block']);
  });

  test('is not refused after a wait if its answer may change by itself', async () => {
    const ask: CallStep = { ...lookup(7), tool: 'weather' };
    const moments = await play([...inTurn(6, [ask]), { ...ask, wait: 40 }], { options: { can } });
    expect(climbed(moments), told(moments)).toEqual(climb);
  });

  test('is not refused when it never was', async () => {
    const moments = await play(loop(10), { options: { can: ['note', 'escalate'] } });
    expect(climbed(moments), told(moments)).toEqual(['3 note', '4 escalate', '8 note']);
  });
});

describe('a host that lacks rungs skips them upward', () => {
  const hosts: [Capability[], string[]][] = [
    [
      ['note', 'hint', 'block', 'escalate', 'stop'],
      [...CLIMB, '10 block'],
    ],
    [
      ['note', 'hint', 'escalate', 'stop'],
      ['3 note', '4 hint', '5 escalate', '8 stop'],
    ],
    [
      ['note', 'escalate'],
      ['3 note', '4 escalate', '8 note'],
    ],
    [
      ['hint', 'block'],
      ['3 hint', ...times(7, (i) => `${4 + i} block`)],
    ],
    [['note'], ['3 note', '7 note']],
    [[], []],
  ];
  test.each(hosts)('%j', async (can, expected) => {
    const moments = await play(loop(10), { options: { can }, ignores: true });
    expect(climbed(moments), told(moments)).toEqual(expected);
  });

  test('a host that says nothing can note, hint, block, escalate and stop', async () => {
    const guard = createGuard();
    const moments = await play(loop(10), {
      ignores: true,
      observe: (event) => guard.observe(event),
    });
    expect(climbed(moments)).toEqual([...CLIMB, '10 block']);
  });
});

describe('presets', () => {
  test('strict blocks one step earlier', async () => {
    const moments = await play(loop(8), { ignores: true, options: { preset: strict } });
    expect(climbed(moments), told(moments)).toEqual([
      '3 note',
      '4 block',
      '5 escalate',
      '6 block',
      '7 block',
      '8 stop',
    ]);
  });

  const silent: [string, GuardOptions][] = [
    ['the preset observe', { preset: observe }],
    ['shadow mode', { shadow: true }],
    ['shadow mode of strict', { preset: strict, shadow: true }],
  ];
  test.each(silent)(
    '%s never gives a plan, but says what it would have done',
    async (_, options) => {
      const moments = await play(loop(10), { ignores: true, options });
      expect(plansOf(moments)).toEqual([]);
      const shadows = moments.flatMap(({ verdict }) => verdict.shadow?.rung ?? []);
      expect(shadows[0]).toBe('note');
      expect(shadows).toContain('stop');
    },
  );

  test('without leaves out detectors and recoveries by name', async () => {
    const moments = await play(loop(8), {
      ignores: true,
      options: { preset: without('repeated-call', 'offer-next-moves', 'stalling') },
    });
    expect(names(moments)).not.toContain('repeated-call');
    const preset = without(strict, 'refuse-repeat');
    expect(preset.skip).toEqual(strict.skip);
    expect(climbed(await play(loop(8), { options: { preset } }))).toEqual([
      '3 note',
      '4 escalate',
      '8 stop',
    ]);
  });

  const mistakes: [string, () => unknown, string, RegExp][] = [
    [
      'without a name that nothing has',
      // @ts-expect-error: the compiler knows the names
      () => without('cycles'),
      'unknown-name',
      /cycles.*recommended.*cycle/s,
    ],
    [
      'options for a detector that does not exist',
      () => createGuard({ options: { cycles: {} } as never }),
      'bad-option',
      /Unknown key `options.cycles`. Did you mean `cycle`\?/,
    ],
    [
      'options for a detector that was left out',
      () => createGuard({ preset: without('cycle'), options: { cycle: {} } }),
      'bad-option',
      /Unknown key `options.cycle`. Known: amnesia, chanting, drifting-click/,
    ],
    [
      'an option that the detector does not have',
      () => createGuard({ options: { cycle: { lap: 2 } as never } }),
      'bad-option',
      /cycle: Unknown key `lap`. Did you mean `laps`\?/,
    ],
    [
      'a snapshot of another version',
      () => createGuard({ from: { version: 2, sessions: {} } as never }),
      'bad-snapshot',
      /version 1.*version 2/s,
    ],
  ];
  test.each(mistakes)('%s is an error that says what was expected', (_, run, code, message) => {
    const error = thrown(run);
    expect(error).toBeInstanceOf(UnrutError);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('an option changes the detector for this guard alone', async () => {
    const options = {
      options: { 'repeated-call': { threshold: 5 } },
      preset: only('repeated-call'),
    };
    expect(climbed(await play(loop(5), { options }))).toEqual(['5 note']);
    expect(climbed(await play(loop(5), { options: { preset: only('repeated-call') } }))).toEqual([
      '3 note',
      '4 hint',
      '5 block',
    ]);
    expect(repeatedCall.options).toEqual({ threshold: 3 });
  });
});

describe('what caps the rung', () => {
  test('a detector on trial never gets above a note', async () => {
    const preset = { ...recommended, detectors: [{ ...repeatedCall, status: 'trial' as const }] };
    expect(climbed(await play(loop(10), { ignores: true, options: { preset } }))).toEqual([
      '3 note',
    ]);
  });

  test('a silence does not cap it in the closed world', async () => {
    const after = (wait: number) => [...loop(3), { ...loop(1)[0]!, wait }, ...loop(1)];
    for (const wait of [14, 60])
      expect(climbed(await play(after(wait), { ignores: true }))).toEqual([
        '3 note',
        '4 hint',
        '5 block',
      ]);
  });

  test('a session that is slow throughout is not capped', async () => {
    const slowly = loop(8).map((step) => ({ ...step, wait: 40 }));
    expect(climbed(await play(slowly, { ignores: true }))).toEqual(CLIMB.slice(0, 6));
  });

  test('the time that a call itself takes is not silence', async () => {
    const long = loop(4).map((step) => ({ ...step, wait: 2, durationMs: 60_000 }));
    expect(climbed(await play(long, { mode: 'finished' }))).toEqual(['3 note', '4 hint']);
    expect(climbed(await play(long))).toEqual(['3 note', '4 hint']);
  });

  test('stalling begins with a hint', async () => {
    const plans = plansOf(await play(times(7, lever), { options: { preset: only('stalling') } }));
    expect(plans[0]?.plan.rung).toBe('hint');
  });
});

describe('recoveries', () => {
  const wipe = defineRecovery({
    name: 'wipe',
    rung: 'note',
    answers: ['repeated-call/consecutive'],
    needs: [],
    safety: 'irreversible',
    options: {},
    plan: () => ({ wipe: true }),
    toModel: () => 'The cache of answers was wiped; ask again.',
    toHuman: () => 'The cache of answers was wiped.',
  });
  const preset = { ...recommended, recoveries: [...recommended.recoveries, wipe] };
  const first = async (options: GuardOptions): Promise<Plan | undefined> =>
    plansOf(await play(loop(3), { options: { preset, ...options } }))[0]?.plan;

  test('an irreversible one is used only when it is allowed by name', async () => {
    expect((await first({}))?.recovery).toBe('say-what-repeats');
    expect((await first({ allow: ['stop-run'] }))?.recovery).toBe('say-what-repeats');
    expect((await first({ allow: ['wipe'] }))?.recovery).toBe('wipe');
  });

  const turn = {
    ...wipe,
    name: 'turn',
    safety: 'advisory' as const,
    needs: ['redirect', 'substitute'] as const,
  };
  const abilities: [Capability[], string][] = [
    [[...CAN], 'say-what-repeats'],
    [[...CAN, 'redirect'], 'say-what-repeats'],
    [[...CAN, 'redirect', 'substitute'], 'turn'],
  ];
  test.each(abilities)(
    'on a host that can %j, what needs two capabilities gives way or is used: %s',
    async (can, used) => {
      const options = {
        can,
        preset: { ...recommended, recoveries: [turn, ...recommended.recoveries] },
      };
      expect(plansOf(await play(loop(3), { options }))[0]?.plan.recovery).toBe(used);
    },
  );

  test('one that throws is a fault, not an exception', () => {
    const broken = {
      ...wipe,
      safety: 'advisory' as const,
      plan: () => {
        throw new Error('no');
      },
    };
    const guard = createGuard({ preset: { ...recommended, recoveries: [broken] } });
    const verdicts = times(4, (i) => guard.observe(finished(i)));
    expect(verdicts.flatMap(({ faults }) => faults).length).toBeGreaterThan(0);
  });
});

describe('detectors that yield', () => {
  test('are silent while another speaks', async () => {
    const moments = await play(loop(20), { ignores: true });
    expect(names(moments)).toEqual(['repeated-call']);
  });

  test('speak if no other detector does', async () => {
    const moments = await play(times(12, lever), {
      mode: 'finished',
      options: { preset: only('stalling') },
    });
    expect(names(moments)).toEqual(['stalling']);
  });
});

const finished = (i: number, id?: string): CallFinished => ({
  type: 'call-finished',
  session: 's',
  at: 1000 + i * 5000,
  ...(id === undefined ? {} : { id }),
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday and is on its way.',
});

describe('a replay', () => {
  test('of an event with an id counts once', () => {
    const guard = createGuard();
    const raised = [0, 0, 0, 1, 1, 2, 2].map(
      (i) => guard.observe(finished(i, `e${i}`)).signals.length,
    );
    expect(raised.map((count) => count > 0)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      false,
    ]);
  });

  test('is recognised by its id even after a restart', () => {
    let guard = createGuard();
    const raised = [0, 0, 1, 1, 1, 2].map((i) => {
      const { signals } = guard.observe(finished(i, `e${i}`));
      guard = createGuard({ from: JSON.parse(JSON.stringify(guard.snapshot())) });
      return signals.length > 0;
    });
    expect(raised).toEqual([false, false, false, false, false, true]);
  });

  test('is distinguished from a repetition by the id alone', () => {
    const guard = createGuard();
    const raised = [0, 1, 2].map((i) => guard.observe(finished(i, `other${i}`)).signals.length > 0);
    expect(raised).toEqual([false, false, true]);
  });
});
