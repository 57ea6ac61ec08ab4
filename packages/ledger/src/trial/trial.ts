import type { TrialArm } from '@unrut/engine/trial';

/** What is counted of a session for the trial that it is in. */
export interface TriedSession {
  trial: string;
  arm: TrialArm;
  /** Calls that failed, and messages of a person. */
  failed: number;
  messages: number;
  /** Somebody switched Unrut off or on there: the session counts no more. */
  left?: true;
}

/** Where sessions of a trial are alike, and what each of them came to. */
export interface TrialRow extends Pick<TriedSession, 'arm' | 'failed' | 'messages'> {
  /** The repository, else the folder. */
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

/** A loop is long from so many wasted steps on. */
export const LONG = 8;

/** Sessions of each arm, without which nothing is compared. */
export const LEAST_SESSIONS = 30;

/** The first decides what is said; the others are told beside it. */
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
  /** The guarded less the recorded, with its 95 % interval; missing if sessions are too few. */
  difference?: { value: number; low: number; high: number };
}

export interface TrialReport {
  trial: string;
  /** When the first of its sessions began, in epoch milliseconds. */
  since: number;
  guarded: number;
  recorded: number;
  /** Sessions in which somebody switched Unrut off or on; they count in no arm. */
  left: number;
  /** In guarded sessions: how often Unrut acted, and how often people called that a false alarm. */
  acted: number;
  falseAlarms: number;
  measures: TrialMeasure[];
  /** What the first measure says of guarded sessions. */
  verdict: 'less' | 'more' | 'unclear' | 'too-few';
  /**
   * About how many more sessions each arm needs: of `too-few` before anything is compared, else
   * before a difference of 5 % can be seen.
   */
  missing: number;
}
