import { rounded, roundedWaste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import {
  type HourFigures,
  rowOf,
  type SumOptions,
  startHour,
  type TallySums,
  type TimeSums,
} from '@unrut/ledger/figures/hour-figures';
import { epochMilliseconds, timeOf } from '../sql.ts';
import { type Asking, inScope } from './report-scope.ts';

const SUMS = [
  'events',
  'steps',
  'signals',
  'loops',
  'faults',
  'tokens',
  'usd',
  'wasted_steps',
  'wasted_tokens',
  'wasted_usd',
] as const;
const ALL_SUMS = [...SUMS, 'sessions', 'day_sessions', 'last_sessions', 'last_looping'] as const;

type SumRow = Record<(typeof ALL_SUMS)[number], number> & {
  host: string | null;
  at: number | null;
  is_host: number;
  is_time: number;
};

/** From the start of the hour of `$1`. */
const since = (table: string): string =>
  `${table}.hour >= date_trunc('hour', ${timeOf('$1')}, 'UTC')`;

/** Figures of all sessions since a time, from what was added up by the hour. */
export async function sumsSince(
  asking: Asking,
  { since: from, by }: SumOptions,
): Promise<TallySums> {
  const { ask } = asking;
  const sums: TallySums = {
    ...startHour(),
    sessions: 0,
    looping: 0,
    hosts: new Map(),
    time: new Map(),
    detectorSessions: new Map(),
  };
  const rows = await ask<SumRow>(
    `SELECT h.host, ${epochMilliseconds('h.time')} AS at, grouping(h.host) AS is_time, grouping(h.time) AS is_host,
        ${ALL_SUMS.map((name) => `coalesce(sum(h.${name}), 0)::double precision AS ${name}`).join(', ')}
      FROM (SELECT h.*, date_trunc($2, h.hour, 'UTC') AS time FROM unrut.hours h WHERE ${inScope('h')} AND ${since('h')}) h
      GROUP BY GROUPING SETS ((), (h.host), (h.time))`,
    ...[from, by],
  );
  for (const row of rows) {
    const { host, at, last_sessions: sessions, last_looping: looping } = row;
    if (host === null && at === null) Object.assign(sums, figuresOf(row), { sessions, looping });
    else if (at === null && sessions > 0)
      sums.hosts.set(host!, { sessions, looping, ...costOf(row) });
    else if (at !== null && row.events + row.signals > 0) sums.time.set(at, timeSums(row, by));
  }
  sums.tools = await toolsSince(asking, from);
  const { detectors, detectorSessions } = await detectorsSince(asking, from);
  Object.assign(sums, { detectors, detectorSessions, plans: await plansSince(asking, from) });
  await addPlansOverTime(asking, sums.time, from, by);
  return sums;
}

const costOf = (row: SumRow): Pick<TallySums, 'steps' | 'tokens' | 'usd' | 'wasted'> => ({
  steps: row.steps,
  tokens: rounded(row.tokens),
  usd: rounded(row.usd),
  wasted: roundedWaste({ steps: row.wasted_steps, tokens: row.wasted_tokens, usd: row.wasted_usd }),
});

const figuresOf = (row: SumRow): Partial<TallySums> => ({
  events: row.events,
  signals: row.signals,
  loops: row.loops,
  faults: row.faults,
  ...costOf(row),
});

const timeSums = (row: SumRow, by: SumOptions['by']): TimeSums => ({
  sessions: by === 'hour' ? row.sessions : row.day_sessions,
  loops: row.loops,
  signals: row.signals,
  plans: 0,
  recovered: 0,
  ...costOf(row),
});

async function toolsSince({ ask }: Asking, from: number): Promise<HourFigures['tools']> {
  const rows = await ask<{ tool: string; calls: number; failed: number; looping: number }>(
    `SELECT t.tool, sum(t.calls)::double precision AS calls, sum(t.failed)::double precision AS failed, sum(t.looping)::double precision AS looping
      FROM unrut.tool_hours t WHERE ${inScope('t')} AND ${since('t')} GROUP BY t.tool`,
    from,
  );
  return new Map(rows.map(({ tool, ...row }) => [tool, row]));
}

/** How often each detector spoke, where, and in how many sessions. */
export async function detectorsSince(
  { ask }: Asking,
  from: number,
): Promise<Pick<TallySums, 'detectors' | 'detectorSessions'>> {
  const rows = await ask<{
    detector: string;
    tool: string;
    signals: number;
    sessions: number;
    last: number | null;
  }>(
    `SELECT d.detector, d.tool, sum(d.signals)::double precision AS signals, sum(d.last_sessions)::double precision AS sessions,
        ${epochMilliseconds('max(d.last)')} AS last
      FROM unrut.detector_hours d WHERE ${inScope('d')} AND ${since('d')} GROUP BY d.detector, d.tool`,
    from,
  );
  const detectors: TallySums['detectors'] = new Map();
  const detectorSessions: TallySums['detectorSessions'] = new Map();
  for (const { detector, tool, signals, sessions, last } of rows) {
    const row = rowOf(detectors, detector, () => ({
      signals: 0,
      last: 0,
      tools: new Map<string, number>(),
    }));
    row.signals += signals;
    row.last = Math.max(row.last, last ?? 0);
    if (tool !== '' && signals > 0) row.tools.set(tool, signals);
    detectorSessions.set(detector, (detectorSessions.get(detector) ?? 0) + sessions);
  }
  for (const [detector, { signals }] of detectors) if (signals === 0) detectors.delete(detector);
  for (const [detector, sessions] of detectorSessions)
    if (sessions === 0) detectorSessions.delete(detector);
  return { detectors, detectorSessions };
}

const PLAN_SUMS = [
  'plans',
  'not_performed',
  'recovered',
  'persisted',
  'relapsed',
  'unknown',
] as const;

type PlanSumRow = Record<(typeof PLAN_SUMS)[number], number> & {
  recovery: string;
  rung: Rung;
  tool: string;
  detector: string;
  shadow: boolean;
};

/** Plans, by all that tells them apart. */
export async function plansSince({ ask }: Asking, from: number): Promise<HourFigures['plans']> {
  const rows = await ask<PlanSumRow>(
    `SELECT p.recovery, p.rung, p.tool, p.detector, p.shadow, ${PLAN_SUMS.map((name) => `sum(p.${name})::double precision AS ${name}`).join(', ')}
      FROM unrut.plan_hours p WHERE ${inScope('p')} AND ${since('p')} GROUP BY p.recovery, p.rung, p.tool, p.detector, p.shadow`,
    from,
  );
  return new Map(
    rows.map(
      ({
        recovery,
        rung,
        tool,
        detector,
        shadow,
        plans,
        not_performed: notPerformed,
        ...outcomes
      }) => [
        [recovery, rung, tool, detector, shadow].join('\n'),
        {
          recovery,
          rung,
          tool,
          detector,
          plans,
          shadow: shadow ? plans : 0,
          notPerformed,
          ...outcomes,
        },
      ],
    ),
  );
}

async function addPlansOverTime(
  { ask }: Asking,
  time: TallySums['time'],
  from: number,
  by: SumOptions['by'],
): Promise<void> {
  const rows = await ask<{ at: number; plans: number; recovered: number }>(
    `SELECT ${epochMilliseconds("date_trunc($2, p.hour, 'UTC')")} AS at, sum(p.plans)::double precision AS plans,
        sum(p.recovered)::double precision AS recovered
      FROM unrut.plan_hours p WHERE ${inScope('p')} AND ${since('p')} GROUP BY 1`,
    ...[from, by],
  );
  for (const { at, plans, recovered } of rows)
    Object.assign(time.get(at) ?? {}, { plans, recovered });
}
