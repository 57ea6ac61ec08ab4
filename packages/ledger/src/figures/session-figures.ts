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

/** How often Unrut acted on an agent, and the outcomes. Shadow plans do not count. */
export interface Acted extends OutcomeCounts {
  plans: number;
}

/** A session in a few figures. */
export interface SessionFigures {
  session: string;
  /** The agent program, and the last part of its working folder, if known. */
  host?: string;
  folder?: string;
  /** Epoch milliseconds. */
  first: number;
  last: number;
  /** The host reported the end of the session. */
  ended: boolean;
  /** Of the session and its nested agents. */
  steps: number;
  /** Loops as the account counts them, without advice. */
  loops: number;
  /** One of the last two steps was part of a loop. */
  looping: boolean;
  /** When that loop was noticed, in epoch milliseconds. */
  loopingSince?: number;
  /** The session was in a loop at its last steps, even if it has ended or fallen silent since. */
  stuck?: true;
  /** Spending, as far as the host reports it, and the part of it spent on loops. */
  tokens: number;
  usd: number;
  wasted: Waste;
  plans: number;
  /** The plan with the most force. */
  highest?: Rung;
  /** The newest plan, and whether it was a shadow plan. */
  lastPlan?: { rung: Rung; at: number; shadow: boolean };
  /** Each plan counts by its final outcome. */
  outcomes: OutcomeCounts;
  /** The newest call or action, in a few words. */
  doing?: string;
  /** The latest description of a loop. */
  why?: string;
  /** Unrut stopped the run; since then, no step ran and the user sent no message. */
  stopped?: true;
  /** What the session has been waiting for since its last event, if that could be a stall. */
  stall?: Stall;
  /** The used part of the budget, if the session has one. */
  budget?: BudgetFigures;
  /** Unrut does not act there: switched off, or shadow mode. */
  mode?: 'off' | 'shadow';
}

/** The states of a session. */
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

/** Sorts by waste, largest first. */
export const mostWasted =
  (measure: keyof Waste = 'usd') =>
  (
    { wasted: one }: Pick<SessionFigures, 'wasted'>,
    { wasted: other }: Pick<SessionFigures, 'wasted'>,
  ): number =>
    other[measure] - one[measure] || other.steps - one.steps;

/** Qualifies a name with the nested agent that it belongs to, if any. */
export const withinRange = ({ agent = '' }: { agent?: string }, name: string): string =>
  `${agent}\u0000${name}`;

/** A session as a table row. Times are epoch milliseconds. */
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
  /** What the session waits for, and since when. */
  waits_for: string | null;
  waits_since: number | null;
  /** All searchable text of the session, in lower case. */
  words: string;
  /** The rest, as JSON. */
  summary: SessionRest;
}

/** Columns that no query filters by. */
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

/** A loop as a table row. */
export interface LoopColumns {
  /** Unique within the session and agent. Merged loops keep the lowest id. */
  id: number;
  /** The ids of loops that were merged into this one, or that are no longer loops. */
  also: number[];
  agent: string;
  /** When it was noticed, in epoch milliseconds. */
  at: number;
  detector: string;
  /** The tool called when the loop was noticed; null if unknown or reported before. */
  tool: string | null;
  wasted_steps: number;
  wasted_tokens: number;
  wasted_usd: number;
  /** The last recovery used on the loop; null if there was none. */
  recovery: string | null;
  rung: Rung | null;
  /** Null while the loop is open. */
  ending: LoopEnding | null;
}
