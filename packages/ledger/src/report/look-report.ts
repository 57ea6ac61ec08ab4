import type { ScannedLoop, Trajectory, Wasted } from './scan-report.ts';

/** The worst loop of a run, and what Unrut would have said first. All texts are redacted. */
export interface LookedLoop
  extends Wasted,
    Pick<ScannedLoop, 'detector' | 'text' | 'count' | 'start' | 'firedAt' | 'end'> {
  /** What the model would have read, and before which step. */
  said?: { step: number; toModel: string };
  /** Unrut was there: the model has read something of the kind. */
  isTold?: true;
}

/** A run as a first look needs it: small enough to be remembered. */
export interface LookedRun
  extends Wasted,
    Pick<Trajectory, 'id' | 'file' | 'repository' | 'prompt' | 'from' | 'to' | 'steps'> {
  /** Loops that are more than advice. */
  loops: number;
  worst?: LookedLoop;
}

/** What a first look at some files found. */
export interface LookReport {
  runs: LookedRun[];
  /** Files that were looked at, and their size. */
  files: number;
  bytes: number;
  /** Files of which nothing could be read. */
  unread: number;
  /** Files that are older than what was asked for; they were not opened. */
  older: number;
}

/** Whether a loop is worse than another one: it wasted more, or is surer. */
export const isWorse = (one: Wasted, other: Wasted): boolean =>
  one.wastedSteps > other.wastedSteps ||
  (one.wastedSteps === other.wastedSteps && (one.wastedMs ?? 0) > (other.wastedMs ?? 0));
