import { setTimeout as sleep } from 'node:timers/promises';
import type { Postgres } from '@unrut/postgres';
import { runJobs } from '@unrut/postgres/jobs/run-jobs';
import { query } from './databases.ts';

/**
 * Adds up until no row waits: transactions of others, in other databases too, hold those back that
 * came after them.
 */
export async function rollUpAll({ database }: Postgres, superuser: string): Promise<void> {
  const waiting = `SELECT EXISTS (
    SELECT FROM unrut.organisations o LEFT JOIN unrut.jobs j ON j.org = o.org AND j.name = 'earlier_hours' WHERE
      EXISTS (SELECT FROM unrut.events e WHERE e.org = o.org AND (j.mark IS NULL OR e.xid >= j.mark))
      OR EXISTS (SELECT FROM unrut.findings f WHERE f.org = o.org AND (j.mark IS NULL OR f.xid >= j.mark))) AS "isWaiting"`;
  for (;;) {
    await query(superuser, 'UPDATE unrut.jobs SET due = now()');
    await runJobs(database);
    const [row] = await query<{ isWaiting: boolean }>(superuser, waiting);
    if (!row!.isWaiting) return;
    await sleep(100);
  }
}
