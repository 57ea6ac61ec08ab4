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

const module = (code: string): URL => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await wait(5);
};

/** A ledger whose thread has begun: what this thread writes by itself is there before the next turn of the event loop. */
async function opened(path = newPath(), program = PROGRAM): Promise<Ledger> {
  const ledger = createThreadedLedger({ path }, program);
  await until(async () => {
    let isWritten = false;
    const writing = ledger
      .update([], () => ({}), REPEATABLE)
      .then(
        () => {
          isWritten = true;
        },
        () => undefined,
      );
    await new Promise(setImmediate);
    const isThere = !isWritten;
    await writing;
    return isThere;
  });
  return ledger;
}

for (const { name, run } of testLedger('with a thread', () => opened())) test(name, run);

test('a change that comes too late is made again, with what the other one wrote', async () => {
  const path = newPath();
  const other = createSqliteLedger({ path });
  const ledger = await opened(path);
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
  const ledger = await opened(path);
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
  const ledger = await opened(path);
  const writing = Array.from({ length: 20 }, (_, i) => ledger.update([`s${i}`], addOne, REPEATABLE));
  await ledger.close();
  expect((await Promise.all(writing)).length).toBe(20);
  const later = createSqliteLedger({ path });
  expect(await Promise.all(Array.from({ length: 20 }, (_, i) => later.loadState(`s${i}`)))).toEqual(Array(20).fill(1));
  await later.close();
});

test('when the thread ends, what it had is told to have failed, the rest is written without it, and a fault tells of it', async () => {
  const dying = module(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', () => { throw new Error('boom') });
    parentPort.postMessage('ready');
  `);
  const ledger = createThreadedLedger({ path: newPath() }, dying);
  let failed: unknown;
  // Until it has begun, nothing is given to it.
  await until(async () => {
    await ledger.update(['s'], addOne, REPEATABLE).catch((error: unknown) => {
      failed = error;
    });
    return failed !== undefined;
  });
  expect(failed).toMatchObject({ code: 'ledger-unusable', message: expect.stringContaining('has ended: boom. Try again.') });
  const before = await ledger.loadState('s');
  await ledger.update(['s'], addOne, REPEATABLE);
  expect(await ledger.loadState('s')).toBe(Number(before) + 1);
  await until(async () => (await ledger.entries({ kind: 'fault' })).length > 0);
  expect((await ledger.entries({ kind: 'fault' }))[0]!.data.message).toContain('boom');
  await ledger.close();
});

test.each([['process.exit(3)'], ['throw new Error("boom")'], ['']])('a thread that never begins fails nothing: %s', async (code) => {
  const ledger = createThreadedLedger({ path: newPath() }, module(code));
  for (let i = 0; i < 3; i++) await ledger.update(['s'], addOne, REPEATABLE);
  await ledger.append([]);
  expect(await ledger.loadState('s')).toBe(3);
  await Promise.all([ledger.close(), ledger.close()]);
});

test('many changes of one session at once are each made once, from the one before', async () => {
  const ledger = await opened();
  let calls = 0;
  const change = (saved: readonly SavedState[]) => {
    calls++;
    return addOne(saved);
  };
  await Promise.all(Array.from({ length: 50 }, (_, i) => ledger.update(i % 2 === 0 ? ['s'] : ['s', `t${i}`], change, REPEATABLE)));
  expect([calls, await ledger.loadState('s')]).toEqual([50, 50]);
  await ledger.close();
});

test.each<[string, () => Ledger | Promise<Ledger>]>([
  ['with a thread', () => opened()],
  ['without', () => createSqliteLedger({ path: newPath() })],
])('requests at once keep the order of each session: %s', async (_, open) => {
  const ledger = await open();
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
