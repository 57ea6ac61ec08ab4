import { UnrutError } from '@unrut/engine/errors';
import type { Pool, PoolClient } from 'pg';
import { whenFree } from './postgres-error.ts';

/**
 * Retention in days, counted from a session's creation; for states and sessions, from the last
 * write.
 */
export interface KeptDays {
  pieces: number;
  events: number;
  findings: number;
  states: number;
  audit: number;
}

export const DEFAULT_DAYS: KeptDays = {
  pieces: 2,
  events: 14,
  findings: 400,
  states: 14,
  audit: 400,
};

/** The work done by one run of upkeep. */
export interface Upkept {
  made: number;
  dropped: string[];
  /** Rows of states and of sessions. */
  states: number;
  sessions: number;
}

const DAYS_AHEAD = 7;
/**
 * A session writes to its creation day's partition for this many days, so newer partitions must not
 * be dropped.
 */
const WRITTEN_FOR = 8;
const MONTH = 31;
const DAY = 24 * 60 * 60 * 1000;
const BATCH = 5000;

interface Part {
  name: string;
  parent: string;
  /** Detaching it was interrupted. */
  pending: boolean;
}

const PARTS = `SELECT c.relname AS name, p.relname AS parent, i.inhdetachpending AS pending
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
  WHERE p.relnamespace = 'unrut'::regnamespace AND p.relkind = 'p' AND c.relkind IN ('r', 'f') ORDER BY 1`;

/**
 * Creates partitions for the coming days, and drops expired ones, without blocking writers. `today`
 * is for tests.
 */
export async function lookAfter(
  pool: Pool,
  days: KeptDays = DEFAULT_DAYS,
  today: Date = new Date(),
): Promise<Upkept> {
  const client = await pool.connect();
  try {
    await refuseOthers(client);
    await client.query('SET lock_timeout = 2000');
    const made = await makeDays(client, today);
    const dropped = await dropParts(client, days, today);
    const states = await deleteOld(client, 'states', 'touched < $1', before(today, days.states));
    const sessions = await deleteOld(
      client,
      'sessions',
      'born < $1 AND last < $1',
      before(today, days.findings),
    );
    return { made, dropped, states, sessions };
  } finally {
    // Its settings are its own.
    client.release(true);
  }
}

/**
 * Row-level security hides old rows from any other role, which would then delete nothing without
 * noticing.
 */
async function refuseOthers(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ owns: boolean }>(
    "SELECT pg_has_role(relowner, 'USAGE') AS owns FROM pg_class WHERE oid = 'unrut.states'::regclass",
  );
  if (!rows[0]!.owns)
    throw new UnrutError(
      'ledger-unusable',
      '[postgres] permission denied for upkeep. Run it as the role that owns the tables.',
    );
}

const before = (today: Date, days: number): string =>
  new Date(today.getTime() - days * DAY).toISOString().slice(0, 10);

async function partsIn(client: PoolClient): Promise<Part[]> {
  return (await client.query<Part>(PARTS)).rows;
}

async function makeDays(client: PoolClient, today: Date): Promise<number> {
  const there = (await partsIn(client)).length;
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead++)
    await whenFree(() => client.query('SELECT unrut.make_day($1)', [before(today, -ahead)]));
  return (await partsIn(client)).length - there;
}

async function dropParts(client: PoolClient, days: KeptDays, today: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name, parent, pending } of await partsIn(client)) {
    const [, date = ''] = /_(\d{6,8})$/.exec(name) ?? [];
    const kept = keptOf(parent as keyof KeptDays, days);
    if (!pending && date >= before(today, kept).replaceAll('-', '').slice(0, date.length)) continue;
    const how = pending ? 'FINALIZE' : 'CONCURRENTLY';
    await whenFree(() =>
      client.query(`ALTER TABLE unrut.${parent} DETACH PARTITION unrut.${name} ${how}`),
    );
    await whenFree(() => client.query(`DROP TABLE unrut.${name}`));
    dropped.push(name);
  }
  return dropped;
}

function keptOf(parent: keyof KeptDays, days: KeptDays): number {
  if (parent === 'audit') return Math.max(days.audit, MONTH);
  return parent === 'pieces' ? days.pieces + WRITTEN_FOR : Math.max(days[parent], WRITTEN_FOR);
}

/**
 * Deletes in small batches, so that no writer waits long. The figures of a deleted state stay with
 * its session.
 */
async function deleteOld(
  client: PoolClient,
  table: 'states' | 'sessions',
  condition: string,
  day: string,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    await client.query("BEGIN; SELECT set_config('unrut.upkeep', 'on', true)");
    const old = `SELECT session_no FROM unrut.${table} WHERE ${condition} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
    if (table === 'states')
      await client.query(
        `UPDATE unrut.sessions s SET events = t.events, signals = t.signals, first = t.first, last = t.last
          FROM unrut.states t WHERE t.session_no IN (${old}) AND s.org = t.org AND s.session_no = t.session_no`,
        [day],
      );
    const { rowCount } = await client.query(
      `DELETE FROM unrut.${table} WHERE session_no IN (${old})`,
      [day],
    );
    await client.query('COMMIT');
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return deleted;
  }
}
