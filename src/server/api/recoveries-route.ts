import type { Context } from 'hono';
import type { RecoveryFigures } from '../../views/statistics.ts';
import { plansBy } from '../../views/tally-sums.ts';
import { actedOn, withoutShadowOutcomes } from './acted-on.ts';
import type { RecoveriesAnswer } from './answers.ts';
import { numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/recoveries`: what was tried, and how often it worked. */
export function recoveriesRoute({ reports, now }: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const report = await reports.recoveries({ since: sinceIn(context, now()), most: numberIn(context, 'limit', 50) });
    const plans = withoutShadowOutcomes(report.plans);
    return context.json({
      acted: actedOn(plans),
      recoveries: plansBy(plans, ['recovery', 'rung']) as RecoveryFigures[],
      tools: plansBy(plans, ['tool', 'recovery']),
      detectors: plansBy(plans, ['detector']),
      failures: report.failures,
      latest: report.latest,
    } satisfies RecoveriesAnswer);
  };
}
