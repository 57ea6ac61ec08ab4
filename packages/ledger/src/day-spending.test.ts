import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '@unrut/engine/event';
import type { BudgetOptions } from '@unrut/engine/policy/spending';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { daySumSince, startOfDay } from './day-spending.ts';
import { sessionFiguresOf } from './figures/count-session.ts';
import type { Ledger } from './ledger.ts';
import { createMemoryLedger } from './memory.ts';
import { createRecorder } from './recorder.ts';
import { createSqliteLedger } from './sqlite/create-sqlite-ledger.ts';
import { type RunEvent, wordsOf } from './views/timeline-words.ts';

const NOON = new Date(2026, 4, 4, 12).getTime();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unrut-day-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const call = (session: string, i: number, usd: number, more: object = {}): AgentEvent => ({
  type: 'call-finished',
  session,
  at: NOON + i,
  call: { id: `${session}${i}`, tool: 'read_chapter', args: { name: `${session} ${i}` } },
  result: `Chapter ${i} of ${session} is about rivers.`,
  cost: { usd },
  ...more,
});

const LEDGERS: [string, () => Ledger][] = [
  ['SQLite', () => createSqliteLedger({ path: join(folder, 'ledger.db') })],
  ['memory', () => createMemoryLedger()],
];

describe.each(LEDGERS)('the day in %s', (_, open) => {
  const recorderOf = (ledger: Ledger, budget: BudgetOptions, attended = false) =>
    createRecorder(ledger, { budget, attended }, { now: () => NOON });

  test('counts dollars and steps of all sessions since midnight', async () => {
    const ledger = open();
    const recorder = createRecorder(ledger);
    await recorder.observe(call('a', 1, 0.5));
    await recorder.observe(call('b', 2, 0.25, { agent: 'n' }));
    await recorder.observe({ type: 'user-spoke', session: 'a', at: NOON, text: 'more' });
    await recorder.observe({
      type: 'text-added',
      session: 'a',
      at: NOON,
      text: 'The chapter is short.',
      channel: 'answer',
      done: true,
    });
    await recorder.observe({
      type: 'text-added',
      session: 'a',
      at: NOON,
      text: 'I wonder whether it is.',
      channel: 'thinking',
      done: true,
    });
    await recorder.observe(call('old', 1, 9, { at: NOON - 86_400_000 }));
    expect(await daySumSince(ledger, startOfDay(NOON))).toEqual({ usd: 0.75, steps: 3 });
    await recorder.observe(call('a', 3, 0.25));
    expect(await daySumSince(ledger, startOfDay(NOON))).toEqual({ usd: 1, steps: 4 });
    expect(await daySumSince(ledger, startOfDay(NOON) - 86_400_000)).toEqual({ usd: 10, steps: 5 });
    await ledger.close();
  });

  test('counts no step for a call that Unrut blocked', async () => {
    const ledger = open();
    const recorder = recorderOf(ledger, { day: { steps: 9 } });
    await recorder.observe(call('a', 1, 0));
    await recorder.observe(call('a', 2, 0, { refusedBy: 'unrut', result: 'Blocked.' }));
    await recorder.observe(call('a', 3, 0, { refusedBy: 'user', result: 'No.' }));
    const { budget } = await recorder.observe(call('a', 4, 0));
    expect(budget?.figures['day.steps']).toEqual({ spent: 3, limit: 9 });
    expect(await daySumSince(ledger, startOfDay(NOON))).toEqual({ usd: 0, steps: 3 });
    await ledger.close();
  });

  test('two sessions share the budget of the day', async () => {
    const ledger = open();
    const budget = { day: { usd: 2 } };
    const first = recorderOf(ledger, budget);
    const second = recorderOf(ledger, budget);
    expect((await first.observe(call('a', 1, 1))).plan).toBeNull();
    const near = await second.observe(call('b', 2, 0.6));
    expect(near.plan).toMatchObject({ rung: 'note', reason: 'budget/day.usd' });
    const over = await first.observe(call('a', 3, 0.5));
    expect(over.plan).toMatchObject({ rung: 'escalate', reason: 'budget/day.usd' });
    expect(over.plan?.toModel).toContain('the budget of this day is spent: $2.10 of $2.00');
    await ledger.close();
  });

  test('a twin of another day is left alone', async () => {
    const ledger = open();
    await createRecorder(ledger).observe(call('a', 1, 5, { at: NOON - 86_400_000 }));
    const { plan, budget } = await recorderOf(ledger, { day: { usd: 2 } }).observe(
      call('b', 2, 0.6),
    );
    expect(plan).toBeNull();
    expect(budget?.figures['day.usd']).toEqual({ spent: 0.6, limit: 2 });
    await ledger.close();
  });

  test('events of one step count one after the other', async () => {
    const ledger = open();
    const { value } = await recorderOf(ledger, { day: { steps: 3 } }).record([
      call('a', 1, 0),
      call('a', 2, 0),
      call('b', 3, 0),
    ]);
    expect(value!.map(({ budget }) => budget?.figures['day.steps']?.spent)).toEqual([1, 2, 3]);
    await ledger.close();
  });

  test('a recorder that writes later counts the day as well', async () => {
    const ledger = open();
    await createRecorder(ledger).observe(call('a', 1, 1));
    const recorder = recorderOf(ledger, { day: { usd: 2 } });
    recorder.observeNow(call('b', 2, 0.1));
    await recorder.flush();
    const { budget } = recorder.observeNow(call('b', 3, 0.2));
    expect(budget?.figures['day.usd']?.spent).toBeCloseTo(1.3);
    await ledger.close();
  });
});

test('a ledger with reports is asked for the day once in ten seconds', async () => {
  const asked: object[] = [];
  const reports = {
    stats: async (query: object) => {
      asked.push(query);
      return { usd: 3, steps: 40 };
    },
  } as unknown as NonNullable<Ledger['reports']>;
  const ledger = { ...createMemoryLedger(), reports };
  const since = startOfDay(NOON);
  expect(await daySumSince(ledger, since)).toEqual({ usd: 3, steps: 40 });
  expect(await daySumSince(ledger, since)).toEqual({ usd: 3, steps: 40 });
  expect(asked).toEqual([{ since, by: 'day' }]);
});

describe('the record of a budget', () => {
  test('holds what is spent, the question, and that the user extended it', async () => {
    const ledger = createMemoryLedger();
    const recorder = createRecorder(ledger, { budget: { usd: 1 } });
    await recorder.observe(call('a', 1, 1));
    await recorder.observe({ type: 'user-spoke', session: 'a', at: NOON + 9, text: 'go on' });
    const entries = await ledger.entries({ session: 'a' });
    expect(entries.map(({ kind, data }) => [kind, data.reason ?? data.budget])).toEqual([
      ['event', { figures: { usd: { spent: 1, limit: 1 } } }],
      ['plan', 'budget/usd'],
      ['event', { figures: { usd: { spent: 1, limit: 2 } }, extended: ['usd'] }],
    ]);
    expect(sessionFiguresOf('a', entries).budget).toEqual({ usd: { spent: 1, limit: 2 } });
    expect(wordsOf(entries.at(-1)!.data as unknown as RunEvent).brought).toBe(
      'the budget is now $2.00',
    );
  });

  test('a run pays for sessions that other processes record', async () => {
    const ledger = createMemoryLedger();
    const options = { budget: { steps: 3 }, attended: false };
    const steps: (string | undefined)[] = [];
    for (const session of ['one', 'two', 'three']) {
      // A new recorder for each call, since each hook is a process of its own.
      const { plan } = await createRecorder(ledger, options).observe(
        call(session, 1, 0, { parent: 'run' }),
      );
      steps.push(plan?.rung);
    }
    expect(steps).toEqual([undefined, undefined, 'escalate']);
  });
});
