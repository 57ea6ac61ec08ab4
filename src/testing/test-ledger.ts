import { createGuard, type Snapshot } from '../guard.ts';
import type { Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { recordTo } from '../ledger/record.ts';
import { type Case, check } from './case.ts';

const entry = (id: string, changes: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  session: 'a',
  at: 1000,
  kind: 'event',
  step: 0,
  data: { type: 'call-finished' },
  ...changes,
});

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The suite that every ledger passes. `open` gives a new, empty one each time. */
export function testLedger(name: string, open: () => Ledger | Promise<Ledger>): Case[] {
  const on = (title: string, run: (ledger: Ledger) => Promise<void>): Case => ({
    name: `${name}: ${title}`,
    run: async () => {
      const ledger = await open();
      try {
        await run(ledger);
      } finally {
        await ledger.close();
      }
    },
  });
  return [
    on('gives back entries as they were, oldest first', async (ledger) => {
      const entries = [
        entry('1', { at: 3000 }),
        entry('2', { at: 1000, agent: 'x' }),
        entry('3', { at: 2000, kind: 'signal', data: { n: [1, null, 'ü'] } }),
      ];
      await ledger.append(entries);
      check(
        same(
          (await ledger.entries()).map((each) => each.id),
          ['2', '3', '1'],
        ),
        'expected the order of time',
      );
      check(same((await ledger.entries({ kind: 'signal' }))[0], entries[2]), 'expected the same entry back');
    }),
    on('keeps the order of entries of one time', async (ledger) => {
      await ledger.append(['1', '2', '3'].map((id) => entry(id)));
      check(
        same(
          (await ledger.entries()).map((each) => each.id),
          ['1', '2', '3'],
        ),
        'expected the order in which they came',
      );
    }),
    on('counts an entry once', async (ledger) => {
      await ledger.append([entry('1')]);
      await ledger.append([entry('1', { at: 9 }), entry('2')]);
      check(
        same(
          (await ledger.entries()).map(({ id, at }) => [id, at]),
          [
            ['1', 1000],
            ['2', 1000],
          ],
        ),
        'expected the first to stay',
      );
    }),
    on('selects by session, kind, time and number', async (ledger) => {
      await ledger.append([
        entry('1'),
        entry('2', { session: 'b', at: 2000 }),
        entry('3', { at: 3000, kind: 'plan' }),
        entry('4', { at: 4000 }),
      ]);
      const ids = async (query: object): Promise<string> => (await ledger.entries(query)).map((each) => each.id).join('');
      check((await ids({ session: 'a' })) === '134', 'session');
      check((await ids({ kind: 'plan' })) === '3', 'kind');
      check((await ids({ since: 2000 })) === '234', 'since');
      check((await ids({ session: 'a', last: 2 })) === '34', 'last');
      check((await ids({ last: 0 })) === '', 'last 0');
    }),
    on('lists sessions, the most recently active first', async (ledger) => {
      await ledger.append([entry('1'), entry('2', { session: 'b', at: 2000 }), entry('3', { at: 3000, kind: 'signal' })]);
      check(
        same(await ledger.sessions(), [
          { session: 'a', first: 1000, last: 3000, events: 1, signals: 1 },
          { session: 'b', first: 2000, last: 2000, events: 1, signals: 0 },
        ]),
        'expected a then b with their counts',
      );
    }),
    on('keeps state by session and forgets it', async (ledger) => {
      check((await ledger.loadState('a')) === null, 'nothing at first');
      await ledger.saveState('a', { n: 1 });
      await ledger.saveState('a', { n: 2, deep: [null, { x: 'ü' }] });
      await ledger.saveState('b', 1);
      await ledger.append([entry('1'), entry('2', { session: 'b' })]);
      check(same(await ledger.loadState('a'), { n: 2, deep: [null, { x: 'ü' }] }), 'expected the last state');
      await ledger.forget('a');
      check((await ledger.loadState('a')) === null && (await ledger.entries({ session: 'a' })).length === 0, 'expected nothing of a');
      check((await ledger.loadState('b')) === 1 && (await ledger.entries()).length === 1, 'expected b untouched');
      await ledger.forget();
      check((await ledger.loadState('b')) === null && (await ledger.sessions()).length === 0, 'expected nothing at all');
    }),
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
        const event = {
          type: 'call-finished' as const,
          session: 's',
          at: i * 5000,
          call: { id: `c${i}`, tool: 'lookup_order', args: { order: 7 } },
          result: 'Order 7 was shipped on Monday.',
        };
        const { signals } = await recordTo(ledger).observe(event);
        if (signals.length > 0) raised.push(i);
      }
      check(same(raised, [3, 4]), `expected signals at calls 3 and 4, got ${raised.join(', ')}`);
      const guard = createGuard({ from: (await ledger.loadState('s')) as unknown as Snapshot });
      check(guard.knows('s'), 'expected the saved state to be a snapshot');
      check((await ledger.entries({ kind: 'signal' })).length >= 2, 'expected the signals in the record');
    }),
  ];
}
