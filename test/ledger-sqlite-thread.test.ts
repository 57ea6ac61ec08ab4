import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Json } from '../src/event.ts';
import type { Ledger, SavedState } from '../src/index.ts';
import { createThreadedLedger } from '../src/ledger/sqlite/create-threaded-ledger.ts';
import { createSqliteLedger } from '../src/ledger/sqlite/index.ts';
import { recordTogether } from '../src/server/events/record-together.ts';
import { testLedger } from '../src/testing/index.ts';
import { newPath } from './ledger-files.ts';
import { lookup } from './server/served.ts';

const PROGRAM = new URL('../src/cli/main.ts', import.meta.url);
const REPEATABLE = { repeatable: true };

const addOne = ([saved]: readonly SavedState[]): { states: Json[] } => ({ states: [((saved!.read() as number | null) ?? 0) + 1] });

for (const { name, run } of testLedger('with a thread', () => createThreadedLedger({ path: newPath() }, PROGRAM))) test(name, run);

test('a change that comes too late is made again, with what the other one wrote', async () => {
  const path = newPath();
  const other = createSqliteLedger({ path });
  const ledger = createThreadedLedger({ path }, PROGRAM);
  let calls = 0;
  const change = (saved: readonly SavedState[]) => {
    const made = addOne(saved);
    // Another process is faster.
    if (calls++ === 0) void other.update(['s'], addOne);
    return made;
  };
  const [version] = await ledger.update(['s'], change, REPEATABLE);
  expect([calls, await ledger.loadState('s')]).toEqual([2, 2]);
  expect(await ledger.update(['s'], ([saved]) => ({ states: [saved!.version] }), REPEATABLE)).not.toEqual([version]);
  expect(await ledger.loadState('s')).toBe(version);
  await ledger.close();
  await other.close();
});

test('nobody waits for who writes: the program goes on while another process has the file', async () => {
  const path = newPath();
  const ledger = createThreadedLedger({ path }, PROGRAM);
  await ledger.update(['s'], addOne, REPEATABLE);
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let isWritten = false;
  const writing = ledger.update(['s'], addOne, REPEATABLE).then(() => {
    isWritten = true;
  });
  await wait(100);
  expect(isWritten).toBe(false);
  other.exec('COMMIT');
  await writing;
  expect(await ledger.loadState('s')).toBe(2);
  other.close();
  await ledger.close();
});

test('closing waits for what was to be written', async () => {
  const path = newPath();
  const ledger = createThreadedLedger({ path }, PROGRAM);
  const writing = Array.from({ length: 20 }, (_, i) => ledger.update([`s${i}`], addOne, REPEATABLE));
  await ledger.close();
  expect((await Promise.all(writing)).length).toBe(20);
  const later = createSqliteLedger({ path });
  expect(await Promise.all(Array.from({ length: 20 }, (_, i) => later.loadState(`s${i}`)))).toEqual(Array(20).fill(1));
  await later.close();
});

test('when the thread ends, what it had is told to have failed, and the rest is written without it', async () => {
  const ledger = createThreadedLedger({ path: newPath() }, new URL('data:text/javascript,process.exit(3)'));
  await expect(ledger.update(['s'], addOne, REPEATABLE)).rejects.toMatchObject({
    code: 'ledger-unusable',
    message: expect.stringContaining('exit code 3'),
  });
  expect(await ledger.loadState('s')).toBe(null);
  await ledger.update(['s'], addOne, REPEATABLE);
  expect(await ledger.loadState('s')).toBe(1);
  await ledger.close();
});

test.each<[string, () => Ledger]>([
  ['with a thread', () => createThreadedLedger({ path: newPath() }, PROGRAM)],
  ['without', () => createSqliteLedger({ path: newPath() })],
])('requests at once keep the order of each session: %s', async (_, open) => {
  const ledger = open();
  const record = recordTogether(ledger);
  const options = [{}, { shadow: true }];
  const counts = [0, 0, 0, 0, 0];
  const eventOf = (session: number) => {
    const nth = counts[session]!++;
    return lookup(nth, { session: `s${session}`, id: `${session}-${nth}`, call: { id: `${nth}`, tool: 'look', args: { nth } } });
  };
  const requests: Promise<unknown>[] = [];
  for (let i = 0; i < 300; i++) {
    // Some are of several sessions, some are judged by other rules, and some come later.
    const events = Array.from({ length: 1 + (i % 4) }, (_, k) => eventOf((i * 7 + k * (i % 3)) % 5));
    const expected = events.map(({ id }) => Number(id!.split('-')[1]));
    requests.push(
      record(events, options[Number(i % 5 === 0)]!).then((verdicts) => expect(verdicts.map(({ step }) => step)).toEqual(expected)),
    );
    if (i % 20 === 0) await wait(1);
  }
  await Promise.all(requests);
  for (const [session, count] of counts.entries())
    expect((await ledger.entries({ session: `s${session}`, kind: 'event' })).map(({ step }) => step)).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
  await ledger.close();
});
