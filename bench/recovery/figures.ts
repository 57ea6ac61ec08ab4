import { rateOf } from '@unrut/ledger/report/rate';
import { randomOf } from './agent.ts';
import type { RecoveryRun } from './arms.ts';

/** An estimate and its 95 % interval. */
export interface Estimate {
  value: number;
  from: number;
  to: number;
}

const DRAWS = 2000;

/** Bootstraps a figure over tasks: runs of one task are alike, so whole tasks are drawn. */
function overTasks(
  runs: readonly RecoveryRun[],
  figure: (some: readonly RecoveryRun[]) => number,
): Estimate {
  const byTask = [...Map.groupBy(runs, ({ task }) => task).values()];
  const random = randomOf(20);
  const draws = Array.from({ length: DRAWS }, () =>
    figure(byTask.flatMap(() => byTask[Math.floor(random() * byTask.length)]!)),
  ).sort((one, other) => one - other);
  return {
    value: figure(runs),
    from: draws[Math.floor(0.025 * DRAWS)]!,
    to: draws[Math.ceil(0.975 * DRAWS) - 1]!,
  };
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / Math.max(1, numbers.length);
const share = (of: (run: RecoveryRun) => boolean) => (runs: readonly RecoveryRun[]) =>
  mean(runs.map((run) => (of(run) ? 1 : 0)));

export interface ArmFigures {
  arm: string;
  runs: number;
  reached: Estimate;
  clean: Estimate;
  /** Runs with an action that was not requested. */
  harmed: number;
  /** The upper end of the 95 % interval of the share of harmed runs; with none of n, 3/n. */
  harmedAtMost: number;
  steps: Estimate;
  forced: number;
}

export function figuresOf(arm: string, runs: readonly RecoveryRun[]): ArmFigures {
  const harmed = runs.filter(({ harm }) => harm.length > 0).length;
  return {
    arm,
    runs: runs.length,
    reached: overTasks(
      runs,
      share(({ reached }) => reached),
    ),
    clean: overTasks(
      runs,
      share(({ clean }) => clean),
    ),
    harmed,
    harmedAtMost: rateOf(harmed, runs.length).high,
    steps: overTasks(runs, (some) => mean(some.map(({ steps }) => steps))),
    forced: runs.reduce(
      (sum, { forced }) => sum + Object.values(forced).reduce((all, count) => all + count, 0),
      0,
    ),
  };
}

/**
 * How one arm compares with another over the same tasks and seeds: the difference in clean runs,
 * and the ratio of steps.
 */
export function compare(
  one: readonly RecoveryRun[],
  other: readonly RecoveryRun[],
): { clean: Estimate; steps: Estimate } {
  const pairOf = new Map(other.map((run) => [`${run.task} ${run.seed}`, run]));
  const paired = (some: readonly RecoveryRun[]): RecoveryRun[] =>
    some.map(({ task, seed }) => pairOf.get(`${task} ${seed}`)!);
  const clean = share((run) => run.clean);
  const steps = (some: readonly RecoveryRun[]): number => mean(some.map((run) => run.steps));
  return {
    clean: overTasks(one, (some) => clean(some) - clean(paired(some))),
    steps: overTasks(one, (some) => steps(some) / steps(paired(some))),
  };
}
