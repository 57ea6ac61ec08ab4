import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import { wrap } from '@unrut/engine/text/printable';
import type { OutcomeCounts } from '../figures/session-figures.ts';
import type { ScreenRunSums } from '../reports/screen-runs.ts';
import type { StatsFigures } from '../reports/stats.ts';
import { counted, dollars, number, share, short } from './figures.ts';
import { figures, type Sheet, table } from './table.ts';

export interface StatisticsTextOptions extends Sheet {
  /** Tools shown. */
  top: number;
}

/** Figures for a terminal: a summary, then by detector, by recovery and by tool. */
export function statisticsText(
  statistics: StatsFigures,
  { paint, width, top }: StatisticsTextOptions,
): string[] {
  const { detectors, recoveries, tools } = statistics;
  const lines = wrap(inWords(statistics), width).map(paint.bold);
  const part = (columns: Parameters<typeof table>[0], rows: string[][]): void => {
    if (rows.length > 0) lines.push('', ...table(columns, rows, width, paint));
  };
  part(
    ['detector', ...['signals', 'sessions'].map(figures)],
    detectors.map(({ detector, signals, sessions }) => [
      detector,
      number(signals),
      number(sessions),
    ]),
  );
  part(
    [
      'recovery',
      'rung',
      ...[
        'plans',
        'only recorded',
        'not performed',
        'recovered',
        'persisted',
        'relapsed',
        'unknown',
        'success',
      ].map(figures),
    ],
    recoveries.map((row) => [
      row.recovery,
      row.rung,
      number(row.plans),
      ...[
        row.shadow,
        row.notPerformed,
        row.recovered,
        row.persisted,
        row.relapsed,
        row.unknown,
      ].map(unlessNone),
      success(row),
    ]),
  );
  part(
    ['tool', ...['calls', 'failed', 'in loops'].map(figures)],
    tools
      .slice(0, top)
      .map(({ tool, calls, failed, looping }) => [
        tool,
        number(calls),
        unlessNone(failed),
        unlessNone(looping),
      ]),
  );
  if (tools.length > top)
    lines.push(paint.dim(`… and ${counted(tools.length - top, 'more tool')}: --json lists all.`));
  return lines;
}

function inWords({
  sessions,
  looping,
  steps,
  loops,
  plans,
  shadow,
  outcomes,
  faults,
  tokens,
  usd,
}: StatsFigures): string {
  const cost = [
    ...(tokens > 0 ? [`${short(tokens)} tokens`] : []),
    ...(usd > 0 ? [dollars(usd)] : []),
  ];
  const all = [counted(sessions, 'session'), counted(steps, 'step'), ...cost].join(', ');
  const circles =
    looping === 0 ? 'no loops' : `${counted(loops, 'loop')} in ${counted(looping, 'session')}`;
  const known = knownOf(outcomes);
  const done =
    plans === 0
      ? ''
      : ` ${counted(plans, 'plan')}${shadow > 0 ? `, ${number(shadow)} only recorded` : ''}.`;
  const came =
    known === 0
      ? ''
      : ` The outcome of ${number(known)} is known: ${share(outcomes.recovered, known)} are recoveries.`;
  return `${all}: ${circles}.${done}${came}${faults > 0 ? ` ${counted(faults, 'fault')}: see unrut show --log --kind fault.` : ''}`;
}

/** The share of `recovered` among known outcomes; empty if there are none. */
function success(outcomes: OutcomeCounts): string {
  const known = knownOf(outcomes);
  return known === 0 ? '' : share(outcomes.recovered, known);
}

const knownOf = ({ recovered, persisted, relapsed }: OutcomeCounts): number =>
  recovered + persisted + relapsed;

const unlessNone = (value: number): string => (value === 0 ? '' : number(value));

/**
 * Success of recoveries by failure, for a terminal. `weight` is the weight in ranking, given enough
 * cases.
 */
export const recoveriesText = (rows: readonly RecoveryRow[], { width, paint }: Sheet): string[] =>
  table(
    [
      'after',
      'of',
      'candidate',
      ...['offered', 'followed', 'recovered', 'reward', 'weight'].map(figures),
    ],
    rows.map(({ failure, world, move, offered, followed, recovered, reward, share: weight }) => [
      failure,
      world,
      move,
      number(offered),
      unlessNone(followed),
      followed === 0 ? '' : share(recovered, followed),
      reward?.toFixed(2) ?? '',
      weight?.toFixed(2) ?? '',
    ]),
    width,
    paint,
  );

/** Screen runs by ending, with forced steps and rejected claims. */
export function screensText(
  { runs, endings, loop_recoveries_by_reason, done_rejections_by_reason }: ScreenRunSums,
  { paint, width }: Sheet,
): string[] {
  if (runs === 0) return [];
  const rows = [
    ...Object.entries(endings).map(([name, times]) => [`ended as ${name}`, number(times)]),
    ...Object.entries(loop_recoveries_by_reason).map(([name, times]) => [name, number(times)]),
    ...Object.entries(done_rejections_by_reason).map(([name, times]) => [
      `done turned down: ${name}`,
      number(times),
    ]),
  ];
  return ['', ...table([`${counted(runs, 'screen run')}`, figures('times')], rows, width, paint)];
}
