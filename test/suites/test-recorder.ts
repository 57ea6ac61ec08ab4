import type { AgentEvent, CallFinished, Json } from '@unrut/engine/event';
import type { Verdict } from '@unrut/engine/guard';
import type { Ledger } from '@unrut/ledger/ledger';
import { createRecorder, type Recorder } from '@unrut/ledger/recorder';
import {
  type Case,
  casesAbout,
  check,
  checkSame,
  sameLook,
} from '../../packages/testing/src/case.ts';

const look = (i: number, changes: Partial<CallFinished> = {}): CallFinished => ({
  ...sameLook(i, 1_000_000 + i * 5000),
  id: `e${i}`,
  ...changes,
});

/** A look that brings something else each time. */
const move = (i: number, changes: Partial<CallFinished> = {}): CallFinished =>
  look(i, {
    call: { id: `c${i}`, tool: 'lookup_order', args: { order: i } },
    result: `Order ${i} is of day ${i * 7}.`,
    ...changes,
  });

const ids = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, i) => from + i);

/** More than a guard remembers the ids of. */
const MANY = 200;

/** The ledger, with writes that fail after the change was made while `isFull` says so. */
function limited(ledger: Ledger, isFull: () => boolean): Ledger {
  const update: Ledger['update'] = (sessions, change, how) =>
    ledger.update(
      sessions,
      (saved) => {
        const changed = change(saved);
        if (isFull()) throw new Error('the disk is full');
        return changed;
      },
      how,
    );
  return { ...ledger, update };
}

const events = async (ledger: Ledger, session = 's'): Promise<number[]> =>
  (await ledger.entries({ session, kind: 'event' })).map(({ step }) => step);

const faultsOf = (verdicts: readonly Verdict[]): string[] =>
  verdicts.flatMap(({ faults }) => faults.map(({ where }) => where));

async function recorded(recorder: Recorder, given: readonly AgentEvent[]): Promise<Verdict[]> {
  const { value, error } = await recorder.record(given);
  check(
    error === undefined && value?.length === given.length,
    `expected all to be recorded, got ${String(error)}`,
  );
  return value;
}

/**
 * The suite that the recorder passes with every ledger. `open` gives a new, empty one each time.
 */
export function testRecorder(name: string, open: () => Ledger | Promise<Ledger>): Case[] {
  const on = casesAbout(name, open);

  return [
    on('counts an id once, however often and however late it comes', async (ledger) => {
      const recorder = createRecorder(ledger);
      await recorded(
        recorder,
        ids(MANY).map((i) => move(i)),
      );
      const again = (await recorder.record([move(0), move(MANY), move(MANY - 1), move(MANY)]))
        .value!;
      checkSame(
        again.map(({ repeated }) => repeated === true),
        [true, false, true, true],
        'repeated',
      );
      checkSame(await events(ledger), ids(MANY + 1), 'steps');
    }),
    on('counts an id once after a restart, and beside another process', async (ledger) => {
      await recorded(
        createRecorder(ledger),
        ids(MANY).map((i) => move(i)),
      );
      const [one, other] = [createRecorder(ledger), createRecorder(ledger)];
      for (const i of [0, MANY - 1, MANY, MANY + 1, MANY]) {
        await one.observe(move(i));
        await other.observe(move(i));
      }
      checkSame(await events(ledger), ids(MANY + 2), 'steps');
    }),
    on(
      'counts an id once that comes again in the same request or in one beside it',
      async (ledger) => {
        const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
        const all = ids(MANY).map((i) => move(i));
        const [one, ...others] = await Promise.all([
          recorder.record([...all, move(0)]),
          recorder.record([move(1)]),
          recorder.record([move(MANY)]),
        ]);
        checkSame(
          [one.value?.at(-1)?.repeated, ...others.map(({ value }) => value?.[0]?.repeated)],
          [true, true, undefined],
          `repeated, ${String(one.error)}`,
        );
        checkSame(await events(ledger), ids(MANY + 1), 'steps');
        checkSame(
          (await createRecorder(ledger).observe(move(MANY + 1))).step,
          MANY + 1,
          'next step',
        );
      },
    ),
    on('tells sessions and nested agents apart whose names contain slashes', async (ledger) => {
      const names = [
        { session: 'a', agent: 'b/c' },
        { session: 'a/b', agent: 'c' },
        { session: 'a', agent: 'b~1c' },
        { session: '__proto__' },
      ];
      const recorder = createRecorder(ledger);
      for (const i of ids(2))
        await recorded(
          recorder,
          names.map((changes) => move(i, changes)),
        );
      checkSame((await ledger.entries({ kind: 'event' })).length, 8, 'events');
    }),
    on('refuses names that no ledger tells apart', async (ledger) => {
      const names = ['\ud800', '\ud801', 'a\u0000b'];
      const verdicts = await recorded(createRecorder(ledger), [
        ...names.map((session) => move(0, { session })),
        move(0),
      ]);
      checkSame(faultsOf(verdicts), ['event', 'event', 'event'], 'faults');
      checkSame(
        (await ledger.entries({ kind: 'event' })).map(({ session }) => session),
        ['s'],
        'sessions',
      );
    }),
    on('says at once what is wrong with its rules', async (ledger) => {
      let said = '';
      try {
        createRecorder(ledger, { can: ['shout' as never] });
      } catch (error) {
        said = (error as Error).message;
      }
      check(said.includes('shout'), 'expected an error that names the value');
    }),
    on('counts events without an id each time', async (ledger) => {
      const recorder = createRecorder(ledger);
      const { id: _, ...event } = move(1);
      await recorded(recorder, [event, event, event]);
      await recorder.observe(event);
      checkSame(await events(ledger), ids(4), 'steps');
    }),
    on('shares a session between processes', async (ledger) => {
      const recorders = [createRecorder(ledger), createRecorder(ledger)];
      const rungs = [];
      for (const i of ids(4))
        rungs.push((await recorders[i % 2]!.observe(look(i))).plan?.rung ?? null);
      checkSame(rungs, [null, null, 'note', 'hint'], 'plans');
      await Promise.all(
        recorders.flatMap((recorder, r) =>
          ids(25).map((i) => recorder.observe(move(i, { id: `${r}-${i}` }))),
        ),
      );
      checkSame(
        (await events(ledger)).sort((a, b) => a - b),
        ids(54),
        'steps',
      );
    }),
    on('records what comes at once in order, in one request and in many', async (ledger) => {
      const recorder = createRecorder(ledger);
      const sessions = ids(12).map((n) => `s${n}`);
      const first = recorder.record(sessions.map((session) => move(0, { session })));
      const rest = ids(5, 1).flatMap((i) =>
        sessions.map((session) => recorder.record([move(i, { session })])),
      );
      const verdicts = (await Promise.all([first, ...rest])).flatMap(({ value }) => value!);
      checkSame(faultsOf(verdicts), [], 'faults');
      for (const session of sessions) checkSame(await events(ledger, session), ids(6), session);
    }),
    on(
      'tells a session what its nested agents and the sessions below it ran into, also after a restart',
      async (ledger) => {
        for (const i of ids(3)) await createRecorder(ledger).observe(look(i, { agent: 'helper' }));
        for (const i of ids(3))
          await createRecorder(ledger).observe(look(i, { session: 'child', parent: 's' }));
        const { signals } = await createRecorder(ledger).observe(move(9));
        checkSame(signals.map(({ agent }) => agent).sort(), ['child', 'helper'], 'whose signals');
        checkSame(
          (await createRecorder(ledger).observe(move(10))).signals,
          [],
          'signals of the next event',
        );
        checkSame(await events(ledger, 'child'), ids(3), 'steps of the child');
      },
    ),
    on(
      'drops a damaged state, says so in verdict and ledger, and goes on afresh',
      async (ledger) => {
        const damagedSessions: Json[] = [
          { ids: 5 },
          { reader: { steps: null } },
          { reader: { steps: 'x' } },
          { reader: { ticks: -1 } },
        ];
        const damaged: Json[] = [
          ...[7, 'x', { version: 9 }, { version: 1, sessions: 'gone' }],
          ...damagedSessions.map((s) => ({ version: 1, sessions: { s } })),
        ];
        for (const [n, state] of damaged.entries()) {
          await ledger.forget();
          await ledger.saveState('s', state);
          const recorder = createRecorder(ledger);
          const verdicts = await recorded(
            recorder,
            ids(3).map((i) => look(i)),
          );
          checkSame(faultsOf(verdicts), ['ledger'], `faults of damage ${n}`);
          checkSame(verdicts[2]!.plan?.rung, 'note', `plan after damage ${n}`);
          checkSame(
            (await ledger.entries({ session: 's', kind: 'fault' })).length,
            1,
            `fault entries of damage ${n}`,
          );
          checkSame(
            faultsOf([await createRecorder(ledger).observe(look(3))]),
            [],
            `faults after damage ${n} is gone`,
          );
        }
      },
    ),
    on('drops a damaged state when a later event stumbles over it', async (ledger) => {
      await ledger.saveState('s', { version: 1, sessions: { s: { policy: { streaks: 5 } } } });
      const recorder = createRecorder(ledger);
      const verdicts: Verdict[] = [];
      for (const i of ids(6)) verdicts.push(await recorder.observe(look(i)));
      checkSame(faultsOf(verdicts), ['ledger'], 'faults');
      checkSame(verdicts[4]!.plan?.rung, 'note', 'plan');
    }),
    on('drops the damaged state of a session that another reports to', async (ledger) => {
      await ledger.saveState('s', { version: 1, sessions: { s: { fromChildren: 5 } } });
      const verdicts: Verdict[] = [];
      for (const i of ids(6))
        verdicts.push(
          await createRecorder(ledger).observe(look(i, { session: 'child', parent: 's' })),
        );
      checkSame(faultsOf(verdicts), ['ledger'], 'faults');
      checkSame(verdicts.at(-1)!.plan?.rung, 'hint', 'plan');
    }),
    on(
      'goes on in memory while the disk is full, and writes what was missed afterwards',
      async (ledger) => {
        let isFull = false;
        const recorder = createRecorder(limited(ledger, () => isFull));
        await recorder.observe(look(0));
        isFull = true;
        const anonymous = (call: number): AgentEvent => ({
          ...look(2),
          id: undefined,
          call: look(call).call,
        });
        const during = [
          await recorder.observe(look(1)),
          await recorder.observe(anonymous(2)),
          await recorder.observe(anonymous(3)),
        ];
        checkSame(faultsOf(during), ['ledger', 'ledger', 'ledger'], 'faults');
        checkSame(during[1]!.plan?.rung, 'note', 'plan');
        isFull = false;
        checkSame(faultsOf([await recorder.observe(look(4))]), [], 'faults afterwards');
        checkSame(await events(ledger), ids(5), 'steps');
        checkSame(
          (await createRecorder(ledger).observe(move(5))).step,
          5,
          'step of the next process',
        );
      },
    ),
    on(
      'tells events of one moment apart, though another session was written between them',
      async (ledger) => {
        let isFull = false;
        const recorder = createRecorder(limited(ledger, () => isFull));
        await recorder.observe(look(0));
        isFull = true;
        await recorder.observe({ ...move(1), id: undefined });
        isFull = false;
        await recorder.observe(look(0, { session: 'other' }));
        checkSame(faultsOf([await recorder.observe({ ...move(1), id: undefined })]), [], 'faults');
        checkSame(await events(ledger), ids(3), 'steps');
      },
    ),
    on('keeps what is to be written when it is flushed during a step', async (ledger) => {
      const slow: Ledger = {
        ...ledger,
        async update(...given) {
          const versions = await ledger.update(...given);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return versions;
        },
      };
      const recorder = createRecorder(slow);
      recorder.observeNow(move(0));
      const step = recorder.observe(move(1, { session: 'other' }));
      await null;
      const flushed = recorder.flush();
      recorder.observeNow(move(2));
      await Promise.all([step, flushed]);
      await recorder.flush();
      checkSame(await events(ledger), [0, 1], 'steps');
    }),
    on('counts nothing of what a full disk refused, where it is sent again', async (ledger) => {
      let isFull = false;
      const recorder = createRecorder(
        limited(ledger, () => isFull),
        {},
        { unsaved: 'drop' },
      );
      await recorded(recorder, [look(0)]);
      isFull = true;
      const refused = await Promise.all([
        recorder.record([look(1), look(2)]),
        recorder.record([move(3, { session: 'other' })]),
      ]);
      check(
        refused.every(({ error, value }) => error !== undefined && value === undefined),
        'expected no verdicts',
      );
      isFull = false;
      const verdicts = await recorded(recorder, [look(1), look(2)]);
      checkSame(
        verdicts.map(({ step, plan }) => [step, plan?.rung ?? null]),
        [
          [1, null],
          [2, 'note'],
        ],
        'verdicts',
      );
      checkSame([await events(ledger), await events(ledger, 'other')], [ids(3), []], 'steps');
    }),
    on(
      'keeps what an entrance remembers beside the guard, and states of its own, in the same step',
      async (ledger) => {
        let isFull = false;
        const open = (): Recorder =>
          createRecorder(
            limited(ledger, () => isFull),
            {},
            { unsaved: 'drop' },
          );
        const about = { sessions: ['s'], keys: ['s/own'] };
        const turn = (recorder: Recorder, i: number) =>
          recorder.transaction(about, (step) => {
            const before = [step.memory('s') ?? null, step.own('s/own').read()];
            step.observe(look(i), { origin: () => ({ host: `turn ${i}` }) });
            step.remember('s', `memory ${i}`);
            step.save('s/own', `own ${i}`);
            return before;
          });
        const recorder = open();
        checkSame((await turn(recorder, 0)).value, [null, null], 'at first');
        isFull = true;
        check((await turn(recorder, 1)).error !== undefined, 'expected an error');
        isFull = false;
        checkSame((await turn(recorder, 2)).value, ['memory 0', 'own 0'], 'what was kept');
        checkSame((await turn(open(), 3)).value, ['memory 2', 'own 2'], 'after a restart');
        await createRecorder(ledger).observe(look(4));
        checkSame(
          (await turn(recorder, 5)).value,
          ['memory 3', 'own 3'],
          'beside another entrance',
        );
        checkSame(
          (await ledger.entries({ kind: 'event' })).map(({ data }) => data.host ?? null),
          ['turn 0', 'turn 2', 'turn 3', null, 'turn 5'],
          'origins',
        );
      },
    ),
    on('answers everybody when one part of a step throws', async (ledger) => {
      const recorder = createRecorder(ledger);
      const about = { sessions: ['s'] };
      const throws = recorder.transaction(about, (step) => {
        step.observe(look(0));
        throw new Error('no');
      });
      const after = recorder.record([look(0)]);
      checkSame((await throws).error instanceof Error, true, 'error');
      checkSame(
        (await after).value?.map(({ repeated }) => repeated ?? false),
        [false],
        'repeated',
      );
      checkSame(await events(ledger), [0], 'steps');
    }),
    on('keeps what shares a step with a part that throws', async (ledger) => {
      const recorder = createRecorder(ledger, {}, { unsaved: 'drop' });
      const throws = recorder.transaction({ sessions: ['s'], together: 1 }, (step) => {
        step.observe(look(0));
        throw new Error('no');
      });
      const others = Promise.all([
        recorder.record([look(0)]),
        recorder.record([look(0, { session: 'other' })]),
      ]);
      checkSame((await throws).error instanceof Error, true, 'error');
      checkSame(
        (await others).map(({ value }) => value?.map(({ repeated }) => repeated ?? false)),
        [[false], [false]],
        'repeated',
      );
      checkSame([await events(ledger), await events(ledger, 'other')], [[0], [0]], 'steps');
    }),
    on('gives what it wrote', async (ledger) => {
      const { entries } = await createRecorder(ledger).record(ids(4).map((i) => look(i)));
      checkSame(await ledger.entries(), entries, 'entries');
      check(
        entries.some(({ kind }) => kind === 'plan'),
        'expected a plan',
      );
    }),
  ];
}
