import { addUp, noPlans, plansBy } from '@unrut/ledger/figures/hour-figures';
import { SESSION_STATES } from '@unrut/ledger/figures/session-figures';
import { INCIDENT_STATES } from '@unrut/ledger/incidents/incident';
import { type LabelledValues, labels, metric } from '../prometheus.ts';
import { routesOf } from '../route/route.ts';
import { text } from '../route/schema-words.ts';
import type { EntryStream } from './entry-stream.ts';
import type { Looking } from './look-routes.ts';
import type { LedgerReading } from './reading.ts';
import { tasksByAttempts } from './runs.ts';

/** Where figures come from. */
export interface MetricsSource {
  reading: LedgerReading;
  stream: EntryStream;
  /** The server's own metrics, in Prometheus text format. */
  ownMetrics: () => Promise<string[]>;
  version: string;
}

export const metricsRoute = routesOf<Looking>({
  tag: 'metrics',
  scope: 'read',
  isOfProject: true,
}).get('/metrics', {
  id: 'metrics',
  summary: 'Metrics for Prometheus.',
  content: { 'text/plain': text('Prometheus text format.') },
  handle: async ({ context }, { metrics }) =>
    context.text(await metrics(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
});

/** Metrics of the ledger and the server, for Prometheus. */
export function createMetrics({
  reading,
  stream,
  ownMetrics,
  version,
}: MetricsSource): () => Promise<string> {
  const growing = createGrowing();
  const counter = (name: string, help: string, values: number | LabelledValues): string[] =>
    metric(
      name,
      'counter',
      help,
      growing(name, typeof values === 'number' ? [['', values]] : values),
    );
  return async () => {
    const sums = await reading.reports.stats({ since: 0, by: 'day' });
    const { states, failing } = await reading.reports.sessions({ most: 0, facets: true });
    const incidents = await reading.reports.incidents({ most: 0 });
    const {
      plans: _,
      shadow: __,
      notPerformed: ___,
      ...outcomes
    } = [...sums.plans.values()].reduce(addUp, noPlans());
    const lines = [
      ...metric('unrut_info', 'gauge', 'Unrut version.', [[labels({ version }), 1]]),
      ...metric(
        'unrut_sessions',
        'gauge',
        'Sessions in the ledger, by state.',
        SESSION_STATES.map((state) => [labels({ state }), states[state]]),
      ),
      ...metric(
        'unrut_failing_sessions',
        'gauge',
        'Running sessions whose calls fail, and which have done nothing else since.',
        failing,
      ),
      ...metric(
        'unrut_incidents',
        'gauge',
        'Incidents, one cause over many sessions, by state.',
        INCIDENT_STATES.map((state) => [labels({ state }), incidents.states[state]]),
      ),
      ...counter('unrut_events_total', 'Agent events, without message fragments.', sums.events),
      ...counter('unrut_steps_total', 'Agent steps.', sums.steps),
      ...counter(
        'unrut_signals_total',
        'Signals, by detector.',
        [...sums.detectors].map(([detector, row]) => [labels({ detector }), row.signals]),
      ),
      ...counter('unrut_loops_total', 'Loops.', sums.loops),
      ...counter(
        'unrut_plans_total',
        'Plans, by rung.',
        plansBy(sums.plans, ['rung']).map(({ rung, plans }) => [labels({ rung }), plans]),
      ),
      ...counter(
        'unrut_recoveries_total',
        'Plans, by recovery.',
        plansBy(sums.plans, ['recovery']).map(({ recovery, plans }) => [
          labels({ recovery }),
          plans,
        ]),
      ),
      ...metric(
        'unrut_tasks',
        'gauge',
        'Tasks of the latest 100 runs, by attempts.',
        Object.entries(await tasksByAttempts(reading)).map(([attempts, count]) => [
          labels({ attempts }),
          count,
        ]),
      ),
      ...counter(
        'unrut_outcomes_total',
        'Outcomes of plans.',
        Object.entries(outcomes).map(([outcome, count]) => [labels({ outcome }), count]),
      ),
      ...counter('unrut_tokens_total', 'Tokens that agents reported.', sums.tokens),
      ...counter('unrut_cost_usd_total', 'US dollars that agents reported.', sums.usd),
      ...counter(
        'unrut_wasted_steps_total',
        'Steps after the first lap of a loop.',
        sums.wasted.steps,
      ),
      ...counter('unrut_wasted_tokens_total', 'Tokens spent on wasted steps.', sums.wasted.tokens),
      ...counter(
        'unrut_wasted_cost_usd_total',
        'US dollars spent on wasted steps.',
        sums.wasted.usd,
      ),
      ...counter('unrut_faults_total', 'Internal faults of Unrut.', sums.faults),
      ...metric('unrut_stream_listeners', 'gauge', 'Stream listeners.', stream.listeners),
      ...metric(
        'process_resident_memory_bytes',
        'gauge',
        'Resident memory of the server.',
        process.memoryUsage.rss(),
      ),
      ...metric(
        'process_cpu_seconds_total',
        'counter',
        'Processor time of the server.',
        cpuSeconds(),
      ),
      ...(await ownMetrics()),
    ];
    return `${lines.join('\n')}\n`;
  };
}

const cpuSeconds = (): number =>
  Object.values(process.cpuUsage()).reduce((sum, each) => sum + each, 0) / 1e6;

/** Keeps counters monotonic: values of deleted ledger entries still count. */
function createGrowing(): (name: string, values: LabelledValues) => LabelledValues {
  const known = new Map<string, Map<string, { value: number; total: number }>>();
  return (name, values) => {
    const rows = known.get(name) ?? new Map<string, { value: number; total: number }>();
    known.set(name, rows);
    const now = new Map(values);
    for (const of of new Set([...rows.keys(), ...now.keys()])) {
      const before = rows.get(of) ?? { value: 0, total: 0 };
      const value = now.get(of) ?? 0;
      rows.set(of, { value, total: before.total + Math.max(0, value - before.value) });
    }
    return [...rows].map(([of, { total }]) => [of, total]);
  };
}
