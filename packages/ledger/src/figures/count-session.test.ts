import { recordLoop } from '@unrut/test/views/recorded-run';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../ledger.ts';
import { createMemoryLedger } from '../memory.ts';
import { countSession, sessionFiguresOf } from './count-session.ts';
import type { HourRow } from './hour-changes.ts';

const AT = 1_794_800_000_000;

/** Counts each entry in a new counter that has only the saved state. */
function countedInTurns(entries: readonly LedgerEntry[]) {
  const rows: HourRow<'hours'>[] = [];
  let kept: string | undefined;
  let longest = 0;
  for (const entry of entries) {
    const count = countSession('s', kept);
    count.add(entry);
    rows.push(...count.hours().hours);
    kept = count.text();
    longest = Math.max(longest, Buffer.byteLength(kept));
  }
  return { rows, figures: countSession('s', kept).figures(), longest };
}

const sumOf = (
  rows: readonly HourRow<'hours'>[],
  name: 'steps' | 'loops' | 'wasted_steps' | 'usd' | 'wasted_usd' | 'last_sessions',
): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);

async function loopEntries(options: { tries: number; shadow?: boolean }): Promise<LedgerEntry[]> {
  const ledger = createMemoryLedger();
  await recordLoop(ledger, { session: 's', at: AT, ...options });
  return ledger.entries({ session: 's' });
}

/** Many loops in many nested agents, with texts of all lengths. */
function hostileEntries(): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let step = 0; step < 600; step++) {
    const agent = `agent ${'é'.repeat(step % 90)} ${step % 9}`;
    const at = AT + step * 60_000;
    const common = { session: 's', agent, at, step };
    const data = {
      type: 'call-finished',
      tool: 'Bash',
      cost: { tokens: 3, usd: 0.01 },
      model: 'm'.repeat(100),
      team: 'ü'.repeat(100),
    };
    entries.push({
      ...common,
      id: `e${step}`,
      kind: 'event',
      data: { ...data, seen: { call: { label: 'ß'.repeat(500), tool: 'npm' } } },
    });
    const signal = {
      detector: 'repeated-call',
      variant: 'consecutive',
      since: Math.max(0, step - 20),
      count: 3,
      strength: 0.9,
      rung: 'note',
    };
    const more = { streak: `s${step}`, text: '好'.repeat(500), evidence: { facts: {} } };
    entries.push({ ...common, id: `s${step}`, kind: 'signal', data: { ...signal, step, ...more } });
    const plan = {
      id: `p${step}`,
      recovery: 'say-what-repeats',
      rung: 'note',
      reason: 'repeated-call/consecutive',
      shadow: false,
    };
    entries.push({
      ...common,
      id: `p${step}`,
      kind: 'plan',
      data: { ...plan, streak: `s${step}` },
    });
    entries.push({
      ...common,
      id: `o${step}`,
      kind: 'outcome',
      data: { plan: `p${step}`, outcome: 'persisted' },
    });
  }
  return entries;
}

/** A session of calls with the streaks of steps that detectors report. */
function seenEntries(
  seen: readonly [detector: string, streak: string, since: number, at: number][],
) {
  const entries: LedgerEntry[] = [];
  for (let step = 0; step < 9; step++) {
    const common = { session: 's', at: AT + step * 1000, step };
    const call = { type: 'call-finished', tool: 'Bash', seen: { call: { label: 'make' } } };
    entries.push({ ...common, id: `e${step}`, kind: 'event', data: call });
    for (const [detector, streak, since, at] of seen)
      if (at === step) {
        const kind = { detector, variant: 'often', streak, since, step, count: 3, strength: 0.5 };
        const data = { ...kind, rung: 'note', evidence: { facts: {}, keys: [] }, text: detector };
        entries.push({ ...common, id: `s${entries.length}`, kind: 'signal', data });
      }
  }
  return entries;
}

/** The final rows of a session's loops in the ledger. */
function loopsLeft(entries: readonly LedgerEntry[]): { id: number; detector: string }[] {
  const rows = new Map<number, string>();
  let kept: string | undefined;
  for (const entry of entries) {
    const count = countSession('s', kept);
    count.add(entry);
    for (const { id, detector, also } of count.loops()) {
      rows.set(id, detector);
      for (const other of also) rows.delete(other);
    }
    kept = count.text();
  }
  return [...rows].map(([id, detector]) => ({ id, detector })).sort((a, b) => a.id - b.id);
}

describe('a loop of a session has one row', () => {
  test('also where advice lay over it before it continued', () => {
    const advice = ['stale-poll', 'a', 1, 6] as const;
    expect(
      loopsLeft(seenEntries([[...advice], ['cycle', 'b', 6, 7], ['cycle', 'b', 6, 8]])),
    ).toEqual([{ id: 1, detector: 'cycle' }]);
  });

  test('and another loop has its own', () => {
    expect(
      loopsLeft(
        seenEntries([
          ['repeated-call', 'a', 1, 3],
          ['cycle', 'b', 6, 7],
          ['cycle', 'b', 6, 8],
        ]),
      ),
    ).toEqual([
      { id: 0, detector: 'repeated-call' },
      { id: 1, detector: 'cycle' },
    ]);
  });
});

describe('a session is counted in turns', () => {
  test.each([
    ['a loop', { tries: 9 }],
    ['a loop that is only recorded', { tries: 9, shadow: true }],
    ['two calls, which are none', { tries: 2 }],
  ])('as by one who reads all of it: %s', async (_, options) => {
    const entries = await loopEntries(options);
    const whole = sessionFiguresOf('s', entries);
    const { steps, loops, wasted } = whole;
    const { rows, figures } = countedInTurns(entries);
    expect(figures).toEqual(whole);
    expect(loops).toBe(options.tries > 2 ? 1 : 0);
    expect([sumOf(rows, 'steps'), sumOf(rows, 'loops'), sumOf(rows, 'wasted_steps')]).toEqual([
      steps,
      loops,
      wasted.steps,
    ]);
    expect(sumOf(rows, 'last_sessions')).toBe(1);
  });

  test('a piece of a message only shows that it continues', () => {
    const piece: LedgerEntry = { id: 'x', session: 's', at: AT, kind: 'piece', step: 0, data: {} };
    const { rows, figures } = countedInTurns([piece, { ...piece, id: 'y', at: AT + 5 }]);
    expect(rows).toEqual([]);
    expect(figures).toMatchObject({ first: AT, last: AT + 5, steps: 0, ended: false });
  });

  test('in at most 6 KB, whatever it does, and its sums are those of its rows', () => {
    const { rows, figures, longest } = countedInTurns(hostileEntries());
    expect(longest).toBeGreaterThan(2000);
    expect(longest).toBeLessThanOrEqual(6144);
    expect(figures).toMatchObject({ steps: 600, plans: 600 });
    expect(figures.outcomes.persisted).toBe(600);
    for (const [name, sum] of [
      ['steps', figures.steps],
      ['loops', figures.loops],
      ['wasted_steps', figures.wasted.steps],
      ['usd', figures.usd],
      ['wasted_usd', figures.wasted.usd],
    ] as const)
      expect(sumOf(rows, name), name).toBeCloseTo(sum, 4);
  });
});
