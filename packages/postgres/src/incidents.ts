import { present } from '@unrut/engine/json';
import type { Signal } from '@unrut/engine/signal';
import { causeOf } from '@unrut/ledger/incidents/cause';
import { changeIncident, incidentSessions } from '@unrut/ledger/incidents/change-incident';
import {
  type CauseSeen,
  findIncidents,
  noteSightings,
} from '@unrut/ledger/incidents/find-incidents';
import { type Incidents, WITHIN } from '@unrut/ledger/incidents/incident';
import { runStepsLater, type Steps } from '@unrut/ledger/incidents/steps';
import type { PoolClient } from 'pg';
import type { Connections } from './database.ts';
import { POSTGRES, scopedTo } from './reports/report-scope.ts';
import { epochMilliseconds, timeOf } from './sql.ts';
import { inOrganisation } from './transaction.ts';

export interface IncidentScope {
  org: number;
  /** Only incidents of this project. Default: the whole organisation. */
  project?: number | undefined;
}

/** The incidents of an organisation or of one project. */
export function createIncidents(database: Connections, { org, project }: IncidentScope): Incidents {
  const run = <T>(steps: Steps<T>): Promise<T> =>
    inOrganisation(database, org, (client) =>
      runIn(client, { org, ...(project === undefined ? {} : { projects: [project] }) }, steps),
    );
  return {
    look: (now) => lookForIncidents(database, org, now),
    act: (id, order) => run(changeIncident(id, order, POSTGRES)),
    sessionsOf: (id, most) => run(incidentSessions(id, most, POSTGRES)),
  };
}

function runIn<T>(
  client: PoolClient,
  scope: Parameters<typeof scopedTo>[0],
  steps: Steps<T>,
): Promise<T> {
  const scoped = scopedTo(scope);
  return runStepsLater(
    steps,
    async ({ sql, values }) => (await client.query(scoped(sql), [...values])).rows,
  );
}

const DUE =
  "SELECT mark::text FROM unrut.jobs WHERE org = $1 AND name = 'incidents' AND due <= now() FOR UPDATE SKIP LOCKED";

/**
 * Looks for incidents of an organisation unless another server is doing so. Sightings and the mark
 * up to which signals were read are written in one transaction. All transactions below the mark
 * have ended; rows of later ones are read again, which is harmless.
 */
export async function lookForIncidents(
  connections: Connections,
  org: number,
  now: number = Date.now(),
): Promise<void> {
  await inOrganisation(connections, org, async (client) => {
    await client.query(
      "INSERT INTO unrut.jobs (org, name) VALUES ($1, 'incidents') ON CONFLICT DO NOTHING",
      [org],
    );
    const { rows } = await client.query<{ mark: string | null }>(DUE, [org]);
    if (!rows[0]) return;
    const mark = await noteSignals(client, org, rows[0].mark ?? '0', now);
    await runIn(client, { org }, findIncidents(now, POSTGRES));
    await client.query(
      `UPDATE unrut.jobs SET mark = $2::xid8, due = now() + interval '1 second', ran = now()
        WHERE org = $1 AND name = 'incidents'`,
      [org, mark],
    );
  });
}

/** Signals read at a time. */
const PAGE = 2000;
/**
 * A session gets a new row number after seven days, so new rows are only in the partitions of these
 * days.
 */
const DAYS = 9;

interface SignalRead {
  session: string;
  project: number;
  at: number;
  data: Signal;
  label: string | null;
  tool: string | null;
  repo: string | null;
  folder: string | null;
  xid: string;
  n: number;
}

const SIGNALS = `
  SELECT f.session_no::text AS session, s.project, ${epochMilliseconds('f.at')} AS at, f.data, s.repo, s.folder, f.xid::text AS xid, f.n,
    c.call ->> 'label' AS label, c.call ->> 'tool' AS tool
  FROM unrut.findings f JOIN unrut.sessions s ON s.org = f.org AND s.session_no = f.session_no
  LEFT JOIN LATERAL (SELECT e.data -> 'seen' -> 'call' AS call FROM unrut.events e
    WHERE e.born = f.born AND e.session_no = f.session_no AND e.at = f.at AND e.data -> 'seen' -> 'call' IS NOT NULL LIMIT 1) c ON true
  WHERE f.org = $1 AND f.kind = 'signal' AND f.born >= (now() AT TIME ZONE 'UTC')::date - ${DAYS} AND f.at >= ${timeOf('$2')}
    AND (f.xid > $3::xid8 OR f.xid = $3::xid8 AND f.n > $4) AND f.xid >= $3::xid8
  ORDER BY f.xid, f.n LIMIT ${PAGE}`;

/** Records all signals since the mark, and returns the next mark. */
async function noteSignals(
  client: PoolClient,
  org: number,
  mark: string,
  now: number,
): Promise<string> {
  const { rows: marks } = await client.query<{ mark: string }>(
    'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark',
  );
  for (let place = { xid: mark, n: -1 }; ; ) {
    const { rows } = await client.query<SignalRead>(SIGNALS, [
      org,
      now - WITHIN,
      place.xid,
      place.n,
    ]);
    const seen = rows.flatMap((row) => sightingIn(row, now) ?? []);
    await runIn(client, { org }, noteSightings(seen, POSTGRES));
    if (rows.length < PAGE) return marks[0]!.mark;
    place = rows.at(-1)!;
  }
}

function sightingIn(
  { session, project, at, data: signal, ...seen }: SignalRead,
  now: number,
): CauseSeen | undefined {
  const { label, tool, repo, folder } = seen;
  const cause = causeOf({
    signal,
    ...present({
      label: label ?? undefined,
      tool: tool ?? undefined,
      repo: repo ?? undefined,
      folder: folder ?? undefined,
    }),
  });
  // Agents' clocks may be ahead.
  return cause && { project, session, cause, at: Math.min(at, now), calls: signal.count };
}
