import { noLoops, type Reports } from '@unrut/ledger/reports/reports';
import type { Connections } from '../database.ts';
import { epochMilliseconds, timeOf } from '../sql.ts';
import { createEntryFeed } from './entry-feed.ts';
import { failureRows, historyOf, latestPlans, signalsPage } from './entry-queries.ts';
import { createRead, type ReportScope } from './report-scope.ts';
import {
  costliestSessions,
  namesBeginning,
  newestNamed,
  type ShownAs,
  sessionsPage,
  shortNamesOf,
} from './session-queries.ts';
import { detectorsSince, plansSince, sumsSince } from './sum-queries.ts';

export interface PostgresReportsOptions extends ReportScope {
  /** Where it is asked: the database that is written to, or a replica. */
  connections: Connections & { where?: string };
  now?: () => number;
}

const MAX_COSTLY = 10;
const MAX_FOUND = 1000;

/** Reports by SQL: every list is a page, every sum is of hours, and nothing is kept in memory. */
export function createPostgresReports({
  connections,
  now = Date.now,
  ...scope
}: PostgresReportsOptions): Reports {
  const read = createRead(connections, scope);
  const { hideFrom } = scope;
  const shown = (): ShownAs => ({ now: now(), hideFrom });

  return {
    sessions: (query) => read((asking) => sessionsPage(asking, query, shown())),
    session: (name) => read(async (asking) => (await newestNamed(asking, name, shown()))?.row),
    history: (name) =>
      read(async (asking) => {
        const found = await newestNamed(asking, name, shown());
        return found && historyOf(asking, found.row, found.place);
      }),
    find: (beginning) => read((asking) => namesBeginning(asking, beginning, MAX_FOUND, hideFrom)),
    names: (sessions) => read((asking) => shortNamesOf(asking, sessions)),
    signals: (query) => read((asking) => signalsPage(asking, query, hideFrom)),
    stats: (query) =>
      read(async (asking) => ({
        ...(await sumsSince(asking, query)),
        costliest: await costliestSessions(asking, query, MAX_COSTLY, shown()),
      })),
    recoveries: ({ since, most }) =>
      read(async (asking) => ({
        loops: { all: noLoops(), recoveries: [], detectors: [] },
        plans: await plansSince(asking, since),
        failures: await failureRows(asking, since),
        latest: await latestPlans(asking, since, most, hideFrom),
      })),
    detectors: ({ since }) => read((asking) => detectorsSince(asking, since)),
    runs: ({ ends, most, after }) =>
      read(async ({ ask }) => {
        const rows = await ask<{ run: string; last: number }>(
          `SELECT r.run, ${epochMilliseconds('r.last')} AS last FROM (
            SELECT DISTINCT ON (r.run) r.run, coalesce(s.last, to_timestamp(0)) AS last FROM (
              SELECT left(t.session, -length(e.ending)) COLLATE "C" AS run FROM unrut.states t JOIN unnest($1::text[]) AS e (ending)
                ON right(t.session, length(e.ending)) = e.ending WHERE t.org = :org AND position(E'\\x01' IN t.session) > 0
            ) r LEFT JOIN unrut.sessions s ON s.org = :org AND s.session = r.run WHERE :projects(s)
            ORDER BY r.run, s.last DESC NULLS LAST
          ) r WHERE $3::double precision IS NULL OR r.last < ${timeOf('$3')} OR (r.last = ${timeOf('$3')} AND r.run > $4)
          ORDER BY r.last DESC, r.run LIMIT $2`,
          ...[ends, most + 1, after?.at ?? null, after?.name ?? ''],
        );
        const runs = rows.slice(0, most);
        const last = runs.at(-1);
        return {
          runs,
          ...(last && rows.length > most ? { next: { at: last.last, name: last.run } } : {}),
        };
      }),
    feed: createEntryFeed(read, hideFrom),
    async close() {},
  };
}
