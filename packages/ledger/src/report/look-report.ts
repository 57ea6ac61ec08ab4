import type { ScannedLoop, Trajectory, Wasted } from './scan-report.ts';

/** The worst loop of a run, and Unrut's first message about it. All texts are redacted. */
export interface LookedLoop
  extends Wasted,
    Pick<ScannedLoop, 'detector' | 'text' | 'count' | 'start' | 'firedAt' | 'end'> {
  /** The message to the model, and the step before which it would have come. */
  said?: { step: number; toModel: string };
  /** Unrut guarded the run, and the model received such a message. */
  isTold?: true;
}

/** A summary of a run, small enough to cache. */
export interface LookedRun
  extends Wasted,
    Pick<Trajectory, 'id' | 'file' | 'repository' | 'prompt' | 'from' | 'to' | 'steps'> {
  /** Loops that are more than advice. */
  loops: number;
  worst?: LookedLoop;
}

/** The result of a first look at some files. */
export interface LookReport {
  runs: LookedRun[];
  /** Files that were looked at, and their size. */
  files: number;
  bytes: number;
  /** Files in which nothing could be read. */
  unread: number;
  /** Files older than the requested period; they were not opened. */
  older: number;
}

/** Whether a loop is worse than another: more waste, or more certain. */
export const isWorse = (one: Wasted, other: Wasted): boolean =>
  one.wastedSteps > other.wastedSteps ||
  (one.wastedSteps === other.wastedSteps && (one.wastedMs ?? 0) > (other.wastedMs ?? 0));
