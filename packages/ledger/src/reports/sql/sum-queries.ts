import { LOOP_ENDINGS, rounded, roundedWaste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import { HOUR_TABLES } from '../../figures/hour-changes.ts';
import {
  addUp,
  HOUR,
  type HostFigures,
  type HourFigures,
  noHost,
  noPart,
  type PartFigures,
  type Period,
  type PeriodFigures,
  rowOf,
  startPeriod,
} from '../../figures/hour-figures.ts';
import { SILENT } from '../../figures/session-figures.ts';
import type { LoopFigures, LoopsReport } from '../reports.ts';
import { type Asking, type SqlDialect, summed } from './asking.ts';

type SumRow = Record<(typeof HOUR_TABLES)['hours']['sums'][number], number> & {
  host: string;
  at: number;
};

/** The hour in which a period begins. */
const hourOf = (since: number): number => Math.floor(since / HOUR) * HOUR;

/** The rows of a table from the hour of `$1` on. */
const from = (table: string, { scope, time }: SqlDialect): string =>
  `unrut.${table} h WHERE ${scope('h')} AND h.hour >= ${time('$1')}`;

const partOf = (by: Period['by'], { day }: SqlDialect): string =>
  by === 'day' ? day('h.hour') : 'h.hour';

/** Figures of all sessions since a time, from hourly figures. */
export async function figuresSince(asking: Asking, { since, by }: Period): Promise<PeriodFigures> {
  const { ask, dialect } = asking;
  const figures = startPeriod();
  const part = partOf(by, dialect);
  const rows = await ask<SumRow>(
    `SELECT h.host, ${dialect.milliseconds(part)} AS at, ${HOUR_TABLES.hours.sums.map((name) => summed(`h.${name}`, name)).join(', ')}
      FROM ${from('hours', dialect)} GROUP BY h.host, ${part}`,
    hourOf(since),
  );
  for (const row of rows) addRow(figures, row, by);
  for (const cost of [figures, ...figures.hosts.values(), ...figures.time.values()])
    Object.assign(cost, {
      tokens: rounded(cost.tokens),
      usd: rounded(cost.usd),
      wasted: roundedWaste(cost.wasted),
    });
  figures.tools = await toolsSince(asking, since);
  Object.assign(figures, await detectorsSince(asking, since));
  figures.plans = await plansSince(asking, since);
  await addPlansOverTime(asking, figures.time, { since, by });
  return figures;
}

function addRow(figures: PeriodFigures, row: SumRow, by: Period['by']): void {
  const { host, at, last_sessions: sessions, last_looping: looping } = row;
  const wasted = { steps: row.wasted_steps, tokens: row.wasted_tokens, usd: row.wasted_usd };
  const { sessions: inHour, day_sessions: inDay, ...cost } = row;
  const parts: [HostFigures | PartFigures, number][] = [[figures, sessions]];
  // A host without events has only sessions that have since moved to another hour.
  if (sessions !== 0 || row.events > 0) parts.push([rowOf(figures.hosts, host, noHost), sessions]);
  if (row.events + row.signals > 0)
    parts.push([rowOf(figures.time, at, noPart), by === 'hour' ? inHour : inDay]);
  for (const [part, counted] of parts) {
    addUp(part, { ...cost, sessions: counted, looping });
    addUp(part.wasted, wasted);
  }
}

async function toolsSince({ ask, dialect }: Asking, since: number): Promise<HourFigures['tools']> {
  const rows = await ask<{ tool: string; calls: number; failed: number; looping: number }>(
    `SELECT h.tool, ${HOUR_TABLES.tool_hours.sums.map((name) => summed(`h.${name}`, name)).join(', ')}
      FROM ${from('tool_hours', dialect)} GROUP BY h.tool`,
    hourOf(since),
  );
  return new Map(
    rows.map(({ tool, calls, failed, looping }) => [tool, { calls, failed, looping }]),
  );
}

/** Detector signals by place, and the number of sessions with them. */
export async function detectorsSince(
  { ask, dialect }: Asking,
  since: number,
): Promise<Pick<PeriodFigures, 'detectors' | 'detectorSessions'>> {
  const rows = await ask<{
    detector: string;
    tool: string;
    signals: number;
    last_sessions: number;
    last: number | null;
  }>(
    `SELECT h.detector, h.tool, ${HOUR_TABLES.detector_hours.sums.map((name) => summed(`h.${name}`, name)).join(', ')},
        ${dialect.milliseconds('max(h.last)')} AS last
      FROM ${from('detector_hours', dialect)} GROUP BY h.detector, h.tool`,
    hourOf(since),
  );
  const detectors: PeriodFigures['detectors'] = new Map();
  const detectorSessions: PeriodFigures['detectorSessions'] = new Map();
  for (const { detector, tool, signals, last_sessions: sessions, last } of rows) {
    if (sessions > 0)
      detectorSessions.set(detector, (detectorSessions.get(detector) ?? 0) + sessions);
    if (signals === 0) continue;
    const row = rowOf(detectors, detector, () => ({
      signals: 0,
      last: 0,
      tools: new Map<string, number>(),
    }));
    row.signals += signals;
    row.last = Math.max(row.last, last ?? 0);
    if (tool !== '') row.tools.set(tool, signals);
  }
  return { detectors, detectorSessions };
}

type PlanSumRow = Record<(typeof HOUR_TABLES)['plan_hours']['sums'][number], number> & {
  recovery: string;
  rung: Rung;
  tool: string;
  detector: string;
  shadow: boolean | number;
};

/** Plans by all of their dimensions. */
export async function plansSince(
  { ask, dialect }: Asking,
  since: number,
): Promise<HourFigures['plans']> {
  const keys = HOUR_TABLES.plan_hours.keys.map((name) => `h.${name}`).join(', ');
  const rows = await ask<PlanSumRow>(
    `SELECT ${keys}, ${HOUR_TABLES.plan_hours.sums.map((name) => summed(`h.${name}`, name)).join(', ')}
      FROM ${from('plan_hours', dialect)} GROUP BY ${keys}`,
    hourOf(since),
  );
  return new Map(
    rows.map(({ recovery, rung, tool, detector, shadow, not_performed, ...counts }) => [
      [recovery, rung, tool, detector, Boolean(shadow)].join('\n'),
      {
        recovery,
        rung,
        tool,
        detector,
        ...counts,
        shadow: shadow ? counts.plans : 0,
        notPerformed: not_performed,
      },
    ]),
  );
}

async function addPlansOverTime(
  { ask, dialect }: Asking,
  time: PeriodFigures['time'],
  { since, by }: Period,
): Promise<void> {
  const part = partOf(by, dialect);
  const rows = await ask<{ at: number; plans: number; recovered: number }>(
    `SELECT ${dialect.milliseconds(part)} AS at, ${summed('h.plans', 'plans')}, ${summed('h.recovered', 'recovered')}
      FROM ${from('plan_hours', dialect)} GROUP BY ${part}`,
    hourOf(since),
  );
  for (const { at, plans, recovered } of rows)
    Object.assign(time.get(at) ?? {}, { plans, recovered });
}

const ENDINGS = [...LOOP_ENDINGS, 'open'] as const;

type LoopSumRow = Record<(typeof ENDINGS)[number] | 'loops' | 'squares', number>;

/** The endings of loops noticed since a time. */
export async function loopsSince(asking: Asking, since: number, now: number): Promise<LoopsReport> {
  const [all] = await loopsBy(asking, [], since, now);
  return {
    all: all!,
    recoveries: await loopsBy<{ recovery: string; rung: Rung }>(
      asking,
      ['recovery', 'rung'],
      ...([since, now] as const),
    ),
    detectors: await loopsBy<{ detector: string }>(asking, ['detector'], since, now),
  };
}

/**
 * Loops by some of their dimensions. Loops of one session are correlated, so their effective number
 * is computed (Kish).
 */
async function loopsBy<Key extends object>(
  { ask, dialect }: Asking,
  names: readonly string[],
  since: number,
  now: number,
): Promise<(LoopFigures & Key)[]> {
  const keys = names.map((name) => `l.${name}`);
  const group = keys.length > 0 ? `GROUP BY ${keys.join(', ')}` : '';
  const known = names.includes('recovery') ? 'AND l.recovery IS NOT NULL' : '';
  // A session that went silent within a loop has not left it.
  const rows = await ask<LoopSumRow & Key>(
    `SELECT ${[...keys, ...[...ENDINGS, 'loops', 'squares'].map((name) => summed(`l."${name}"`, `"${name}"`))].join(', ')} FROM (
      SELECT ${[...keys, ...ENDINGS.map((ending) => `count(*) FILTER (WHERE l.ending = '${ending}') AS "${ending}"`)].join(', ')},
        count(*) AS loops, count(*) * count(*) AS squares
      FROM (
        SELECT l.${dialect.key} AS of, l.detector, l.recovery, l.rung, CASE WHEN l.ending IS NOT NULL THEN l.ending
          WHEN s.phase = 0 AND s.heard < $2 THEN 'never' ELSE 'open' END AS ending
        FROM unrut.loops l JOIN unrut.sessions s ON s.${dialect.key} = l.${dialect.key}
        WHERE ${dialect.scope('s')} AND l.at >= ${dialect.time('$1')} ${known}
      ) l GROUP BY ${[...keys, 'l.of'].join(', ')}
    ) l ${group}`,
    ...[hourOf(since), now - SILENT],
  );
  return rows
    .map(({ loops, squares, ...row }) => ({
      ...(Object.fromEntries(names.map((name) => [name, row[name as never]])) as Key),
      loops,
      effective: squares === 0 ? 0 : (loops * loops) / squares,
      endings: Object.fromEntries(
        ENDINGS.map((ending) => [ending, row[ending as never]]),
      ) as unknown as LoopFigures['endings'],
    }))
    .sort((one, other) => other.loops - one.loops);
}
