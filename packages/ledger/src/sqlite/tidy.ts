import type { DatabaseSync } from 'node:sqlite';
import { transaction } from './open-database.ts';
import type { Limits } from './retention.ts';

const HOUR = 60 * 60 * 1000;
/** Deletion stops at this share of the limit, so that the next write does not start it again. */
const AIM = 0.9;
/**
 * Entries deleted per batch, and batches per call: some milliseconds each, so that other writers do
 * not wait long.
 */
const BATCH = 500;
const MAX_BATCHES = 40;

/**
 * Deletes data beyond the limits and frees the space. Checks the age once an hour and the size each
 * time; leaves remaining work for the next call.
 */
export function tidy(database: DatabaseSync, { age, size }: Limits, now: number): void {
  const numberOf = (sql: string): number =>
    Object.values(database.prepare(sql).get() ?? {})[0] as number;
  const pageSize = numberOf('PRAGMA page_size');
  const tooLarge = numberOf('PRAGMA page_count') * pageSize > size;
  if (!tooLarge && Math.abs(now - numberOf('SELECT checked FROM upkeep')) < HOUR) return;

  const used = (): number =>
    (numberOf('PRAGMA page_count') - numberOf('PRAGMA freelist_count')) * pageSize;
  const inTurn = (): boolean =>
    transaction(database, () => {
      const full = tooLarge && used() > size * AIM;
      const more = dropOldest(database, full ? Number.POSITIVE_INFINITY : now - age);
      if (!more) database.prepare('UPDATE upkeep SET checked = ?').run(now);
      return more;
    });
  for (let batch = 0; batch < MAX_BATCHES; batch++) if (!inTurn()) break;
  if (numberOf('PRAGMA freelist_count') > 0)
    transaction(database, () => database.exec('PRAGMA incremental_vacuum'));
}

/**
 * Deletes a batch of the oldest session's entries and pieces, and the session if they were the
 * last; false if no session is older than that time.
 */
function dropOldest(database: DatabaseSync, before: number): boolean {
  const [oldest, next] = database
    .prepare('SELECT session, touched FROM sessions ORDER BY touched LIMIT 2')
    .all() as {
    session: string;
    touched: number;
  }[];
  if (!oldest || oldest.touched >= before) return false;
  const { changes } = database
    .prepare(
      'DELETE FROM entries WHERE sequence IN (SELECT sequence FROM entries WHERE session = ? ORDER BY at LIMIT ?)',
    )
    .run(oldest.session, BATCH);
  const pieces = database
    .prepare(
      "DELETE FROM pieces WHERE id IN (SELECT id FROM pieces WHERE id >= ?1 || '/' AND id < ?1 || '0' AND session = ?1 LIMIT ?2)",
    )
    .run(oldest.session, BATCH).changes;
  if (changes === BATCH || pieces === BATCH) return true;
  // If the only session is running, its oldest entries are deleted, but never its state.
  if (!next && before === Number.POSITIVE_INFINITY) return false;
  database.prepare('DELETE FROM sessions WHERE session = ?').run(oldest.session);
  return true;
}
