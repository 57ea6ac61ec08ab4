import type { PoolClient } from 'pg';
import type { Connections, Database } from '../database.ts';
import { lookForIncidents } from '../incidents.ts';
import { forgetOrdered, forgetSessions } from '../organisation/forget.ts';
import { inOrganisation } from '../transaction.ts';
import { rollUp } from './roll-up.ts';

/** Max milliseconds of a statement in a job. */
const TIMEOUT = 60_000;
const EVERY = 60_000;
/** Milliseconds between searches for incidents, which are urgent. */
const EVERY_LOOK = 2000;

/**
 * The background work of servers. A server takes a job by locking its row; if it is killed, another
 * server takes the job.
 */
export interface Jobs {
  close(): Promise<void>;
}

/**
 * Runs the jobs until it is closed: finds incidents every two seconds, and does everything else
 * once a minute. Failed jobs are retried the next time.
 */
export function startJobs(database: Database, onFault: (error: unknown) => void = () => {}): Jobs {
  const ending = new AbortController();
  const closing = [
    taking(() => runJobs(database, ending.signal), EVERY, onFault),
    taking(() => findAllIncidents(database, ending.signal), EVERY_LOOK, onFault),
  ];
  return {
    async close() {
      ending.abort();
      for (const close of closing) await close();
    },
  };
}

/** Runs rounds until it is closed, one after another. */
function taking(
  act: () => Promise<void>,
  every: number,
  onFault: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const turn = (): void => {
    running ??= act()
      .catch(onFault)
      .finally(() => {
        running = undefined;
      });
  };
  // Servers that were started together take turns.
  const first = setTimeout(turn, Math.random() * EVERY_LOOK).unref();
  const timer = setInterval(turn, every).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(timer);
    await running;
  };
}

/** Opens, grows and resolves the incidents of every organisation. */
export async function findAllIncidents(
  connections: Connections,
  signal?: AbortSignal,
): Promise<void> {
  for (const org of await organisationsOf(connections))
    if (!signal?.aborted) await lookForIncidents(connections, org);
}

const organisationsOf = (connections: Connections): Promise<number[]> =>
  inOrganisation(connections, 0, async (client) => {
    const { rows } = await client.query<{ org: number }>(
      'SELECT unrut.organisation_numbers() AS org',
    );
    return rows.map(({ org }) => org);
  });

/** Runs all due jobs, organisation by organisation. */
export async function runJobs(connections: Connections, signal?: AbortSignal): Promise<void> {
  for (const org of await organisationsOf(connections)) {
    while (
      !signal?.aborted &&
      (await inOrganisation(connections, org, (client) => addHours(client, org), {
        timeout: TIMEOUT,
      }))
    );
    while (
      !signal?.aborted &&
      (await inOrganisation(connections, org, (client) => forgetOrdered(client, org), {
        timeout: TIMEOUT,
      }))
    );
    if (!signal?.aborted)
      await inOrganisation(connections, org, (client) => tidyProjects(client, org), {
        timeout: TIMEOUT,
      });
  }
}

/** Returns whether work remains. */
async function addHours(client: PoolClient, org: number): Promise<boolean> {
  await client.query(
    "INSERT INTO unrut.jobs (org, name) VALUES ($1, 'earlier_hours') ON CONFLICT DO NOTHING",
    [org],
  );
  const { rows } = await client.query<{ mark: string | null; ran: Date | null }>(
    "SELECT mark::text, ran FROM unrut.jobs WHERE org = $1 AND name = 'earlier_hours' AND due <= now() FOR UPDATE SKIP LOCKED",
    [org],
  );
  const job = rows[0];
  if (!job) return false;
  const { mark, more } = await rollUp(client, org, job);
  // While rows remain, older days are checked again.
  const done = more ? '' : ", due = now() + interval '55 seconds', ran = now()";
  await client.query(
    `UPDATE unrut.jobs SET mark = $2::xid8${done} WHERE org = $1 AND name = 'earlier_hours'`,
    [org, mark],
  );
  return more;
}

const TIDY_DUE =
  "SELECT FROM unrut.jobs WHERE org = $1 AND name = 'tidy' AND due <= now() FOR UPDATE SKIP LOCKED";

/**
 * Once an hour: deletes sessions that have been inactive for longer than their project's retention.
 */
async function tidyProjects(client: PoolClient, org: number): Promise<void> {
  await client.query(
    "INSERT INTO unrut.jobs (org, name) VALUES ($1, 'tidy') ON CONFLICT DO NOTHING",
    [org],
  );
  if ((await client.query(TIDY_DUE, [org])).rowCount === 0) return;
  const { rows } = await client.query<{ project: number; days: string }>(
    "SELECT project, settings ->> 'days' AS days FROM unrut.projects WHERE org = $1 AND settings ? 'days'",
    [org],
  );
  for (const { project, days } of rows)
    await forgetSessions(
      client,
      'org = $1 AND project = $2 AND last < now() - make_interval(days => $3)',
      [org, project, Number(days)],
    );
  await client.query(
    "UPDATE unrut.jobs SET due = now() + interval '1 hour', ran = now() WHERE org = $1 AND name = 'tidy'",
    [org],
  );
}
