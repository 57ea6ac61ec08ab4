import { addUp, type HourFigures, plansBy } from '@unrut/ledger/figures/hour-figures';
import { type Acted, noOutcomes, SESSION_STATES } from '@unrut/ledger/figures/session-figures';
import { SESSION_ORDERS, WASTE_MEASURES } from '@unrut/ledger/reports/reports';
import { type RecoveryFigures, statsIn } from '@unrut/ledger/reports/stats';
import type { Context } from 'hono';
import type { RecoveriesAnswer, SessionsAnswer, SignalsAnswer, StatsAnswer } from './answers.ts';
import { cursorIn, cursorText, namesIn, numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** Lists and figures of many sessions. */
type ReportRoute = (context: Context) => Promise<Response>;

/** `GET /v1/sessions`: what agents are at, and were at. */
export const sessionsRoute =
  ({ reports, now }: LedgerReading): ReportRoute =>
  async (context) => {
    const { host, folder, loops, search } = context.req.query();
    const [sort, ...more] = namesIn(context, 'sort', SESSION_ORDERS);
    const { next, ...report } = await reports.sessions({
      most: numberIn(context, 'limit', 50),
      since: sinceIn(context, now()),
      after: cursorIn(context),
      facets: true,
      states: namesIn(context, 'state', SESSION_STATES),
      looped: loops !== undefined,
      host,
      folder,
      search,
      sort: more.length > 0 ? undefined : sort,
    });
    return context.json({ ...report, next: next && cursorText(next) } satisfies SessionsAnswer);
  };

/** `GET /v1/signals`: what was seen, the newest first. */
export const signalsRoute =
  ({ reports, now }: LedgerReading): ReportRoute =>
  async (context) => {
    const { detector, session } = context.req.query();
    const { signals, next } = await reports.signals({
      most: numberIn(context, 'limit', 50),
      since: sinceIn(context, now()),
      after: cursorIn(context),
      session,
      detector,
    });
    return context.json({ signals, next: next && cursorText(next) } satisfies SignalsAnswer);
  };

/**
 * `GET /v1/recoveries`: what was tried, and how often it worked. Nothing came of what was only
 * recorded.
 */
export const recoveriesRoute =
  ({ reports, now }: LedgerReading): ReportRoute =>
  async (context) => {
    const report = await reports.recoveries({
      since: sinceIn(context, now()),
      most: numberIn(context, 'limit', 50),
    });
    const plans: HourFigures['plans'] = new Map(
      [...report.plans].map(([name, row]) => [
        name,
        row.shadow === 0 ? row : { ...row, ...noOutcomes() },
      ]),
    );
    const acted: Acted = { plans: 0, ...noOutcomes() };
    for (const row of plans.values()) if (row.shadow === 0) addUp(acted, row);
    return context.json({
      loops: report.loops,
      acted,
      recoveries: plansBy(plans, ['recovery', 'rung']) as RecoveryFigures[],
      tools: plansBy(plans, ['tool', 'recovery']),
      detectors: plansBy(plans, ['detector']),
      failures: report.failures,
      latest: report.latest,
    } satisfies RecoveriesAnswer);
  };

const MONTH = 30 * 86_400_000;
const MAX_TOOLS = 50;

/** `GET /v1/stats`: how much was done, seen, tried and wasted, also over time. */
export const statsRoute =
  (reading: LedgerReading): ReportRoute =>
  async (context) => {
    const now = reading.now();
    const since = sinceIn(context, now, now - MONTH);
    const by = context.req.query('by') === 'hour' ? 'hour' : 'day';
    const costliest = WASTE_MEASURES.find((measure) => measure === context.req.query('costliest'));
    const report = await reading.reports.stats({ since, by, costliest });
    const statistics = statsIn(report);
    return context.json({
      since,
      events: report.events,
      ...statistics,
      tools: statistics.tools.slice(0, MAX_TOOLS),
      hosts: [...report.hosts]
        .map(([host, row]) => ({ host, ...row }))
        .sort((one, other) => other.steps - one.steps),
      costliest: report.costliest,
      by,
      time: [...report.time]
        .sort(([one], [other]) => one - other)
        .map(([at, figures]) => ({ at, ...figures })),
    } satisfies StatsAnswer);
  };
