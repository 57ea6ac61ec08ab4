import type { Context } from 'hono';
import type { SessionTally } from '../../views/session-tally.ts';
import { statisticsIn } from '../../views/statistics.ts';
import { sumTallies } from '../../views/tally-sums.ts';
import type { SessionRow, StatsAnswer } from './answers.ts';
import { sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

const MONTH = 30 * 86_400_000;
const MAX_TOOLS = 50;
const MAX_COSTLY = 10;

/** `GET /v1/stats`: how much was done, seen, tried and wasted, also over time. */
export function statsRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const now = reading.now();
    const since = sinceIn(context, now, now - MONTH);
    const by = context.req.query('by') === 'hour' ? 'hour' : 'day';
    const tallies = [...(await reading.sessions()).values()];
    const sums = sumTallies(tallies, { since, by });
    const statistics = statisticsIn(sums);
    return context.json({
      ...{ since, events: sums.events },
      ...statistics,
      tools: statistics.tools.slice(0, MAX_TOOLS),
      hosts: [...sums.hosts].map(([host, row]) => ({ host, ...row })).sort((one, other) => other.steps - one.steps),
      costliest: costliest(reading, tallies, since),
      by,
      time: [...sums.time].sort(([one], [other]) => one - other).map(([at, figures]) => ({ at, ...figures })),
    } satisfies StatsAnswer);
  };
}

const costliest = (reading: LedgerReading, tallies: readonly SessionTally[], since: number): SessionRow[] =>
  tallies
    .filter(({ summary }) => summary.loops > 0 && summary.last >= since)
    .map(reading.rowOf)
    .filter(({ wasted }) => wasted.steps > 0)
    .sort((one, other) => other.wasted.usd - one.wasted.usd || other.wasted.steps - one.wasted.steps)
    .slice(0, MAX_COSTLY);
