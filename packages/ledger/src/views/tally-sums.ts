import { noWaste } from '@unrut/engine/account/loop';
import {
  addUp,
  DAY,
  HOUR,
  type HourFigures,
  noPlans,
  type PlanFigures,
  rowOf,
  type SumOptions,
  startHour,
  type TallySums,
  type TimeSums,
} from '../figures/hour-figures.ts';
import type { SessionTally } from './session-tally.ts';

/** Adds up sessions. */
export function sumTallies(tallies: Iterable<SessionTally>, { since, by }: SumOptions): TallySums {
  const sums: TallySums = {
    ...startHour(),
    sessions: 0,
    looping: 0,
    hosts: new Map(),
    time: new Map(),
    detectorSessions: new Map(),
  };
  const length = by === 'hour' ? HOUR : DAY;
  for (const tally of tallies) addTally(sums, tally, Math.floor(since / HOUR), length);
  return sums;
}

function addTally(sums: TallySums, tally: SessionTally, from: number, length: number): void {
  const hours = [...tally.hours].filter(([number]) => number >= from);
  const { session, host = '' } = tally.summary;
  // What went wrong for nobody in particular is no session.
  if (session === '') for (const [, { faults }] of hours) sums.faults += faults;
  if (session === '' || hours.length === 0) return;
  const times = new Set<TimeSums>();
  const detectors = new Set<string>();
  const ofHost = rowOf(sums.hosts, host, () => ({
    sessions: 0,
    looping: 0,
    steps: 0,
    tokens: 0,
    usd: 0,
    wasted: noWaste(),
  }));
  for (const [number, figures] of hours) {
    const at = Math.floor((number * HOUR) / length) * length;
    const time = sums.time.get(at) ?? startTime();
    sums.time.set(at, time);
    times.add(time);
    for (const name of figures.detectors.keys()) detectors.add(name);
    for (const sum of [sums, ofHost, time]) {
      addUp(sum, figures);
      addUp(sum.wasted, figures.wasted);
    }
    addRows(sums, figures);
    for (const { plans, recovered } of figures.plans.values()) addUp(time, { plans, recovered });
  }
  for (const name of detectors)
    sums.detectorSessions.set(name, (sums.detectorSessions.get(name) ?? 0) + 1);
  for (const time of times) time.sessions++;
  const hasLooped = hours.some(([, { loops }]) => loops > 0);
  for (const sum of [sums, ofHost]) {
    sum.sessions++;
    if (hasLooped) sum.looping++;
  }
}

function addRows(sums: HourFigures, more: HourFigures): void {
  for (const [name, { tools, last, signals }] of more.detectors) {
    const row = rowOf(sums.detectors, name, () => ({
      signals: 0,
      last: 0,
      tools: new Map<string, number>(),
    }));
    row.signals += signals;
    row.last = Math.max(row.last, last);
    for (const [tool, count] of tools) row.tools.set(tool, (row.tools.get(tool) ?? 0) + count);
  }
  for (const [name, row] of more.tools)
    addUp(
      rowOf(sums.tools, name, () => ({ calls: 0, failed: 0, looping: 0 })),
      row,
    );
  for (const [name, row] of more.plans)
    addUp(
      rowOf(sums.plans, name, () => ({ ...row, ...noPlans() })),
      row,
    );
}

const startTime = (): TimeSums => ({
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

/** Plans put together by some of what tells them apart; the most frequent first. */
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
