import { hash64 } from '@unrut/engine/hash';
import type { SqlDialect } from '../reports/sql/asking.ts';
import type { Cause } from './cause.ts';
import {
  type IncidentChange,
  KEPT,
  MIN_SESSIONS,
  MIN_USERS,
  QUIET,
  REOPENS,
  WITHIN,
} from './incident.ts';
import { asked, type Steps } from './steps.ts';

/** A session that fails or loops because of a cause. */
export interface CauseSeen {
  project: number;
  /** The session's key in related rows. */
  session: string;
  cause: Cause;
  at: number;
  /** Repeats so far. */
  calls: number;
}

/** Rows of one statement. */
const ROWS = 100;
const COLUMNS = 10;

/** Records the causes of sessions. Idempotent. */
export function* noteSightings(
  sightings: readonly CauseSeen[],
  { key }: Pick<SqlDialect, 'key'>,
): Steps<void> {
  const rows = [...merged(sightings).values()];
  for (let i = 0; i < rows.length; i += ROWS) {
    const some = rows.slice(i, i + ROWS);
    const places = some.map((_, row) => {
      const columns = Array.from(
        { length: COLUMNS },
        (_, column) => `$${row * COLUMNS + column + 1}`,
      );
      return `(:org, ${columns.join(', ')})`;
    });
    const values = some.flatMap(({ project, session, cause, first, last, calls }) => [
      ...[project, cause.key, session, first, last, calls],
      ...[cause.kind, cause.tool, cause.target, cause.text],
    ]);
    yield* asked(
      `INSERT INTO unrut.cause_sessions AS known (org, project, cause, ${key}, first, last, calls, kind, tool, target, said)
        VALUES ${places.join(', ')} ON CONFLICT (org, project, cause, ${key}) DO UPDATE SET
        first = CASE WHEN excluded.first < known.first THEN excluded.first ELSE known.first END,
        last = CASE WHEN excluded.last > known.last THEN excluded.last ELSE known.last END,
        calls = CASE WHEN excluded.calls > known.calls THEN excluded.calls ELSE known.calls END,
        said = excluded.said`,
      ...values,
    );
  }
}

type Merged = CauseSeen & { first: number; last: number };

/**
 * Each pair of session and cause once, in a fixed order, so that concurrent writers cannot
 * deadlock.
 */
function merged(sightings: readonly CauseSeen[]): Map<string, Merged> {
  const found = new Map<string, Merged>();
  for (const sighting of sightings) {
    const { project, session, cause, at, calls } = sighting;
    const name = `${project} ${cause.key} ${session}`;
    const known = found.get(name) ?? { ...sighting, first: at, last: at };
    found.set(name, {
      ...sighting,
      first: Math.min(known.first, at),
      last: Math.max(known.last, at),
      calls: Math.max(known.calls, calls),
    });
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Opens, reopens, extends and resolves incidents from the recorded sightings. */
export function* findIncidents(now: number, dialect: SqlDialect): Steps<void> {
  for (const candidate of yield* candidates(now, dialect))
    if (!(yield* isCovered(candidate, now, dialect))) yield* open(candidate, now);
  yield* grow(now, dialect);
  yield* resolveQuiet(now);
  yield* tidy(now, dialect);
}

interface Candidate {
  project: number;
  cause: string;
  kind: Cause['kind'];
  tool: string;
  target: string;
  said: string;
  sessions: number;
  users: number;
  first: number;
  /** The incident that it was before. */
  before: string | null;
}

const count = (of: string): string => `CAST(count(${of}) AS double precision)`;
const isOpen = (row: string): string =>
  `EXISTS (SELECT 1 FROM unrut.incidents o WHERE o.org = :org AND o.project = ${row}.project
    AND o.cause = ${row}.cause AND o.resolved IS NULL)`;
/** The recently resolved incident with the same cause. */
const before = (row: string, column: string): string =>
  `(SELECT b.${column} FROM unrut.incidents b WHERE b.org = :org AND b.project = ${row}.project
    AND b.cause = ${row}.cause AND b.resolved >= $2 ORDER BY b.resolved DESC LIMIT 1)`;

/** Causes without an open incident that enough sessions or users share. Failures come first. */
const candidates = (now: number, { scope, key }: SqlDialect): Steps<Candidate[]> =>
  asked<Candidate>(
    `SELECT c.project, c.cause, max(c.kind) AS kind, max(c.tool) AS tool, max(c.target) AS target, max(c.said) AS said,
        ${count('*')} AS sessions, ${count('DISTINCT s.person')} AS users, min(c.first) AS first, max(c.earlier) AS before
      FROM (SELECT n.*, ${before('n', 'id')} AS earlier FROM unrut.cause_sessions n
        WHERE n.org = :org AND n.last >= $1 AND NOT ${isOpen('n')} AND n.last > coalesce(${before('n', 'resolved')}, 0)) c
      JOIN unrut.sessions s ON ${scope('s')} AND s.${key} = c.${key}
      GROUP BY c.project, c.cause HAVING count(*) >= ${MIN_SESSIONS} OR count(DISTINCT s.person) >= ${MIN_USERS}
      ORDER BY max(c.kind), c.project, c.cause`,
    ...[now - WITHIN, now - REOPENS],
  );

/**
 * Minimum share of a cause's sessions that must already be in an open incident for the cause to
 * belong to it.
 */
const COVERED = 0.8;

function* isCovered(
  { project, cause, sessions }: Candidate,
  now: number,
  { key }: SqlDialect,
): Steps<boolean> {
  const [row] = yield* asked<{ covered: number }>(
    `SELECT ${count(`DISTINCT c.${key}`)} AS covered FROM unrut.cause_sessions c
      JOIN unrut.cause_sessions f ON f.org = :org AND f.project = c.project AND f.${key} = c.${key} AND f.kind = 'failure'
        AND (c.kind = 'loop' OR f.tool = c.tool AND f.target = c.target AND c.target <> '')
      WHERE c.org = :org AND c.project = $1 AND c.cause = $2 AND c.last >= $3 AND ${isOpen('f')}`,
    ...[project, cause, now - WITHIN],
  );
  return row!.covered >= COVERED * sessions;
}

function* open(candidate: Candidate, now: number): Steps<void> {
  const { project, cause, kind, tool, target, said, sessions, users, first, before } = candidate;
  if (before !== null) {
    yield* asked(
      `UPDATE unrut.incidents SET resolved = NULL, resolved_by = NULL, acknowledged = NULL, acknowledged_by = NULL,
        told = $3 WHERE org = :org AND project = $1 AND id = $2`,
      ...[project, before, sessions],
    );
    return yield* tell({ project, id: before }, 'reopened', now);
  }
  const id = hash64(`${project} ${cause} ${now}`);
  yield* asked(
    `INSERT INTO unrut.incidents (org, project, id, cause, kind, tool, target, said, opened, first, last, sessions, users, calls, told, notes)
      VALUES (:org, $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, 0, $10, '[]')`,
    ...[project, id, cause, kind, tool, target, said, now, first, sessions, users],
  );
  return yield* tell({ project, id }, 'opened', now);
}

interface Named {
  project: number;
  id: string;
}

/** Queues a notification about a change. */
export const tell = function* (
  { project, id }: Named,
  change: IncidentChange,
  at: number,
): Steps<void> {
  yield* asked(
    `INSERT INTO unrut.incident_changes (org, project, incident, n, change, at)
      SELECT :org, CAST($1 AS integer), CAST($2 AS text), coalesce(max(n), 0) + 1, CAST($3 AS text), CAST($4 AS double precision) FROM unrut.incident_changes
      WHERE org = :org AND project = CAST($1 AS integer) AND incident = CAST($2 AS text)`,
    ...[project, id, change, at],
  );
};

interface Growing extends Named {
  told: number;
  sessions: number;
  users: number;
  calls: number;
  last: number;
  said: string;
}

/** Adds new sightings to open incidents. Reports an incident when it has doubled. */
function* grow(now: number, { scope, key }: SqlDialect): Steps<void> {
  const growing = yield* asked<Growing>(
    `SELECT i.project, i.id, i.told, ${count('*')} AS sessions, ${count('DISTINCT s.person')} AS users,
        CAST(sum(c.calls) AS double precision) AS calls, max(c.last) AS last
      FROM unrut.incidents i JOIN unrut.cause_sessions c ON c.org = :org AND c.project = i.project AND c.cause = i.cause AND c.last >= i.first
      JOIN unrut.sessions s ON ${scope('s')} AND s.${key} = c.${key}
      WHERE i.org = :org AND i.resolved IS NULL GROUP BY i.project, i.id, i.told, i.sessions, i.users, i.calls, i.last
      HAVING i.sessions <> count(*) OR i.users <> count(DISTINCT s.person) OR i.calls <> sum(c.calls) OR i.last <> max(c.last)`,
  );
  for (const { project, id, told, sessions, users, calls, last } of growing) {
    const hasDoubled = sessions >= 2 * told;
    yield* asked(
      `UPDATE unrut.incidents SET sessions = $3, users = $4, calls = $5, last = $6, told = $7
        WHERE org = :org AND project = $1 AND id = $2`,
      ...[project, id, sessions, users, calls, last, hasDoubled ? sessions : told],
    );
    if (hasDoubled) yield* tell({ project, id }, 'grown', now);
  }
}

function* resolveQuiet(now: number): Steps<void> {
  const quiet = yield* asked<Named>(
    'SELECT project, id FROM unrut.incidents WHERE org = :org AND resolved IS NULL AND last < $1',
    now - QUIET,
  );
  for (const { project, id } of quiet) {
    yield* asked(
      'UPDATE unrut.incidents SET resolved = $3 WHERE org = :org AND project = $1 AND id = $2',
      ...[project, id, now],
    );
    yield* tell({ project, id }, 'resolved', now);
  }
}

/**
 * Deletes sightings without an incident, and incidents that have expired or have no sessions left.
 */
function* tidy(now: number, { key }: SqlDialect): Steps<void> {
  yield* asked(
    `DELETE FROM unrut.incidents WHERE org = :org AND (resolved < $1 OR NOT EXISTS (SELECT 1 FROM unrut.cause_sessions c
      WHERE c.org = :org AND c.project = incidents.project AND c.cause = incidents.cause AND c.last >= incidents.first))`,
    now - KEPT,
  );
  yield* asked(
    `DELETE FROM unrut.cause_sessions WHERE org = :org AND (project, cause, ${key}) IN (
      SELECT c.project, c.cause, c.${key} FROM unrut.cause_sessions c WHERE c.org = :org AND c.last < $1
        AND NOT EXISTS (SELECT 1 FROM unrut.incidents i WHERE i.org = :org AND i.project = c.project AND i.cause = c.cause
          AND i.first <= c.last) LIMIT 1000)`,
    now - WITHIN,
  );
}
