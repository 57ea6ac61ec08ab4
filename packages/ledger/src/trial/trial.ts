import type { TrialArm } from '@unrut/engine/trial';

/** A session's figures for its trial. */
export interface TriedSession {
  trial: string;
  arm: TrialArm;
  /** Calls that failed, and messages of a person. */
  failed: number;
  messages: number;
  /** Somebody switched Unrut off or on there: the session counts no more. */
  left?: true;
}

/** A session's place, in which sessions are correlated, and its figures. */
export interface TrialRow extends Pick<TriedSession, 'arm' | 'failed' | 'messages'> {
  /** The repository, otherwise the folder. */
  place: string | null;
  steps: number;
  tokens: number;
  usd: number;
  wasted: number;
  /** How often Unrut acted, and how often a person called that a false alarm. */
  acted: number;
  falseAlarms: number;
  /** One of its loops wasted at least `LONG` steps. */
  long: boolean;
  /** It ended without being stopped. */
  ended: boolean;
}

/** Min number of wasted steps of a long loop. */
export const LONG = 8;

/** Min number of sessions in each arm for a comparison. */
export const LEAST_SESSIONS = 30;

/** The first measure decides the verdict; the others are only reported. */
export const MEASURES = {
  wasted: 'steps lost in loops, of 100',
  failed: 'failed calls per session',
  long: `sessions with a loop of ${LONG} lost steps or more, of 100`,
  steps: 'steps per session',
  tokens: 'tokens per session',
  usd: 'dollars per session',
  messages: 'messages of people, per 100 steps',
  ended: 'sessions that ended without being stopped, of 100',
} as const;
export type Measure = keyof typeof MEASURES;

/** How the arms differ in one thing. */
export interface TrialMeasure {
  name: Measure;
  guarded: number;
  recorded: number;
  /**
   * The guarded arm minus the recorded arm, with its 95 % interval; undefined with too few
   * sessions.
   */
  difference?: { value: number; low: number; high: number };
}

export interface TrialReport {
  trial: string;
  /** When its first session began, in epoch milliseconds. */
  since: number;
  guarded: number;
  recorded: number;
  /** Sessions in which somebody switched Unrut off or on; they count in no arm. */
  left: number;
  /** In guarded sessions: how often Unrut acted, and how often people called that a false alarm. */
  acted: number;
  falseAlarms: number;
  measures: TrialMeasure[];
  /** The verdict of the first measure on guarded sessions. */
  verdict: 'less' | 'more' | 'unclear' | 'too-few';
  /**
   * About how many more sessions each arm needs: for `too-few`, before any comparison; otherwise,
   * to detect a difference of 5 %.
   */
  missing: number;
}
