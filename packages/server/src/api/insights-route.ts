import { oneOf } from '@unrut/engine/schema/kinds';
import { compareGiven } from '@unrut/ledger/insights/compare-given';
import { COMPARED, GROUPED, type InsightsQuery } from '@unrut/ledger/insights/insights';
import { insightsCsv } from '@unrut/ledger/insights/insights-csv';
import { adviceOn, sidesText, verdictText } from '@unrut/ledger/insights/insights-words';
import { insightsSchema } from '../answers/insights.ts';
import { Refusal } from '../problem.ts';
import { explained, maybe, text } from '../route/schema-words.ts';
import { readRoute } from './look-routes.ts';
import { limitOf, originParams, sinceParam, sinceTime } from './query.ts';

const MONTH = 30 * 86_400_000;

const CSV_HEADERS = {
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': 'attachment; filename="unrut-insights.csv"',
};

export const insightsRoute = readRoute.get('/v1/insights', {
  id: 'getInsights',
  summary: 'Compare how often sessions loop and what that costs: by group, release or period.',
  query: {
    by: maybe(
      explained(
        oneOf(GROUPED),
        'What sessions are grouped by. Default: the first of repo, team, release, model and host ' +
          'that has two values.',
      ),
    ),
    compare: maybe(
      explained(oneOf([...COMPARED, 'period']), 'What `a` and `b` are: two values of it.'),
    ),
    a: maybe(text('The first value, or a period such as 2026-11-01..2026-11-08 or 14d..7d.')),
    b: maybe(text('The second. Default of periods: the time asked about, after that before it.')),
    since: sinceParam,
    until: sinceParam,
    ...originParams,
    limit: limitOf(50, 500),
    format: maybe(explained(oneOf(['json', 'csv']), 'Default json.')),
  },
  content: { 'application/json': insightsSchema, 'text/csv': text('A line for each group.') },
  async handle({ query: { format, limit, compare: kind, a, b, ...query }, context }, { reading }) {
    const now = reading.now();
    const since = sinceTime(query.since, now, now - MONTH);
    const until = query.until === undefined ? undefined : sinceTime(query.until, now);
    const compare = kind && compareGiven({ by: kind, a, b }, { since, until }, now);
    if (typeof compare === 'string')
      throw new Refusal(400, 'bad-query', `Expected ${compare}; got a=${a} and b=${b}.`);
    const asked: InsightsQuery = { ...query, since, until, compare, most: limit };
    const report = await reading.reports.insights(asked);
    if (format === 'csv') return context.body(insightsCsv(report), 200, CSV_HEADERS);
    return context.json({
      since,
      until,
      ...report,
      advice: adviceOn(report),
      ...(compare ? comparedIn(compare, report.comparison?.difference) : {}),
    });
  },
});

type Difference = Parameters<typeof verdictText>[0];

/** The two sides of a comparison, and the result in words. */
function comparedIn(
  compare: NonNullable<InsightsQuery['compare']>,
  difference: Difference | undefined,
): object {
  const names = sidesText(compare);
  const sideOf = (side: 'a' | 'b', name: string): object =>
    compare.by === 'period' ? { name, ...compare[side] } : { name, value: compare[side] };
  return {
    compared: { by: compare.by, a: sideOf('a', names[0]), b: sideOf('b', names[1]) },
    verdict: difference
      ? verdictText(difference, names)
      : 'Not enough to tell: one side has no session',
  };
}
