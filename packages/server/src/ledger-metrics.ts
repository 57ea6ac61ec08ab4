import type { Postgres } from '@unrut/postgres';
import { inOrganisation } from '@unrut/postgres/transaction';
import { histogram, labels, metric, sumMetric } from './prometheus.ts';
import { remembered } from './remembered.ts';

/** The health values of the database that operators must act on. */
interface DatabaseHealth {
  /** Days, from today on, for which partitions exist. */
  ahead: number;
  /** Whether archiving of the last log file failed. */
  archiving: boolean;
  /** Seconds since each job ran. */
  jobs: Map<string, number>;
}

const HEALTH = `SELECT
  (SELECT max(to_date(right(c.relname, 8), 'YYYYMMDD')) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'unrut.events'::regclass) - (now() AT TIME ZONE 'UTC')::date AS ahead,
  (SELECT coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL) FROM pg_stat_archiver) AS archiving`;
const JOBS =
  'SELECT name, max(extract(epoch FROM now() - ran))::double precision AS age FROM unrut.jobs WHERE ran IS NOT NULL GROUP BY name';
const ORGANISATIONS = 'SELECT unrut.organisation_numbers() AS org';

/** Milliseconds for which the values are cached. */
const COUNTS_FOR = 10_000;
const TIMEOUT = 2000;

/**
 * Metrics of the Postgres ledger, in Prometheus text format. Values that cannot be queried are
 * omitted.
 */
export function ledgerMetrics(
  postgres: Pick<Postgres, 'measures' | 'database'>,
): () => Promise<string[]> {
  const health = remembered(COUNTS_FOR, 1, () =>
    healthOf(postgres.database).catch(() => undefined),
  );
  return async () => [
    ...stepLines(postgres.measures()),
    ...poolLines(postgres.database),
    ...healthLines(await health('')),
  ];
}

async function healthOf(database: Postgres['database']): Promise<DatabaseHealth> {
  const [health] = await database.query<{ ahead: number; archiving: boolean }>(
    'unrut_health',
    HEALTH,
    [],
  );
  const numbers = await database.query<{ org: number }>('unrut_organisations', ORGANISATIONS, []);
  const jobs = new Map<string, number>();
  for (const { org } of numbers) {
    const { rows } = await inOrganisation(
      database,
      org,
      (client) => client.query<{ name: string; age: number }>(JOBS),
      {
        readOnly: true,
        timeout: TIMEOUT,
      },
    );
    for (const { name, age } of rows) jobs.set(name, Math.max(age, jobs.get(name) ?? 0));
  }
  return { ...health!, jobs };
}

function stepLines({
  groups,
  requests,
  bytes,
  stale,
  loads,
  seconds,
}: ReturnType<Postgres['measures']>): string[] {
  return [
    ...histogram('unrut_ledger_step_seconds', 'How long transactions of the ledger took.', {
      ...seconds,
      count: groups,
    }),
    ...sumMetric(
      'unrut_ledger_group_size',
      'Requests that shared a transaction.',
      requests,
      groups,
    ),
    ...sumMetric(
      'unrut_ledger_delta_bytes',
      'Bytes of states that a transaction wrote.',
      bytes,
      groups,
    ),
    ...metric(
      'unrut_ledger_stale_total',
      'counter',
      'Sessions that another server had changed meanwhile.',
      stale,
    ),
    ...metric(
      'unrut_ledger_loads_total',
      'counter',
      'Sessions that were loaded from the database.',
      loads,
    ),
  ];
}

function poolLines(database: Postgres['database']): string[] {
  const { total, idle, waiting } = database.counts();
  return [
    ...metric(
      'unrut_ledger_pool_waiting',
      'gauge',
      'Requests that wait for a connection to the database.',
      waiting,
    ),
    ...metric('unrut_ledger_pool_connections', 'gauge', 'Connections to the database.', [
      [labels({ state: 'busy' }), total - idle],
      [labels({ state: 'idle' }), idle],
    ]),
  ];
}

function healthLines(health: DatabaseHealth | undefined): string[] {
  if (!health) return [];
  return [
    ...metric(
      'unrut_partition_ahead_days',
      'gauge',
      'Days ahead for which the database has tables.',
      health.ahead,
    ),
    ...metric(
      'unrut_wal_archive_failing',
      'gauge',
      'Whether the database could not archive its log.',
      health.archiving ? 1 : 0,
    ),
    ...metric(
      'unrut_job_age_seconds',
      'gauge',
      'Seconds since a job ran, by its name.',
      [...health.jobs].map(([name, age]) => [labels({ job_name: name }), age]),
    ),
  ];
}
