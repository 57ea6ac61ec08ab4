import type { Rung } from '@unrut/engine/event';
import { HOUR } from './hour-figures.ts';

/**
 * The tables of hourly figures in both ledgers: the key columns and the sums. `sessions` counts a
 * session in each hour with activity. `day_sessions`, `last_sessions` and `last_looping` count it
 * once: in the last active hour of a day, the last active hour of all, and the hour of its last
 * noticed loop. When the session continues, that count moves to the later hour; so all sessions
 * since a time are a sum as well. Detector rows are separate from tool rows and have an empty tool.
 */
export const HOUR_TABLES = {
  hours: {
    keys: ['team', 'host', 'model', 'release'],
    sums: [
      ...(['sessions', 'day_sessions', 'last_sessions', 'last_looping'] as const),
      ...(['events', 'steps', 'signals', 'loops', 'faults', 'tokens', 'usd'] as const),
      ...(['wasted_steps', 'wasted_tokens', 'wasted_usd'] as const),
    ],
  },
  tool_hours: { keys: ['tool'], sums: ['calls', 'failed', 'looping'] },
  detector_hours: { keys: ['detector', 'tool'], sums: ['signals', 'last_sessions'] },
  plan_hours: {
    keys: ['recovery', 'rung', 'tool', 'detector', 'shadow'],
    sums: ['plans', 'not_performed', 'recovered', 'persisted', 'relapsed', 'unknown'],
  },
} as const;

export type HourTable = keyof typeof HOUR_TABLES;

/** The amounts to add to a row; sums that are missing stay unchanged. */
export type HourRow<Table extends HourTable = HourTable> = {
  /** Epoch milliseconds at which the hour begins. */
  hour: number;
  /** Of a detector: when it last spoke. */
  last?: number;
} & { [key in (typeof HOUR_TABLES)[Table]['keys'][number]]: string | boolean } & {
  [sum in (typeof HOUR_TABLES)[Table]['sums'][number]]?: number;
};

/** The changes that one write makes to hourly figures. */
export type HourChanges = { [Table in HourTable]: HourRow<Table>[] };

/** The dimensions of a plan, in the hour in which it was made. */
export interface PlanPlace {
  at: number;
  recovery: string;
  rung: Rung;
  tool: string;
  detector: string;
  shadow: boolean;
}

/** Collects changes, one row per key. */
export class HourSums {
  readonly #rows = new Map<string, [HourTable, { [name: string]: unknown }]>();

  add<Table extends HourTable>(
    table: Table,
    at: number,
    key: { [name in (typeof HOUR_TABLES)[Table]['keys'][number]]: string | boolean },
    sums: { [name in (typeof HOUR_TABLES)[Table]['sums'][number]]?: number },
    last?: number,
  ): void {
    const hour = Math.floor(at / HOUR) * HOUR;
    const place = [table, hour, ...Object.values(key)].join('\n');
    const [, row] = this.#rows.get(place) ?? [table, { hour, ...named(key) }];
    for (const [name, value] of Object.entries(sums) as [string, number][])
      row[name] = ((row[name] as number | undefined) ?? 0) + (Number.isFinite(value) ? value : 0);
    if (last !== undefined) row.last = Math.max((row.last as number | undefined) ?? last, last);
    this.#rows.set(place, [table, row]);
  }

  addPlan(
    { at, ...key }: PlanPlace,
    sums: { [name in (typeof HOUR_TABLES)['plan_hours']['sums'][number]]?: number },
  ): void {
    this.add('plan_hours', at, key, sums);
  }

  /** Returns the collected changes and clears them. */
  take(): HourChanges {
    const changes: HourChanges = { hours: [], tool_hours: [], detector_hours: [], plan_hours: [] };
    for (const [table, row] of this.#rows.values()) changes[table].push(row as never);
    this.#rows.clear();
    return changes;
  }
}

/** Anybody may add an entry, so expected fields may be missing. */
const named = (key: object): object =>
  Object.fromEntries(
    Object.entries(key).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? value : String(value ?? ''),
    ]),
  );
