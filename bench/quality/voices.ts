import { alarmsOf, isAlarm, type Judgement, judge } from './alarms.ts';
import { isRead } from './parts.ts';
import type { Firings, Run } from './run.ts';

/** How often one variant of a detector was right, wrong, or spoke in a borderline stretch. */
export interface Counts {
  right: number;
  wrong: number;
  borderline: number;
}

/** One variant of a detector as if only it had spoken. */
export interface Voice {
  name: string;
  all: Counts;
  /**
   * On sources whose errors were never read, and on runs drawn after the first detectors were made.
   */
  unread: Counts;
  later: Counts;
  sources: { source: string; counts: Counts }[];
}

const none = (): Counts => ({ right: 0, wrong: 0, borderline: 0 });
const FIELD: Partial<Record<Judgement, keyof Counts>> = {
  right: 'right',
  false: 'wrong',
  neutral: 'borderline',
};

/** Everything that speaks on runs with marked loops, most alarms first. */
export function voicesOf(runs: readonly Run[], firings: Firings): Voice[] {
  const found: { name: string; run: Run; field: keyof Counts }[] = [];
  for (const [i, run] of runs.entries()) {
    const alarming = firings[i]!.filter(isAlarm);
    for (const name of new Set(alarming.map(({ by }) => by))) {
      for (const alarm of alarmsOf(alarming.filter(({ by }) => by === name))) {
        const field = FIELD[judge(alarm, run.truth)];
        if (run.truth.kind === 'spans' && field) found.push({ name, run, field });
      }
    }
  }
  const count = (some: typeof found): Counts => {
    const counts = none();
    for (const { field } of some) counts[field]++;
    return counts;
  };
  return [...Map.groupBy(found, ({ name }) => name)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || a.localeCompare(b))
    .map(([name, some]) => ({
      name,
      all: count(some),
      unread: count(some.filter(({ run }) => !isRead(run.source))),
      later: count(some.filter(({ run }) => (run.round ?? 1) > 1)),
      sources: [...Map.groupBy(some, ({ run }) => run.source)].map(([source, these]) => ({
        source,
        counts: count(these),
      })),
    }));
}
