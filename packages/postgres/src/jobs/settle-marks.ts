import type { PoolClient } from 'pg';

const NOW = 'pg_current_xact_id()';
/** Below the number of any transaction. */
const LONG_AGO = "'3'::xid8";

/**
 * After a restore from a dump, transaction numbers start again, and the stored numbers lie in the
 * future. Rows that were summed get an old number, all others the current one, so that each still
 * counts once. Call it inside a transaction, as the owner of the tables. Returns whether anything
 * changed.
 */
export async function settleMarks(client: PoolClient): Promise<boolean> {
  await client.query("SELECT set_config('unrut.upkeep', 'on', true)");
  const { rows } = await client.query<{ isAhead: boolean }>(
    `SELECT EXISTS (SELECT FROM unrut.jobs WHERE mark > ${NOW}) AS "isAhead"`,
  );
  if (!rows[0]!.isAhead) return false;
  for (const table of ['events', 'findings'])
    await client.query(
      `UPDATE unrut.${table} e SET xid = CASE WHEN e.xid >= j.mark THEN ${NOW} ELSE ${LONG_AGO} END
        FROM unrut.jobs j WHERE j.org = e.org AND j.name = 'earlier_hours' AND e.xid > ${NOW}`,
    );
  for (const table of ['sessions', 'context_entries'])
    await client.query(`UPDATE unrut.${table} SET xid = ${LONG_AGO} WHERE xid > ${NOW}`);
  await client.query(
    `UPDATE unrut.jobs SET mark = pg_snapshot_xmin(pg_current_snapshot()), ran = NULL WHERE mark > ${NOW}`,
  );
  return true;
}
