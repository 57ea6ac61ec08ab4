import type { PoolClient } from 'pg';
import { forgetSessions } from '../organisation/forget.ts';

const DUE = "SELECT FROM unrut.jobs WHERE org = $1 AND name = 'tidy' AND due <= now() FOR UPDATE SKIP LOCKED";

/** Once an hour: deletes sessions that have been inactive for longer than their project keeps them. */
export async function tidyProjects(client: PoolClient, org: number): Promise<void> {
  await client.query("INSERT INTO unrut.jobs (org, name) VALUES ($1, 'tidy') ON CONFLICT DO NOTHING", [org]);
  if ((await client.query(DUE, [org])).rowCount === 0) return;
  const { rows } = await client.query<{ project: number; days: string }>(
    "SELECT project, settings ->> 'days' AS days FROM unrut.projects WHERE org = $1 AND settings ? 'days'",
    [org],
  );
  for (const { project, days } of rows)
    await forgetSessions(client, 'org = $1 AND project = $2 AND last < now() - make_interval(days => $3)', [org, project, Number(days)]);
  await client.query("UPDATE unrut.jobs SET due = now() + interval '1 hour', ran = now() WHERE org = $1 AND name = 'tidy'", [org]);
}
