import { DEFAULT_PROJECT } from '@unrut/ledger/organisation';
import type { PoolClient } from 'pg';

/** A session's partition and number, which identify its rows. */
interface SessionPlace {
  session: string;
  project: number;
  session_no: string;
  born: Date;
}

/** Sessions deleted per transaction. */
const SLICE = 500;

/**
 * Deletes all data of the sessions that match a condition; returns their number. Hourly sums
 * identify nobody and stay.
 */
export async function forgetSessions(
  client: PoolClient,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  for (let count = 0; ; ) {
    const found = await forgetSome(client, condition, values);
    if (found === 0) return count;
    count += found;
  }
}

/** Deletes one slice of them. */
async function forgetSome(
  client: PoolClient,
  condition: string,
  values: readonly unknown[],
): Promise<number> {
  const { rows } = await client.query<SessionPlace>(
    `SELECT session, project, session_no, born FROM unrut.sessions WHERE ${condition} ORDER BY session_no LIMIT ${SLICE}`,
    [...values],
  );
  if (rows.length === 0) return 0;
  const numbers = rows.map(({ session_no }) => session_no);
  // Servers with such a session in memory will find another version and start afresh.
  await client.query(
    'SELECT FROM unrut.states WHERE session_no = ANY ($1) ORDER BY session_no FOR UPDATE',
    [numbers],
  );
  for (const table of ['events', 'pieces', 'findings'])
    await client.query(
      `DELETE FROM unrut.${table} WHERE born = ANY ($1) AND session_no = ANY ($2)`,
      [rows.map(({ born }) => born), numbers],
    );
  await client.query(
    `DELETE FROM unrut.context_entries c USING unnest($1::text[], $2::integer[]) AS f (session, project)
      WHERE c.session = f.session AND c.project = f.project`,
    [rows.map(({ session }) => session), rows.map(({ project }) => project)],
  );
  for (const [project, some] of Map.groupBy(rows, (row) => row.project))
    await client.query(FORGET_SAID, [project, some.map(({ session }) => session)]);
  await client.query('DELETE FROM unrut.states WHERE session_no = ANY ($1)', [numbers]);
  await client.query('DELETE FROM unrut.sessions WHERE session_no = ANY ($1)', [numbers]);
  return rows.length;
}

const unnamed = (kind: string): string =>
  `'${kind}', (SELECT coalesce(jsonb_agg(e), '[]') FROM jsonb_array_elements(said -> '${kind}') e WHERE e ->> 'session' IS NULL OR e ->> 'session' <> ALL ($2))`;

/** Removes people's decisions about these sessions. */
const FORGET_SAID = `UPDATE unrut.said SET said = said || jsonb_build_object(${unnamed('off')}, ${unnamed('stop')}), version = version + 1
  WHERE project = $1 AND said ? 'off' AND said ? 'stop'`;

/** Seconds for which servers may still accept a revoked key. */
const KEYS_REMEMBERED = 15;

/**
 * Schedules the deletion of a project's sessions, since there may be many. For `DEFAULT_PROJECT`,
 * only sessions that exist now; for others, all of them and the figures, once no server accepts the
 * project's keys any more.
 */
export async function orderForgetting(
  client: PoolClient,
  org: number,
  project: number,
): Promise<void> {
  const isWhole = project !== DEFAULT_PROJECT;
  await client.query(
    `INSERT INTO unrut.jobs (org, name, due, data) VALUES ($1, $2, now() + make_interval(secs => $4),
      jsonb_build_object('project', $3::integer, 'whole', $5::boolean,
      'until', (SELECT max(session_no) FROM unrut.sessions WHERE org = $1)))
      ON CONFLICT (org, name) DO UPDATE SET due = excluded.due, data = excluded.data`,
    [org, `${FORGET}${project}`, project, isWhole ? KEYS_REMEMBERED : 0, isWhole],
  );
}

const FORGET = 'forget-';
/** Tables without sessions: figures, incidents and users' instructions. */
const FIGURES = ['hours', 'tool_hours', 'detector_hours', 'plan_hours', 'said', 'incidents'];
const ORDERED = `SELECT name, (data ->> 'project')::integer AS project, coalesce((data ->> 'whole')::boolean, false) AS whole,
  coalesce(data ->> 'until', '0') AS until FROM unrut.jobs
  WHERE org = $1 AND starts_with(name, $2) AND due <= now() ORDER BY name LIMIT 1 FOR UPDATE SKIP LOCKED`;

/**
 * Executes a part of the scheduled deletions, in a transaction that blocks nobody. Returns whether
 * more remains.
 */
export async function forgetOrdered(client: PoolClient, org: number): Promise<boolean> {
  const { rows } = await client.query<{
    name: string;
    project: number;
    whole: boolean;
    until: string;
  }>(ORDERED, [org, FORGET]);
  const job = rows[0];
  if (!job) return false;
  const found = job.whole
    ? await forgetSome(client, 'org = $1 AND project = $2', [org, job.project])
    : await forgetSome(client, 'org = $1 AND project = $2 AND session_no <= $3', [
        org,
        job.project,
        job.until,
      ]);
  if (found > 0) return true;
  for (const table of job.whole ? FIGURES : [])
    await client.query(`DELETE FROM unrut.${table} WHERE org = $1 AND project = $2`, [
      org,
      job.project,
    ]);
  await client.query('DELETE FROM unrut.jobs WHERE org = $1 AND name = $2', [org, job.name]);
  return true;
}
