import { expect, test } from 'vitest';
import { learnedIn, MAX_OUTCOMES } from './learned.ts';
import type { LedgerEntry } from './ledger.ts';
import { createMemoryLedger } from './memory.ts';

const outcome = (i: number, reward: number): LedgerEntry => ({
  id: `o${i}`,
  session: `s${i}`,
  at: i,
  kind: 'outcome',
  step: 1,
  data: {
    plan: 'p0',
    outcome: 'recovered',
    offer: { failure: 'f', world: 'shell', offered: ['move'], followed: 'move', reward },
  },
});

test('the newest outcomes are learned from, so that a ledger of years is asked for no more', async () => {
  const ledger = createMemoryLedger();
  const old = Array.from({ length: MAX_OUTCOMES }, (_, i) => outcome(i, -1));
  const late = Array.from({ length: MAX_OUTCOMES }, (_, i) => outcome(MAX_OUTCOMES + i, 1));
  await ledger.update([], () => ({ entries: [...old, ...late] }));
  expect((await learnedIn(ledger))['f/shell/move']).toBeGreaterThan(0.99);
});

test('twin: while there are fewer, all count', async () => {
  const ledger = createMemoryLedger();
  await ledger.update([], () => ({
    entries: [outcome(1, -1), outcome(2, -1), outcome(3, 1), outcome(4, 1)],
  }));
  expect((await learnedIn(ledger))['f/shell/move']).toBe(0.5);
});
