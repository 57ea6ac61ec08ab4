import type { PoolClient, QueryConfig } from 'pg';

/** Rows to sum in one transaction; the rest follows immediately. */
const MAX_ROWS = 10_000;
/** Max milliseconds of a statement: longer than any interactive query. */
const PATIENCE = 55_000;

/**
 * The rows to sum: those of transactions from `mark` up to, but not including, `next`. No
 * transaction below `next` is still running.
 */
interface Span {
  mark: string;
  next: string;
  /** Whether more rows wait. */
  more: boolean;
  /** The oldest creation day of sessions with such rows. */
  born: string;
}

/**
 * Sums, by the hour, the rows that servers of the previous version have written since the last
 * call. Sums and mark are written in one transaction, so each row counts once, in whatever order
 * transactions end. Returns whether rows remain.
 */
export async function rollUp(
  client: PoolClient,
  org: number,
  { mark, ran }: { mark: string | null; ran: Date | null },
): Promise<{ mark: string; more: boolean }> {
  const span = await spanOf(client, org, mark ?? '0', ran);
  const values = [org, span.mark, span.next, span.born];
  for (const text of [HOURS, TOOL_HOURS, DETECTOR_HOURS, PLAN_HOURS])
    await client.query({ text, values, query_timeout: PATIENCE } as QueryConfig);
  return { mark: span.next, more: span.more };
}

async function spanOf(
  client: PoolClient,
  org: number,
  mark: string,
  ran: Date | null,
): Promise<Span> {
  const { rows } = await client.query<{ newest: string; born: string }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS newest, coalesce(($1::timestamptz AT TIME ZONE 'UTC')::date - 9, '-infinity')::text AS born`,
    [ran],
  );
  const { newest, born } = rows[0]!;
  const { rows: counted } = await client.query<{ last: string | null; rows: string }>(
    `SELECT max(xid::text::numeric)::text AS last, count(*) AS rows FROM (
      SELECT xid FROM unrut.events WHERE org = $1 AND born >= $4::date AND xid >= $2::xid8 AND xid < $3::xid8 ORDER BY xid LIMIT ${MAX_ROWS}) e`,
    [org, mark, newest, born],
  );
  const { last, rows: count } = counted[0]!;
  const more = Number(count) === MAX_ROWS && last !== null;
  return { mark, next: more ? String(BigInt(last) + 1n) : newest, more, born };
}

const GIVEN = (row: string): string =>
  `${row}.counted IS NULL AND ${row}.org = $1 AND ${row}.born >= $4::date AND ${row}.xid >= $2::xid8 AND ${row}.xid < $3::xid8`;

const hour = (time: string): string => `date_trunc('hour', ${time}, 'UTC')`;
const day = (time: string): string => `date_trunc('day', ${time}, 'UTC')`;

const adding = (table: string, keys: readonly string[], sums: readonly string[]): string =>
  `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;

const COST = ['steps', 'loops', 'tokens', 'usd', 'wasted_steps', 'wasted_tokens', 'wasted_usd'];
const HOUR_SUMS = [
  ...COST,
  'events',
  'signals',
  'faults',
  'sessions',
  'day_sessions',
  'last_sessions',
  'last_looping',
];
const HOUR_KEYS = ['org', 'project', 'hour', 'team', 'host', 'model', 'release'];

/**
 * A session counts in the hour and the day of its first event. `last_sessions` and `last_looping`
 * count each session once: in its last active hour, and in the hour of its last noticed loop. When
 * a session continues, that count moves to the later hour, so that the number of sessions since a
 * time is a sum as well.
 */
const HOURS = `
  WITH given AS (
    SELECT e.session_no, e.at, e.before, ${COST.map((name) => `e.${name}`).join(', ')}, 1 AS events, 0 AS signals, 0 AS faults
    FROM unrut.events e WHERE ${GIVEN('e')}
    UNION ALL
    SELECT f.session_no, f.at, f.before, ${COST.map((name) => `f.${name}`).join(', ')}, 0,
      (f.kind = 'signal' AND NOT coalesce(f.trial, false) AND NOT coalesce(f.nested, false))::integer, (f.kind = 'fault')::integer
    FROM unrut.findings f WHERE ${GIVEN('f')}
  ), changes AS (
    SELECT session_no, ${hour('at')} AS hour, ${COST.join(', ')}, events, signals, faults,
      (events = 1 AND (before IS NULL OR ${hour('before')} < ${hour('at')}))::integer AS sessions,
      (events = 1 AND (before IS NULL OR ${day('before')} < ${day('at')}))::integer AS day_sessions,
      (events = 1 AND (before IS NULL OR ${hour('before')} < ${hour('at')}))::integer AS last_sessions,
      (loops > 0 AND events = 0 AND (before IS NULL OR ${hour('before')} < ${hour('at')}))::integer AS last_looping
    FROM given
    UNION ALL
    SELECT session_no, ${hour('before')}, ${COST.map(() => '0').join(', ')}, 0, 0, 0, 0, 0, -events, -(loops > 0 AND events = 0)::integer
    FROM given WHERE ${hour('before')} < ${hour('at')} AND (events = 1 OR loops > 0)
  )
  INSERT INTO unrut.hours AS hours (${[...HOUR_KEYS, ...HOUR_SUMS].join(', ')})
  SELECT $1, coalesce(s.project, 1), c.hour, coalesce(s.team, ''), coalesce(s.host, ''), coalesce(s.model, ''), coalesce(s.release, ''),
    ${HOUR_SUMS.map((name) => `coalesce(sum(c.${name}), 0)`).join(', ')}
  FROM changes c LEFT JOIN unrut.sessions s ON s.org = $1 AND s.session_no = c.session_no
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 2, 3, 4, 5, 6, 7
  ${adding('hours', HOUR_KEYS, HOUR_SUMS)}`;

const TOOL_KEYS = ['org', 'project', 'hour', 'tool'];
const TOOL_SUMS = ['calls', 'failed', 'looping'];

const TOOL_HOURS = `
  WITH changes AS (
    SELECT e.session_no, ${hour('e.at')} AS hour, e.tool, 1 AS calls, coalesce(e.failed, false)::integer AS failed, 0 AS looping
    FROM unrut.events e WHERE ${GIVEN('e')} AND e.type = 'call-finished' AND e.tool IS NOT NULL
    UNION ALL
    SELECT f.session_no, ${hour('f.at')}, f.tool, 0, 0, 1
    FROM unrut.findings f WHERE ${GIVEN('f')} AND f.kind = 'signal' AND f.looping AND f.tool IS NOT NULL
  )
  INSERT INTO unrut.tool_hours AS tool_hours (${[...TOOL_KEYS, ...TOOL_SUMS].join(', ')})
  SELECT $1, coalesce(s.project, 1), c.hour, c.tool, ${TOOL_SUMS.map((name) => `sum(c.${name})`).join(', ')}
  FROM changes c LEFT JOIN unrut.sessions s ON s.org = $1 AND s.session_no = c.session_no
  GROUP BY 1, 2, 3, 4 ORDER BY 2, 3, 4
  ${adding('tool_hours', TOOL_KEYS, TOOL_SUMS)}`;

const DETECTOR_KEYS = ['org', 'project', 'hour', 'detector', 'tool'];

/** Sessions are counted in rows with an empty tool. */
const DETECTOR_HOURS = `
  WITH given AS (
    SELECT f.session_no, f.project, f.at, f.spoke, f.detector, coalesce(f.tool, '') AS tool
    FROM unrut.findings f WHERE ${GIVEN('f')} AND f.kind = 'signal' AND f.detector IS NOT NULL AND NOT coalesce(f.nested, false)
  ), changes AS (
    SELECT project, ${hour('at')} AS hour, detector, tool, 1 AS signals, 0 AS last_sessions, at AS last FROM given
    UNION ALL
    SELECT project, ${hour('at')}, detector, '', 0, 1, at FROM given WHERE spoke IS NULL OR ${hour('spoke')} < ${hour('at')}
    UNION ALL
    SELECT project, ${hour('spoke')}, detector, '', 0, -1, spoke FROM given WHERE ${hour('spoke')} < ${hour('at')}
  )
  INSERT INTO unrut.detector_hours AS detector_hours (${DETECTOR_KEYS.join(', ')}, signals, last_sessions, last)
  SELECT $1, c.project, c.hour, c.detector, c.tool, sum(c.signals), sum(c.last_sessions), max(c.last)
  FROM changes c GROUP BY 1, 2, 3, 4, 5 ORDER BY 2, 3, 4, 5
  ${adding('detector_hours', DETECTOR_KEYS, ['signals', 'last_sessions'])}, last = greatest(detector_hours.last, excluded.last)`;

const PLAN_KEYS = ['org', 'project', 'hour', 'recovery', 'rung', 'tool', 'detector', 'shadow'];
const PLAN_SUMS = ['plans', 'not_performed', 'recovered', 'persisted', 'relapsed', 'unknown'];
const OUTCOMES = ['recovered', 'persisted', 'relapsed', 'unknown'];

/** The plan of a row: the newest with its name. */
const planOf = (row: string): string => `
  CROSS JOIN LATERAL (
    SELECT p.* FROM unrut.findings p
    WHERE p.born = ${row}.born AND p.session_no = ${row}.session_no AND p.kind = 'plan' AND p.plan = ${row}.plan
      AND p.agent IS NOT DISTINCT FROM ${row}.agent AND p.at <= ${row}.at
    ORDER BY p.at DESC, p.n DESC LIMIT 1) p`;

const counts = (sums: { [name: string]: string }): string =>
  PLAN_SUMS.map((name) => `${sums[name] ?? '0'} AS ${name}`).join(', ');
const ofPlan = `p.project, ${hour('p.at')} AS hour, p.recovery, p.rung, coalesce(p.tool, '') AS tool, coalesce(p.detector, '') AS detector,
  coalesce(p.shadow, false) AS shadow`;
const byOutcome = (column: string, by: number): { [name: string]: string } =>
  Object.fromEntries(OUTCOMES.map((name) => [name, `(${by} * (${column} = '${name}')::integer)`]));

/** Counts each plan once, by its final outcome, in the hour in which it was made. */
const PLAN_HOURS = `
  WITH changes AS (
    SELECT ${ofPlan}, ${counts({ plans: '1' })} FROM unrut.findings p WHERE ${GIVEN('p')} AND p.kind = 'plan'
    UNION ALL
    SELECT ${ofPlan}, ${counts({ not_performed: '1' })} FROM unrut.events e ${planOf('e')}
    WHERE ${GIVEN('e')} AND e.type = 'plan-performed' AND (e.failed OR e.rung IS DISTINCT FROM p.rung)
    UNION ALL
    SELECT ${ofPlan}, ${counts(byOutcome('o.outcome', 1))} FROM unrut.findings o ${planOf('o')} WHERE ${GIVEN('o')} AND o.kind = 'outcome'
    UNION ALL
    SELECT ${ofPlan}, ${counts(byOutcome('b.outcome', -1))} FROM unrut.findings o ${planOf('o')}
    CROSS JOIN LATERAL (
      SELECT b.outcome FROM unrut.findings b
      WHERE b.born = o.born AND b.session_no = o.session_no AND b.kind = 'outcome' AND b.plan = o.plan
        AND b.agent IS NOT DISTINCT FROM o.agent AND (b.xid, b.n) < (o.xid, o.n) AND (b.xid, b.n) > (p.xid, p.n)
      ORDER BY b.at DESC, b.n DESC LIMIT 1) b
    WHERE ${GIVEN('o')} AND o.kind = 'outcome'
  )
  INSERT INTO unrut.plan_hours AS plan_hours (${[...PLAN_KEYS, ...PLAN_SUMS].join(', ')})
  SELECT $1, ${PLAN_KEYS.slice(1).join(', ')}, ${PLAN_SUMS.map((name) => `sum(${name})`).join(', ')}
  FROM changes GROUP BY ${PLAN_KEYS.slice(1).join(', ')} ORDER BY ${PLAN_KEYS.slice(1).join(', ')}
  ${adding('plan_hours', PLAN_KEYS, PLAN_SUMS)}`;
