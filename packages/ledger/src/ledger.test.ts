import type { CallFinished } from '@unrut/engine/event';
import type { GuardOptions } from '@unrut/engine/guard';
import { testRecorder } from '@unrut/test/suites/test-recorder';
import { testLedger } from '@unrut/testing/test-ledger';
import { describe, expect, test } from 'vitest';
import type { Ledger, SavedState } from './ledger.ts';
import { createMemoryLedger } from './memory.ts';
import { createRecorder, createRecorder as recordTo } from './recorder.ts';

const lookup = (i: number, changes: Partial<CallFinished> = {}): CallFinished => ({
  type: 'call-finished',
  session: 's',
  at: i * 5000,
  call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
  result: 'Order 7 was shipped on Monday and is on its way.',
  ...changes,
});

/** A ledger of which some methods reject. */
function failing(...methods: (keyof Ledger)[]): Ledger {
  const rejects = methods.map((method) => [
    method,
    () => Promise.reject(new Error(`${method}: the disk is full`)),
  ]);
  return { ...createMemoryLedger(), ...Object.fromEntries(rejects) };
}

/** A ledger that loads, but cannot save. */
function unableToSave(): Ledger {
  const ledger = createMemoryLedger();
  return {
    ...ledger,
    update: (sessions, change) =>
      ledger.update(sessions, (saved) => {
        change(saved);
        throw new Error('update: the disk is full');
      }),
  };
}

describe('a step that another process was faster at', () => {
  /** A ledger in which session `s` changes after each of the first `times` reads. */
  function overtaken(times: number): Ledger {
    const ledger = createMemoryLedger();
    const other = createRecorder(ledger);
    let left = times;
    return {
      ...ledger,
      async update(sessions, change, how) {
        while (left > 0 && sessions.length > 1) {
          await ledger.update(sessions, (saved) => {
            change(saved);
            return {};
          });
          await other.observe(lookup(100 + left--, { id: `other-${left}` }));
        }
        return ledger.update(sessions, change, how);
      },
    };
  }

  /**
   * Records one event for each of three sessions in one transaction. Returns the performed actions
   * and the ledger.
   */
  async function inOneStep(ledger: Ledger): Promise<string[]> {
    const recorder = createRecorder(ledger);
    const acted: string[] = [];
    const one = (session: string, i: number, sessions = [session]) =>
      recorder.transaction({ sessions, together: 1 }, (step) => {
        acted.push(session);
        return step.observe(lookup(i, { session, id: `${session}-${i}` }));
      });
    const done = await Promise.all([
      one('a', 1),
      one('s', 2),
      one('b', 3),
      one('t', 4, ['t', 's']),
    ]);
    expect(done.map(({ error, entries }) => [error, entries.length > 0])).toEqual(
      done.map(() => [undefined, true]),
    );
    return acted;
  }

  test('makes only the parts of the changed session again, and of those that share an act with it', async () => {
    const ledger = overtaken(2);
    expect(await inOneStep(ledger)).toEqual(['a', 's', 'b', 't', 's', 't', 's', 't']);
    const events = await ledger.entries({ kind: 'event' });
    expect(events.map(({ session }) => session).sort()).toEqual(['a', 'b', 's', 's', 's', 't']);
  });

  test('makes nothing again where nothing changed', async () => {
    expect(await inOneStep(overtaken(0))).toEqual(['a', 's', 'b', 't']);
  });

  test('leaves every session as if it had been alone', async () => {
    const [faster, alone] = [overtaken(2), createMemoryLedger()];
    await inOneStep(faster);
    for (const session of ['a', 'b'])
      await createRecorder(alone).observe(
        lookup(session === 'a' ? 1 : 3, { session, id: `${session}-${session === 'a' ? 1 : 3}` }),
      );
    for (const session of ['a', 'b'])
      expect(await faster.loadState(session)).toEqual(await alone.loadState(session));
  });
});

describe('the ledger in memory', () => {
  for (const { name, run } of testLedger('memory', () => createMemoryLedger())) test(name, run);
  for (const { name, run } of testRecorder('recorder', () => createMemoryLedger())) test(name, run);

  test('keeps the maximum of entries and drops the oldest first', async () => {
    const ledger = createMemoryLedger({ most: 3 });
    for (const id of ['1', '2', '3', '4', '5']) {
      await ledger.append([{ id, session: 'a', at: Number(id), kind: 'event', step: 0, data: {} }]);
    }
    expect((await ledger.entries()).map(({ id }) => id)).toEqual(['3', '4', '5']);
  });
});

describe('a recorded guard', () => {
  test('keeps each event, signal, plan and outcome once', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger);
    for (let i = 1; i <= 4; i++) await guard.observe(lookup(i));
    const kinds = (await ledger.entries({ session: 's' })).map(
      ({ kind, step }) => `${step} ${kind}`,
    );
    expect(kinds).toEqual([
      '0 event',
      '1 event',
      '2 event',
      '2 signal',
      '2 plan',
      '3 event',
      '3 signal',
      '3 plan',
      '3 outcome',
    ]);
  });

  test('writes down no arguments and no results', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger);
    for (let i = 1; i <= 5; i++) {
      await guard.observe(
        lookup(i, {
          call: {
            id: `c${i}`,
            tool: 'lookup_order',
            args: { order: 7, apiKey: 'sk-live-4711-verysecret' },
          },
        }),
      );
    }
    const record = JSON.stringify(await ledger.entries());
    expect(record).toContain('repeated-call');
    expect(record).not.toContain('verysecret');
    expect(record).not.toContain('shipped on Monday');
  });

  test('takes events of one session in turn, also when nobody waits', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger);
    const verdicts = await Promise.all([1, 2, 3, 4].map((i) => guard.observe(lookup(i))));
    expect(verdicts.map(({ signals }) => signals.length > 0)).toEqual([false, false, true, true]);
    expect(verdicts.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
  });

  const broken: [string, Ledger][] = [
    ['that cannot load', failing('update')],
    ['that cannot save', unableToSave()],
    [
      'of which nothing works',
      failing(
        'update',
        'append',
        'loadState',
        'saveState',
        'entries',
        'context',
        'sessions',
        'forget',
        'close',
      ),
    ],
  ];
  test.each(broken)(
    'with a ledger %s continues guarding and tells of the fault',
    async (_, ledger) => {
      const guard = recordTo(ledger);
      const verdicts = [];
      for (let i = 1; i <= 4; i++) verdicts.push(await guard.observe(lookup(i)));
      expect(verdicts.map(({ plan }) => plan?.rung)).toEqual([
        undefined,
        undefined,
        'note',
        'hint',
      ]);
      const faults = verdicts.flatMap(({ faults }) => faults);
      expect(faults.length).toBeGreaterThan(0);
      expect([...new Set(faults.map(({ where }) => where))]).toEqual(['ledger']);
      for (const { message } of faults) expect(message).toContain('the disk is full');
    },
  );

  test('with a ledger that throws at once does the same', async () => {
    const ledger = createMemoryLedger();
    ledger.update = () => {
      throw new Error('update: not connected');
    };
    const { faults } = await recordTo(ledger).observe(lookup(1));
    expect(faults).toEqual([{ where: 'ledger', message: 'update: not connected' }]);
  });

  test('reads a state only when it has not got it: of other rules, of another process, or of a session used longer ago than others', async () => {
    const ledger = createMemoryLedger();
    let reads = 0;
    const countReads = ({ version, read }: SavedState): SavedState => ({
      version,
      read() {
        reads++;
        return read();
      },
    });
    const counted: Ledger = {
      ...ledger,
      update: (sessions, change, how) =>
        ledger.update(sessions, (saved) => change(saved.map(countReads)), how),
    };
    const recorder = recordTo(counted, {}, { sessions: 2 });
    const shadow = { shadow: true };
    const readsOf = async (session: string, guard?: GuardOptions): Promise<number> => {
      reads = 0;
      await recorder.record([lookup(1, { session })], guard ? { guard } : {});
      return reads;
    };
    expect([
      await readsOf('a'),
      await readsOf('a'),
      await readsOf('b'),
      await readsOf('a'),
    ]).toEqual([1, 0, 1, 0]);
    expect([await readsOf('c'), await readsOf('a'), await readsOf('b')]).toEqual([1, 0, 1]);
    expect([await readsOf('b', shadow), await readsOf('b', shadow), await readsOf('b')]).toEqual([
      1, 0, 1,
    ]);
    await recordTo(ledger).observe(lookup(2, { session: 'b' }));
    expect([await readsOf('b'), await readsOf('b')]).toEqual([1, 0]);
  });

  test('starts afresh when its session was forgotten', async () => {
    const ledger = createMemoryLedger();
    const guard = recordTo(ledger);
    for (let i = 1; i <= 3; i++) await guard.observe(lookup(i));
    await ledger.forget('s');
    const { step, signals } = await guard.observe(lookup(4));
    expect([step, signals]).toEqual([0, []]);
  });

  test('starts afresh, and says so, when the saved state is no snapshot', async () => {
    const ledger = createMemoryLedger();
    await ledger.saveState('s', { version: 99 });
    const { faults, step } = await recordTo(ledger).observe(lookup(1));
    expect(faults.map(({ where }) => where)).toEqual(['ledger']);
    expect(step).toBe(0);
  });

  test('answers what is no event with a fault, and records nothing of it', async () => {
    const ledger = createMemoryLedger();
    const { faults } = await recordTo(ledger).observe(null as never);
    expect(faults[0]?.where).toBe('event');
    expect(await ledger.entries()).toEqual([]);
  });
});
