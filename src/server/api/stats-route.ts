import type { Context } from 'hono';
import { WASTE_MEASURES } from '../../ledger/reports/reports.ts';
import { statisticsIn } from '../../views/statistics.ts';
import type { StatsAnswer } from './answers.ts';
import { sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

const MONTH = 30 * 86_400_000;
const MAX_TOOLS = 50;

/** `GET /v1/stats`: how much was done, seen, tried and wasted, also over time. */
export function statsRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const now = reading.now();
    const since = sinceIn(context, now, now - MONTH);
    const by = context.req.query('by') === 'hour' ? 'hour' : 'day';
    const costliest = WASTE_MEASURES.find((measure) => measure === context.req.query('costliest'));
    const report = await reading.reports.stats({ since, by, costliest });
    const statistics = statisticsIn(report);
    return context.json({
      ...{ since, events: report.events },
      ...statistics,
      tools: statistics.tools.slice(0, MAX_TOOLS),
      hosts: [...report.hosts].map(([host, row]) => ({ host, ...row })).sort((one, other) => other.steps - one.steps),
      costliest: report.costliest,
      by,
      time: [...report.time].sort(([one], [other]) => one - other).map(([at, figures]) => ({ at, ...figures })),
    } satisfies StatsAnswer);
  };
}
