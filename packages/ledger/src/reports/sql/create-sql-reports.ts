import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import type {
  EntryFeed,
  ListPlace,
  PlanRow,
  Reports,
  SessionHistory,
  SignalsQuery,
  SignalsReport,
} from '../reports.ts';
import type { StallLimits } from '../stall.ts';
import type { Read } from './asking.ts';
import { incidentsPage } from './incident-list.ts';
import { insightsOf } from './insights-of.ts';
import { sessionsPage } from './session-list.ts';
import { costliestSessions, namesBeginning, rowNamed, shortNamesOf } from './session-names.ts';
import type { ShownAs } from './session-rows.ts';
import { detectorsSince, figuresSince, loopsSince, plansSince } from './sum-queries.ts';
import { trialsOf } from './trials.ts';

/** Queries over entries, which each ledger implements itself. */
export interface EntryReports {
  history(name: string, after?: ListPlace): Promise<SessionHistory | undefined>;
  signals(query: SignalsQuery): Promise<SignalsReport>;
  latestPlans(since: number, most: number): Promise<PlanRow[]>;
  failures(since: number): Promise<RecoveryRow[]>;
  runs: Reports['runs'];
  feed: EntryFeed;
}

const MAX_COSTLY = 10;
const MAX_FOUND = 1000;

/** Reports in SQL: lists are paged, sums use hourly figures, and nothing is cached. */
export function createSqlReports(
  read: Read,
  { runs, feed, ...entries }: EntryReports,
  { now, ...how }: Pick<ShownAs, 'hidden' | 'projectName'> & { now: () => number },
): Reports {
  let stall: StallLimits | undefined;
  const shown = (): ShownAs => ({ now: now(), stall, ...how });
  return {
    sessions: (query) => read((asking) => sessionsPage(asking, query, shown())),
    session: async (name) => (await read((asking) => rowNamed(asking, name, shown())))?.session,
    history: entries.history,
    find: (beginning) => read((asking) => namesBeginning(asking, beginning, MAX_FOUND, shown())),
    names: (sessions) => read((asking) => shortNamesOf(asking, sessions)),
    signals: entries.signals,
    incidents: (query) => read((asking) => incidentsPage(asking, query, shown())),
    stats: (query) =>
      read(async (asking) => ({
        ...(await figuresSince(asking, query)),
        costliest: await costliestSessions(asking, query, MAX_COSTLY, shown()),
      })),
    insights: (query) => read((asking) => insightsOf(asking, query, shown())),
    trials: () => read(trialsOf),
    recoveries: async ({ since, most }) => ({
      ...(await read(async (asking) => ({
        loops: await loopsSince(asking, since, now()),
        plans: await plansSince(asking, since),
      }))),
      failures: await entries.failures(since),
      latest: await entries.latestPlans(since, most),
    }),
    detectors: ({ since }) => read((asking) => detectorsSince(asking, since)),
    runs,
    feed,
    stallAfter(limits) {
      stall = limits;
    },
    async close() {},
  };
}
