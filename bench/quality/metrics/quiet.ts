import { alarmsOf, isAlarm } from '../alarms.ts';
import type { Firing, Run } from '../run.ts';
import { perThousand, share } from './tally.ts';

/** One unlabelled run's contribution: nearly every alarm in it is false. */
export interface QuietTally {
  runs: number;
  steps: number;
  alarms: number;
  notes: number;
  runsWithAlarm: number;
}

/** Counts alarms and, apart from them, edit and back-off notes. */
export function tallyQuiet({ steps }: Pick<Run, 'steps'>, firings: readonly Firing[]): QuietTally {
  const alarms = alarmsOf(firings.filter(isAlarm)).length;
  const notes = alarmsOf(firings.filter((firing) => !isAlarm(firing))).length;
  return { runs: 1, steps, alarms, notes, runsWithAlarm: alarms > 0 ? 1 : 0 };
}

/** The rates of unlabelled runs. */
export function scoreQuiet(sum: QuietTally) {
  return {
    alarmsPerThousand: perThousand(sum.alarms, sum.steps),
    notesPerThousand: perThousand(sum.notes, sum.steps),
    runsWithAlarm: share(sum.runsWithAlarm, sum.runs),
  };
}
