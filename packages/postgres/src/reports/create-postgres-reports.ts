import type { Reports } from '@unrut/ledger/reports/reports';
import { createSqlReports } from '@unrut/ledger/reports/sql/create-sql-reports';
import { rowNamed } from '@unrut/ledger/reports/sql/session-names';
import type { Connections } from '../database.ts';
import { projectOfState } from '../schema/projects.ts';
import { epochMilliseconds, timeOf } from '../sql.ts';
import { createEntryFeed } from './entry-feed.ts';
import { failureRows, historyOf, latestPlans, signalsPage } from './entry-queries.ts';
import { createRead, type ReportScope } from './report-scope.ts';

export interface PostgresReportsOptions extends ReportScope {
  /** The database to query: the primary or a replica. */
  connections: Connections & { where?: string };
  now?: () => number;
}

/** The reports of an organisation, or of some of its projects. */
export function createPostgresReports({
  connections,
  now = Date.now,
  ...scope
}: PostgresReportsOptions): Reports {
  const read = createRead(connections, scope);
  const { hidden, projectName } = scope;
  return createSqlReports(
    read,
    {
      history: (name) =>
        read(async (asking) => {
          const found = await rowNamed(asking, name, { now: now(), hidden, projectName });
          return found && historyOf(asking, found);
        }),
      signals: (query) => read((asking) => signalsPage(asking, query, hidden)),
      latestPlans: (since, most) => read((asking) => latestPlans(asking, since, most, hidden)),
      failures: (since) => read((asking) => failureRows(asking, since)),
      runs: ({ ends, most, after }) =>
        read(async ({ ask }) => {
          const rows = await ask<{ run: string; last: number }>(
            RUNS,
            ...[ends, most + 1, after?.at ?? null, after?.name ?? ''],
          );
          const runs = rows.slice(0, most);
          const last = runs.at(-1);
          return {
            runs,
            ...(last && rows.length > most ? { next: { at: last.last, name: last.run } } : {}),
          };
        }),
      feed: createEntryFeed(read, hidden),
    },
    { now, hidden, projectName },
  );
}

const RUNS = `SELECT r.run, ${epochMilliseconds('r.last')} AS last FROM (
    SELECT DISTINCT ON (r.run) r.run, coalesce(s.last, to_timestamp(0)) AS last FROM (
      SELECT left(t.session, -length(e.ending)) COLLATE "C" AS run, ${projectOfState('t')} AS project FROM unrut.states t JOIN unnest($1::text[]) AS e (ending)
        ON right(t.session, length(e.ending)) = e.ending WHERE t.org = :org AND position(E'\\x01' IN t.session) > 0
    ) r LEFT JOIN unrut.sessions s ON s.org = :org AND s.session = r.run AND s.project = r.project WHERE :projects(r)
    ORDER BY r.run, s.last DESC NULLS LAST
  ) r WHERE $3::double precision IS NULL OR r.last < ${timeOf('$3')} OR (r.last = ${timeOf('$3')} AND r.run > $4)
  ORDER BY r.last DESC, r.run LIMIT $2`;
