import { createGuard, type Snapshot } from '@unrut/engine/guard';
import { JsonText } from '@unrut/ledger/json-text';
import type { ContextEntry, Ledger, LedgerEntry } from '@unrut/ledger/ledger';
import { createRecorder as recordTo } from '@unrut/ledger/recorder';
import { RepeatedEntry } from '@unrut/ledger/repeated-entry';
import { type Case, casesAbout, check, checkSame, sameLook } from './case.ts';

const entry = (id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  session: 'a',
  at: 1000,
  kind: 'event',
  step: 0,
  data: { type: 'call-finished' },
  ...changes,
});

const advice = (id: string, changes: Partial<ContextEntry> = {}): ContextEntry => ({
  id,
  session: 'a',
  timestamp: 1000,
  entryType: 'note',
  topic: 'loop_recovery',
  content: 'Take the next task.',
  relatedTasks: ['t1', 't2'],
  confidence: 0.5,
  metadata: { n: [1, null, 'ü'] },
  ...changes,
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The suite that every ledger passes. `open` gives a new, empty one each time. */
export function testLedger(name: string, open: () => Ledger | Promise<Ledger>): Case[] {
  const on = casesAbout(name, open);
  return [
    on('gives back entries as they were, oldest first', async (ledger) => {
      const entries = [
        entry('1', { at: 3000 }),
        entry('2', { at: 1000, agent: 'x' }),
        entry('3', { at: 2000, kind: 'signal', data: { n: [1, null, 'ü'] } }),
      ];
      await ledger.append(entries);
      checkSame(
        (await ledger.entries()).map((each) => each.id),
        ['2', '3', '1'],
        'the order of time',
      );
      checkSame((await ledger.entries({ kind: 'signal' }))[0], entries[2], 'the same entry back');
    }),
    on('keeps the order of entries of one time', async (ledger) => {
      await ledger.append(['1', '2', '3'].map((id) => entry(id)));
      checkSame(
        (await ledger.entries()).map((each) => each.id),
        ['1', '2', '3'],
        'the order in which they came',
      );
    }),
    on('counts an entry once', async (ledger) => {
      await ledger.append([entry('1')]);
      await ledger.append([entry('1', { at: 9 }), entry('2')]);
      checkSame(
        (await ledger.entries()).map(({ id, at }) => [id, at]),
        [
          ['1', 1000],
          ['2', 1000],
        ],
        'the first to stay',
      );
    }),
    on('selects by session, kind, time and number', async (ledger) => {
      await ledger.append([
        entry('1'),
        entry('2', { session: 'b', at: 2000 }),
        entry('3', { at: 3000, kind: 'plan' }),
        entry('4', { at: 4000 }),
      ]);
      const ids = async (query: object): Promise<string> =>
        (await ledger.entries(query)).map((each) => each.id).join('');
      check((await ids({ session: 'a' })) === '134', 'session');
      check((await ids({ kind: 'plan' })) === '3', 'kind');
      check((await ids({ since: 2000 })) === '234', 'since');
      check((await ids({ session: 'a', last: 2 })) === '34', 'last');
      check((await ids({ last: 0 })) === '', 'last 0');
    }),
    on('lists sessions, the most recently active first', async (ledger) => {
      await ledger.append([
        entry('1'),
        entry('2', { session: 'b', at: 2000 }),
        entry('3', { at: 3000, kind: 'signal' }),
      ]);
      checkSame(
        await ledger.sessions(),
        [
          { session: 'a', first: 1000, last: 3000, events: 1, signals: 1 },
          { session: 'b', first: 2000, last: 2000, events: 1, signals: 0 },
        ],
        'a then b with their counts',
      );
    }),
    on('keeps state by session and forgets it', async (ledger) => {
      check((await ledger.loadState('a')) === null, 'nothing at first');
      await ledger.saveState('a', { n: 1 });
      await ledger.saveState('a', { n: 2, deep: [null, { x: 'ü' }] });
      await ledger.saveState('b', 1);
      await ledger.append([entry('1'), entry('2', { session: 'b' })]);
      checkSame(await ledger.loadState('a'), { n: 2, deep: [null, { x: 'ü' }] }, 'the last state');
      await ledger.forget('a');
      check(
        (await ledger.loadState('a')) === null &&
          (await ledger.entries({ session: 'a' })).length === 0,
        'expected nothing of a',
      );
      check(
        (await ledger.loadState('b')) === 1 && (await ledger.entries()).length === 1,
        'expected b untouched',
      );
      await ledger.forget();
      check(
        (await ledger.loadState('b')) === null && (await ledger.sessions()).length === 0,
        'expected nothing at all',
      );
    }),
    on('selects by what ids begin with', async (ledger) => {
      await ledger.append([
        entry('a/1/x'),
        entry('a/1/y', { at: 500 }),
        entry('a/10/x'),
        entry('a/2'),
        entry('b/1/x'),
      ]);
      const found = await ledger.entries({ under: ['a/1/', 'b/', 'none'] });
      checkSame(found.map(({ id }) => id).sort(), ['a/1/x', 'a/1/y', 'b/1/x'], 'three');
      check((await ledger.entries({ under: [] })).length === 0, 'expected none');
    }),
    on('counts pieces of messages, and finds them by their ids only', async (ledger) => {
      const piece = (id: string): LedgerEntry => entry(id, { kind: 'piece', step: 7, data: {} });
      await ledger.update(['a'], () => ({ states: [1], once: [piece('a/1/x'), entry('a/2/x')] }));
      await ledger.append([piece('a/1/x'), piece('a/3/x')]);
      check(
        (await ledger.entries()).length === 1 &&
          (await ledger.entries({ session: 'a', since: 0 })).length === 1,
        'expected no piece',
      );
      checkSame(await ledger.entries({ under: ['a/1/'] }), [piece('a/1/x')], 'the piece by its id');
      check((await ledger.sessions())[0]?.events === 3, 'expected each to count once');
      for (const known of [piece('a/3/x'), entry('a/3/x'), piece('a/2/x')]) {
        await ledger.append([known]);
        const again = ledger.update(['a'], () => ({ states: [2], once: [known] }));
        check(
          (await again.catch((error: unknown) => error)) instanceof RepeatedEntry,
          'expected an id to be new once, as piece or entry',
        );
      }
      check((await ledger.sessions())[0]?.events === 3, 'expected nothing of it');
      await ledger.append([entry('a/b/1/x', { session: 'a/b', kind: 'piece', data: {} })]);
      await ledger.forget('a');
      checkSame(
        (await ledger.entries({ under: ['a/'] })).map(({ id }) => id),
        ['a/b/1/x'],
        'only those of a to be forgotten',
      );
      await ledger.forget();
      check(
        (await ledger.entries({ under: ['a/'] })).length === 0,
        'expected nothing after all was forgotten',
      );
    }),
    on('takes a state that is text already', async (ledger) => {
      await ledger.update(['a'], () => ({ states: [new JsonText('{"n":[1,"ü"]}')] }));
      checkSame(await ledger.loadState('a'), { n: [1, 'ü'] }, 'the value that the text is of');
    }),
    on('writes nothing when an entry that must be new is not', async (ledger) => {
      await ledger.update(['a'], () => ({ states: [1], once: [entry('1'), entry('2')] }));
      const fails = (once: LedgerEntry[]) =>
        ledger
          .update(['a'], () => ({ states: [2], entries: [entry('4')], once }))
          .then(
            () => false,
            (error: unknown) => error instanceof RepeatedEntry,
          );
      check(await fails([entry('3'), entry('2')]), 'expected an error that says so');
      check(
        (await ledger.loadState('a')) === 1 && (await ledger.entries()).length === 2,
        'expected nothing of it',
      );
    }),
    on('lists no session for a fault that belongs to none', async (ledger) => {
      await ledger.append([
        entry('1', { session: '', kind: 'fault', data: { where: 'ledger', message: 'torn' } }),
      ]);
      check((await ledger.sessions()).length === 0, 'expected no session');
      check(
        (await ledger.entries({ session: '', kind: 'fault' })).length === 1,
        'expected the fault',
      );
    }),
    on('updates states, entries and context in one step', async (ledger) => {
      const [first] = await ledger.update(['a'], ([saved]) => {
        check(
          saved?.version === 0 && saved.read() === null,
          'expected version 0 and nothing at first',
        );
        return { states: [{ n: 1 }], entries: [entry('1')], context: [advice('1')] };
      });
      const [a, b] = await ledger.update(['a', 'b'], ([saved, other]) => {
        check(
          saved?.version === first && isSame(saved?.read(), { n: 1 }) && other?.version === 0,
          'expected what was saved',
        );
        return { states: [{ n: 2 }, { n: 3 }] };
      });
      check(
        new Set([0, first, a, b]).size === 4,
        `expected another version after every save, got ${[first, a, b].join(', ')}`,
      );
      check(
        isSame(await ledger.loadState('a'), { n: 2 }) &&
          isSame(await ledger.loadState('b'), { n: 3 }),
        'expected both states',
      );
      check(
        (await ledger.entries()).length === 1 && (await ledger.context()).length === 1,
        'expected the entries',
      );
      checkSame(await ledger.update(['a'], () => ({})), [], 'nothing saved');
      checkSame(await ledger.loadState('a'), { n: 2 }, 'the state as it was');
    }),
    on('gives no version twice, not even after forgetting', async (ledger) => {
      const save = () => ledger.update(['a'], () => ({ states: [1] }));
      const before = await save();
      await ledger.forget('a');
      check(!isSame(before, await save()), 'expected another version');
    }),
    on('changes nothing when the change throws', async (ledger) => {
      await ledger.saveState('a', 1);
      const failed = await ledger
        .update(['a'], () => {
          throw new Error('no');
        })
        .then(
          () => false,
          (error: Error) => error.message === 'no',
        );
      check(
        failed && (await ledger.loadState('a')) === 1,
        'expected the error, and the state as it was',
      );
    }),
    on('loses no update of many at once', async (ledger) => {
      const add = (i: number) =>
        ledger.update(['a'], ([saved]) => ({
          states: [Number(saved!.read()) + 1],
          entries: [entry(`${i}`)],
        }));
      await Promise.all(Array.from({ length: 50 }, (_, i) => add(i)));
      check(
        (await ledger.loadState('a')) === 50 && (await ledger.entries()).length === 50,
        'expected all 50',
      );
    }),
    on(
      'keeps context entries, selects by session, topic and number, and forgets them',
      async (ledger) => {
        const context = [
          advice('1', { timestamp: 3000 }),
          advice('2', { session: 'b' }),
          advice('3', { timestamp: 2000, topic: 'other', relatedTasks: ['T9'] }),
        ];
        await ledger.update([], () => ({ context }));
        await ledger.update([], () => ({ context: [advice('1', { content: 'again' })] }));
        const ids = async (query: object): Promise<string> =>
          (await ledger.context(query)).map((each) => each.id).join('');
        check((await ids({ task: 'T9' })) === '3', 'expected the entries of the task alone');
        check((await ids({})) === '231', 'order of time');
        check((await ids({ session: 'a' })) === '31', 'session');
        check(
          (await ids({ topics: ['other', 'none'] })) === '3' && (await ids({ topics: [] })) === '',
          'topics',
        );
        check((await ids({ last: 2 })) === '31', 'last');
        checkSame((await ledger.context({ last: 1 }))[0], context[0], 'the same entry back');
        await ledger.forget('a');
        check((await ids({})) === '2', 'expected nothing of a');
      },
    ),
    on('is not changed through what it gave or was given', async (ledger) => {
      const given = entry('1');
      await ledger.append([given]);
      given.data.type = 'changed';
      (await ledger.entries())[0]!.data.type = 'changed too';
      check((await ledger.entries())[0]!.data.type === 'call-finished', 'expected a copy');
    }),
    on('carries a guard over a restart between any two calls', async (ledger) => {
      const raised: number[] = [];
      for (let i = 1; i <= 4; i++) {
        const { signals } = await recordTo(ledger).observe(sameLook(i, i * 5000));
        if (signals.length > 0) raised.push(i);
      }
      checkSame(raised, [3, 4], 'calls with a signal');
      const guard = createGuard({ from: (await ledger.loadState('s')) as unknown as Snapshot });
      check(guard.knows('s'), 'expected the saved state to be a snapshot');
      check(
        (await ledger.entries({ kind: 'signal' })).length >= 2,
        'expected the signals in the record',
      );
    }),
    on(
      'lets guards that live side by side share a session, and records all of their events',
      async (ledger) => {
        const guards = [recordTo(ledger), recordTo(ledger)];
        const raised: number[] = [];
        for (let i = 1; i <= 6; i++) {
          // The last two at once: without ids, only the order tells them apart.
          const { signals } = await guards[i % 2]!.observe(sameLook(i, Math.min(i, 5) * 5000));
          if (signals.length > 0) raised.push(i);
        }
        checkSame(raised.slice(0, 3), [3, 4, 5], 'calls with a signal');
        check((await ledger.entries({ kind: 'event' })).length === 6, 'expected six events');
      },
    ),
  ];
}
