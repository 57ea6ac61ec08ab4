import type { Followed } from './follow.ts';
import { createReplayer, type Replayer } from './replay.ts';
import { type Voiced, whatIf } from './what-if.ts';

/** What verdicts under other settings are found out with. */
export interface Workshop {
  /** What each detector would have said with one option changed. */
  voiced: readonly Voiced[];
  replayer: Replayer;
  /** Whether a detector called a loop at a step as it is. */
  spoke(detector: string, step: number): boolean;
}

/** For the run that was followed. */
export function createWorkshop({ run, signals }: Followed, detectors?: readonly string[]): Workshop {
  const spoken = new Set(signals.filter(({ light }) => !light).map(({ step, signal }) => `${step} ${signal.detector}`));
  return {
    voiced: whatIf(run, { detectors }),
    replayer: createReplayer(run, detectors),
    spoke: (detector, step) => spoken.has(`${step} ${detector}`),
  };
}

/** What was not tried, in a sentence. */
export const limitsOf = ({ replayer }: Workshop): string[] =>
  replayer.isSpent ? ['The run is long: not every setting that might change a verdict was tried.'] : [];
