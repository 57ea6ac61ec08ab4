import type { LoopEnding, Waste } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import type { Outcome } from '@unrut/engine/outcome/outcome';
import type { BudgetFigures } from '@unrut/engine/policy/spending';
import { isStalled, type Stall, type StallLimits } from '../reports/stall.ts';
import type { TriedSession } from '../trial/trial.ts';
import type { PulseParts } from './session-pulse.ts';

/** How many plans ended in which way. */
export type OutcomeCounts = Record<Outcome['outcome'], number>;

export const noOutcomes = (): OutcomeCounts => ({
  recovered: 0,
  persisted: 0,
  relapsed: 0,
  unknown: 0,
});

/**
 * How often something was done about an agent, and what became of that. Plans that were only
 * recorded do not count.
 */
export interface Acted extends OutcomeCounts {
  plans: number;
}

/** A session in a few figures. */
export interface SessionFigures {
  session: string;
  /**
   * The agent's program, and the last part of the folder that it works in, where they are known.
   */
  host?: string;
  folder?: string;
  /** Epoch milliseconds. */
  first: number;
  last: number;
  /** The host says that it is over. */
  ended: boolean;
  /** Of the session and its nested agents. */
  steps: number;
  /** As the account counts them, without advice. */
  loops: number;
  /** One of the last two steps was part of a loop. */
  looping: boolean;
  /** When that loop was noticed, in epoch milliseconds. */
  loopingSince?: number;
  /**
   * It was in a loop at its last steps, however it continued: it may have ended or fallen silent.
   */
  stuck?: true;
  /** What was spent, as far as the host tells, and what of it on loops. */
  tokens: number;
  usd: number;
  wasted: Waste;
  plans: number;
  /** The plan with the most force. */
  highest?: Rung;
  /** The newest plan, and whether it was only recorded. */
  lastPlan?: { rung: Rung; at: number; shadow: boolean };
  /** Each plan counts by what became of it in the end. */
  outcomes: OutcomeCounts;
  /** The newest call or action, in a few words. */
  doing?: string;
  /** What was last said of a loop. */
  why?: string;
  /** Unrut stopped the run; since then nothing has run and nobody has spoken. */
  stopped?: true;
  /** What it waits for since its last event, if that may last too long. */
  stall?: Stall;
  /** What is spent of the budget, if the session has one. */
  budget?: BudgetFigures;
  /** Nothing is done there now: switched off, or record-only. */
  mode?: 'off' | 'shadow';
}

/** What a session can be at. */
export const SESSION_STATES = [
  'looping',
  'stalled',
  'stopped',
  'running',
  'silent',
  'ended',
] as const;

/** After this many milliseconds without an event a session no longer counts as running. */
export const SILENT = 300_000;

export type SessionState = (typeof SESSION_STATES)[number];

/** What a session is doing now. */
export function stateOf(
  {
    ended,
    stopped,
    looping,
    last,
    stall,
  }: Pick<SessionFigures, 'ended' | 'stopped' | 'looping' | 'last' | 'stall'>,
  now: number,
  limits?: StallLimits,
): SessionState {
  if (ended) return 'ended';
  if (stopped) return 'stopped';
  if (isStalled(stall, now, limits)) return 'stalled';
  if (now - last > SILENT) return 'silent';
  return looping ? 'looping' : 'running';
}

/** Those that wasted the most come first. */
export const mostWasted =
  (measure: keyof Waste = 'usd') =>
  (
    { wasted: one }: Pick<SessionFigures, 'wasted'>,
    { wasted: other }: Pick<SessionFigures, 'wasted'>,
  ): number =>
    other[measure] - one[measure] || other.steps - one.steps;

/** A name for something of a nested agent, or of the session itself. */
export const withinRange = ({ agent = '' }: { agent?: string }, name: string): string =>
  `${agent}\u0000${name}`;

/** A session as its row has it. Times are in epoch milliseconds. */
export interface SessionColumns
  extends Omit<
    SessionFigures,
    keyof SessionRest | 'session' | 'host' | 'folder' | 'wasted' | 'budget' | 'stuck'
  > {
  host: string | null;
  folder: string | null;
  model: string | null;
  release: string | null;
  repo: string | null;
  team: string | null;
  person: string | null;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
  /** What it waits for, and since when. */
  waits_for: string | null;
  waits_since: number | null;
  /** All text that it can be found by, in small letters. */
  words: string;
  /** The rest, as JSON. */
  summary: SessionRest;
}

/** What nobody looks a session up by. */
export interface SessionRest
  extends Pick<
    SessionFigures,
    | 'loopingSince'
    | 'highest'
    | 'lastPlan'
    | 'outcomes'
    | 'doing'
    | 'why'
    | 'stopped'
    | 'stuck'
    | 'stall'
    | 'budget'
    | 'mode'
  > {
  acted: Acted;
  pulse: PulseParts;
  tried?: TriedSession;
}

/** A loop as its row has it. */
export interface LoopColumns {
  /** Within its session and agent: loops that turn out to be one keep the lowest. */
  id: number;
  /** Those that turned out to be the same, or to be no loop. */
  also: number[];
  agent: string;
  /** When it was noticed, in epoch milliseconds. */
  at: number;
  detector: string;
  /** What was called when it was noticed; null if that is not known, or was reported before. */
  tool: string | null;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
  /** What was last done about it; null where nothing was. */
  recovery: string | null;
  rung: Rung | null;
  /** Null while it is open. */
  ending: LoopEnding | null;
}
