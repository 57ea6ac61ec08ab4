import { noWaste, type Waste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import type { OutcomeCounts } from './session-figures.ts';
import { noOutcomes } from './session-figures.ts';

/** In milliseconds. Hours and days are in UTC. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The number of plans, and their outcomes. */
export interface PlanFigures extends OutcomeCounts {
  plans: number;
  /** Only recorded. */
  shadow: number;
  /** Plans that the host could not perform, or only at a lower rung. */
  notPerformed: number;
}

/** Activity within one hour of a session, as figures that can be summed. */
export interface HourFigures {
  events: number;
  steps: number;
  signals: number;
  /** Loops first noticed in this hour. Wasted steps count in the hour in which they are noticed. */
  loops: number;
  faults: number;
  tokens: number;
  usd: number;
  wasted: Waste;
  detectors: Map<string, { signals: number; last: number; tools: Map<string, number> }>;
  tools: Map<string, { calls: number; failed: number; looping: number }>;
  /** By recovery, rung, tool and detector; shadow plans are separate. */
  plans: Map<string, PlanFigures & PlanKey>;
}

/** The dimensions of plan figures. */
export interface PlanKey {
  recovery: string;
  rung: Rung;
  tool: string;
  detector: string;
}

/** Figures of some time. */
export interface PartFigures {
  /** Sessions in which something happened. */
  sessions: number;
  steps: number;
  /** Loops that were first noticed then. */
  loops: number;
  signals: number;
  plans: number;
  recovered: number;
  tokens: number;
  usd: number;
  wasted: Waste;
}

/** Figures of the sessions of one program. */
export interface HostFigures {
  sessions: number;
  looping: number;
  steps: number;
  tokens: number;
  usd: number;
  wasted: Waste;
}

/** Figures of many sessions since a time, with a resolution of one hour. */
export interface PeriodFigures extends HourFigures {
  sessions: number;
  /** Sessions with a loop. */
  looping: number;
  hosts: Map<string, HostFigures>;
  /** By the start of the hour or day, in epoch milliseconds. */
  time: Map<number, PartFigures>;
  /** In how many sessions each detector spoke. */
  detectorSessions: Map<string, number>;
}

/** The period to sum and the length of its parts. */
export interface Period {
  /** Epoch milliseconds, rounded down to the full hour. */
  since: number;
  by: 'hour' | 'day';
}

/** No plan yet. */
export const noPlans = (): PlanFigures => ({
  plans: 0,
  shadow: 0,
  notPerformed: 0,
  ...noOutcomes(),
});

/** Empty figures for a host, for an hour or day, and for a period. */
export const noHost = (): HostFigures => ({
  sessions: 0,
  looping: 0,
  steps: 0,
  tokens: 0,
  usd: 0,
  wasted: noWaste(),
});

export const noPart = (): PartFigures => ({
  sessions: 0,
  steps: 0,
  loops: 0,
  signals: 0,
  plans: 0,
  recovered: 0,
  tokens: 0,
  usd: 0,
  wasted: noWaste(),
});

export const startPeriod = (): PeriodFigures => ({
  sessions: 0,
  looping: 0,
  events: 0,
  steps: 0,
  signals: 0,
  loops: 0,
  faults: 0,
  tokens: 0,
  usd: 0,
  wasted: noWaste(),
  detectors: new Map(),
  tools: new Map(),
  plans: new Map(),
  hosts: new Map(),
  time: new Map(),
  detectorSessions: new Map(),
});

/** Returns the row of that name; creates it if it is missing. */
export function rowOf<Name, T>(rows: Map<Name, T>, name: Name, begin: () => T): T {
  const row = rows.get(name) ?? begin();
  rows.set(name, row);
  return row;
}

/** Adds up every number of the same name. */
export function addUp<T extends object>(sum: T, more: object): T {
  for (const name of Object.keys(sum) as (keyof T)[]) {
    const value = (more as T)[name];
    if (typeof sum[name] === 'number' && typeof value === 'number')
      sum[name] = (sum[name] + value) as T[keyof T];
  }
  return sum;
}

/** Plans grouped by some of their dimensions, the most frequent first. */
export function plansBy<Name extends string>(
  plans: HourFigures['plans'],
  names: readonly (Name & ('recovery' | 'rung' | 'tool' | 'detector'))[],
): (PlanFigures & { [name in Name]: string })[] {
  const rows = new Map<string, PlanFigures & Record<string, string | number>>();
  for (const plan of plans.values()) {
    const key = names.map((name) => plan[name]);
    const row = rowOf(
      rows,
      key.join('\n'),
      () =>
        ({ ...Object.fromEntries(names.map((name) => [name, plan[name]])), ...noPlans() }) as never,
    );
    addUp(row as PlanFigures, { ...plan });
  }
  return [...rows.values()].sort(
    (one, other) => other.plans - one.plans,
  ) as unknown as (PlanFigures & { [name in Name]: string })[];
}
