import type { Rung } from '@unrut/engine/event';
import { HOUR } from './hour-figures.ts';

/**
 * The tables of figures by the hour, in both ledgers: what tells their rows apart, and what is
 * added up. A session counts in `sessions` in each hour in which something happened.
 * `day_sessions`, `last_sessions` and `last_looping` count it once: in the last hour of a day and
 * of all time in which something happened, or a loop was noticed. When it continues it moves from
 * one hour to the next, so that all sessions since a time are a sum, too. Those of a detector are
 * counted apart from tools, under the empty one.
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

/** What is added to a row of such a table; sums that are missing stay. */
export type HourRow<Table extends HourTable = HourTable> = {
  /** Epoch milliseconds at which the hour begins. */
  hour: number;
  /** Of a detector: when it last spoke. */
  last?: number;
} & { [key in (typeof HOUR_TABLES)[Table]['keys'][number]]: string | boolean } & {
  [sum in (typeof HOUR_TABLES)[Table]['sums'][number]]?: number;
};

/** What writing changes of the figures of hours. */
export type HourChanges = { [Table in HourTable]: HourRow<Table>[] };

/** What a plan is filed under, in the hour in which it was made. */
export interface PlanPlace {
  at: number;
  recovery: string;
  rung: Rung;
  tool: string;
  detector: string;
  shadow: boolean;
}

/** Gathers changes, one row for all of the same place. */
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

  /** Returns what was gathered, and begins again. */
  take(): HourChanges {
    const changes: HourChanges = { hours: [], tool_hours: [], detector_hours: [], plan_hours: [] };
    for (const [table, row] of this.#rows.values()) changes[table].push(row as never);
    this.#rows.clear();
    return changes;
  }
}

/** Anybody may add an entry, so what it should have may be missing. */
const named = (key: object): object =>
  Object.fromEntries(
    Object.entries(key).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? value : String(value ?? ''),
    ]),
  );
