import { createGuard, type Verdict } from '@unrut/engine/guard';
import type { Ledger } from '@unrut/ledger/ledger';
import { expect } from 'vitest';
import type { ToldVerdict } from '../../packages/server/src/events/record-events.ts';
import { keptSteps } from '../server/kept-steps.ts';
import { query } from './databases.ts';
import type { LoadResult } from './load.ts';

const COUNTED = `
  SELECT s.session, s.events AS counter,
    (SELECT count(*)::integer FROM unrut.events e WHERE e.session_no = s.session_no)
      + (SELECT count(*)::integer FROM unrut.pieces p WHERE p.session_no = s.session_no) AS rows
  FROM unrut.states s WHERE s.session = ANY ($1)`;

/** The stored data of an event, except what depends on the fingerprint key. */
const comparable = ({ signals, plan, outcomes, faults, step }: Verdict | ToldVerdict) => ({
  outcomes: outcomes.map(({ outcome }) => outcome),
  faults,
  step,
  signals: signals.map(({ detector, variant, count, since }) => ({
    detector,
    variant,
    count,
    since,
  })),
  plan: plan && { recovery: plan.recovery, rung: plan.rung },
});

/** The database's figures of sessions: the counts in their states, and their rows. */
export async function countsOf(
  sessions: readonly string[],
  database: string,
): Promise<Map<string, { counter: number; rows: number }>> {
  const counted = await query<{ session: string; counter: string; rows: number }>(
    database,
    COUNTED,
    [sessions],
  );
  return new Map(
    counted.map(({ session, counter, rows }) => [session, { counter: Number(counter), rows }]),
  );
}

/**
 * For every session: ids answered = rows = counter in `states` = steps that the guard knows; and
 * the verdicts are those of one guard in memory. `database` is the address of a superuser.
 */
export async function expectExact(
  { sent, told }: LoadResult,
  database: string,
  ledger: Pick<Ledger, 'loadState'>,
): Promise<void> {
  const bySession = await countsOf([...sent.keys()], database);
  for (const [session, events] of sent) {
    const { length } = events;
    if (length === 0) continue;
    const answered = told.get(session)!;
    const known = await keptSteps(ledger as Ledger, session);
    expect({ session, answered: answered.size, ...bySession.get(session), known }).toEqual({
      session,
      answered: length,
      counter: length,
      rows: length,
      known: length,
    });
    const guard = createGuard({ attended: false });
    const expected = events.map((event) => comparable(guard.observe(event)));
    expect(
      events.map(({ id }) => comparable(answered.get(id!)!)),
      session,
    ).toEqual(expected);
  }
}
