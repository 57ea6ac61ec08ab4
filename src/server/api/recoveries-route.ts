import type { Context } from 'hono';
import type { RecordedPlan } from '../../account/entry.ts';
import { recoveriesIn } from '../../ledger/learned.ts';
import type { RecoveryFigures } from '../../views/statistics.ts';
import { plansBy, sumTallies } from '../../views/tally-sums.ts';
import { actedOn, withoutShadowOutcomes } from './acted-on.ts';
import type { PlanRow, RecoveriesAnswer } from './answers.ts';
import { numberIn, sinceIn } from './query.ts';
import type { LedgerReading } from './reading.ts';

/** `GET /v1/recoveries`: what was tried, and how often it worked. */
export function recoveriesRoute(reading: LedgerReading): (context: Context) => Promise<Response> {
  return async (context) => {
    const since = sinceIn(context, reading.now());
    const most = numberIn(context, 'limit', 50);
    const sums = sumTallies((await reading.sessions()).values(), { since, by: 'day' });
    const plans = withoutShadowOutcomes(sums.plans);
    return context.json({
      acted: actedOn([plans]),
      recoveries: plansBy(plans, ['recovery', 'rung']) as RecoveryFigures[],
      tools: plansBy(plans, ['tool', 'recovery']),
      detectors: plansBy(plans, ['detector']),
      failures: await recoveriesIn(reading.ledger, since),
      latest: await latestPlans(reading, since, most),
    } satisfies RecoveriesAnswer);
  };
}

async function latestPlans(reading: LedgerReading, since: number, most: number): Promise<PlanRow[]> {
  const sessions = await reading.sessions();
  return reading.rows.newest({ kind: 'plan', since, most }).map(({ session, agent, at, step, data }) => {
    const { id, recovery, rung, reason, toModel, toHuman, shadow } = data as unknown as RecordedPlan;
    const outcome = sessions.get(session)?.outcomeOf(agent, id);
    const tool = reading.rows.toolAt(session, at);
    return {
      ...{ id, session, ...(agent === undefined ? {} : { agent }), at, step, recovery, rung, reason, toModel, toHuman, shadow },
      ...(tool === undefined ? {} : { tool }),
      ...(outcome === undefined ? {} : { outcome }),
    };
  });
}
