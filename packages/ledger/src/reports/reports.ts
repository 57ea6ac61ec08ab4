import { LOOP_ENDINGS, type LoopEnding } from '@unrut/engine/account/loop';
import type { Rung } from '@unrut/engine/event';
import type { RecoveryRow } from '@unrut/engine/outcome/learned-from';
import type { Signal } from '@unrut/engine/signal';
import type { HourFigures, Period, PeriodFigures } from '../figures/hour-figures.ts';
import type {
  Acted,
  OutcomeCounts,
  SessionFigures,
  SessionState,
} from '../figures/session-figures.ts';
import type { SessionPulse } from '../figures/session-pulse.ts';
import type { Incident, IncidentState } from '../incidents/incident.ts';
import type { InsightsQuery, InsightsReport, OriginFilter } from '../insights/insights.ts';
import type { LedgerEntry } from '../ledger-entry.ts';
import type { TrialReport } from '../trial/trial.ts';

import type { StallLimits } from './stall.ts';

/** A position in a list: a time in epoch milliseconds, and a tie-breaker. */
export interface ListPlace {
  at: number;
  name: string;
  /** For other sort orders: the value of the sort key. */
  value?: string | number;
}

/** A session in a list. */
export interface SessionRow extends SessionFigures {
  /** The shortest prefix of its name that identifies it. */
  name: string;
  /** Its project, on a server for organisations. */
  project?: string;
  state: SessionState;
  /** It runs without a loop, and calls failed until at most a minute before its last activity. */
  failing?: true;
  /** Its plans without shadow plans. */
  acted: Acted;
  /** Activity in the last hour; undefined if there was none. */
  pulse?: SessionPulse;
}

/** Sort orders besides newest first, which breaks ties. */
export const SESSION_ORDERS = ['state', 'since', 'wasted', 'agent', 'project'] as const;

/** Which sessions are wanted. */
export interface SessionsQuery extends OriginFilter {
  most: number;
  /** Only sessions after this position, from an earlier page. */
  after?: ListPlace;
  states?: readonly SessionState[];
  /** Only sessions that were active at or after this time. */
  since?: number;
  folder?: string;
  /** Only sessions with a loop. */
  looped?: boolean;
  /** Only sessions of this incident. */
  incident?: string;
  /** Text in its name, program, folder, current action or loop description; case-insensitive. */
  search?: string;
  sort?: (typeof SESSION_ORDERS)[number];
  /** Also return `states`, `hosts` and `folders`. */
  facets?: boolean;
}

export interface SessionsReport {
  sessions: SessionRow[];
  /** The number of matches on all pages. */
  total: number;
  /** The number of newest sessions that were searched for text; older ones were not. */
  looked?: number;
  /**
   * The number of sessions in each state, and the programs and folders of the newest 5,000, by
   * name; empty unless requested.
   */
  states: Record<SessionState, number>;
  /** The number of failing sessions among those that run. */
  failing: number;
  hosts: string[];
  folders: string[];
  next?: ListPlace;
}

/** Which incidents are wanted. */
export interface IncidentsQuery {
  most: number;
  states?: readonly IncidentState[];
  id?: string;
}

export interface IncidentsReport {
  /** Open incidents first, then acknowledged ones; newest first. */
  incidents: Incident[];
  /** The number of incidents in each state, whatever the query. */
  states: Record<IncidentState, number>;
}

/** The history of a session. */
export interface SessionHistory {
  session: SessionRow;
  /**
   * In the order of recording: entries after the given position or, if `whole` is set, all entries
   * considered.
   */
  entries: LedgerEntry[];
  whole: boolean;
  /** Older entries were left out because of their number. */
  cut: boolean;
  /** The position to pass to the next query. */
  place: ListPlace;
}

export interface SignalsQuery {
  most: number;
  since?: number;
  session?: string;
  detector?: string;
  after?: ListPlace;
}

/** A signal and its place. */
export interface SignalRow extends Signal {
  id: string;
  session: string;
  at: number;
  /** The agent program, and the tool called at that step, if known. */
  host?: string;
  tool?: string;
  /** It only advises, and makes no loop. */
  advice: boolean;
}

export interface SignalsReport {
  /** The newest first. */
  signals: SignalRow[];
  next?: ListPlace;
}

/** A recorded plan, with its outcome. */
export interface PlanRow {
  id: string;
  session: string;
  agent?: string;
  at: number;
  step: number;
  recovery: string;
  rung: Rung;
  /** `detector/variant` of the signal that it answers. */
  reason: string;
  toModel: string;
  toHuman: string;
  shadow: boolean;
  tool?: string;
  outcome?: keyof OutcomeCounts;
}

/** The units of waste. */
export const WASTE_MEASURES = ['steps', 'tokens', 'usd'] as const;

export interface StatsQuery extends Period {
  /** The unit by which the costliest sessions are sorted. Default: dollars, then steps. */
  costliest?: (typeof WASTE_MEASURES)[number] | undefined;
}

export interface StatsReport extends PeriodFigures {
  /** The sessions with most waste, at most ten. */
  costliest: SessionRow[];
}

/**
 * The number of loops by ending; `open` ones continue. Loops of one session are correlated:
 * `effective` is the effective number of independent loops, for intervals.
 */
export interface LoopFigures {
  loops: number;
  effective: number;
  endings: Record<LoopEnding | 'open', number>;
}

/** The endings of loops: in total, by the last action on them, and by detector. */
export interface LoopsReport {
  all: LoopFigures;
  recoveries: (LoopFigures & { recovery: string; rung: Rung })[];
  detectors: (LoopFigures & { detector: string })[];
}

/** No loops yet. */
export const noLoops = (): LoopFigures => ({
  loops: 0,
  effective: 0,
  endings: Object.fromEntries([...LOOP_ENDINGS, 'open'].map((ending) => [ending, 0])) as never,
});

export interface RecoveriesReport {
  loops: LoopsReport;
  plans: HourFigures['plans'];
  /** By failure class: recoveries that were offered, followed, and successful. */
  failures: RecoveryRow[];
  /** The newest plans, the newest first. */
  latest: PlanRow[];
}

export type DetectorsReport = Pick<PeriodFigures, 'detectors' | 'detectorSessions'>;

/** A run and the time of its last activity. */
export interface RunName {
  run: string;
  last: number;
}

export interface RunsReport {
  /** The latest first. */
  runs: RunName[];
  next?: ListPlace;
}

/** An entry with its position in the feed. */
export interface FedEntry extends LedgerEntry {
  place: string;
}

/** An `AbortSignal`, declared so that programs without DOM or Node types compile, too. */
type Ending = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : never;

/** New entries of any writer. */
export interface EntryFeed {
  /**
   * Yields once immediately, and then whenever entries may have been added, until the signal is
   * aborted.
   */
  turns(signal: Ending): AsyncIterable<void>;
  /** The place of the newest entry. */
  newest(): Promise<string>;
  /** At most this many entries after a position; undefined if the position is no longer known. */
  after(place: string, most: number): Promise<FedEntry[] | undefined>;
  isAfter(place: string, other: string): boolean;
}

/**
 * Queries over many sessions that do not read the whole ledger. All implementations pass
 * `testReports`. Times are epoch milliseconds.
 */
export interface Reports {
  /** The most recently active first. */
  sessions(query: SessionsQuery): Promise<SessionsReport>;
  session(name: string): Promise<SessionRow | undefined>;
  /** The history of the session with that name; with a position, only later entries if possible. */
  history(name: string, after?: ListPlace): Promise<SessionHistory | undefined>;
  /** Names of sessions with this prefix; at most a thousand. */
  find(beginning: string): Promise<string[]>;
  /** The displayed names of sessions: the shortest unique prefix of each. */
  names(sessions: readonly string[]): Promise<ReadonlyMap<string, string>>;
  signals(query: SignalsQuery): Promise<SignalsReport>;
  incidents(query: IncidentsQuery): Promise<IncidentsReport>;
  /** Figures to the hour. */
  stats(query: StatsQuery): Promise<StatsReport>;
  insights(query: InsightsQuery): Promise<InsightsReport>;
  /** Trials with at least one stored session, latest first. */
  trials(): Promise<TrialReport[]>;
  recoveries(query: { since: number; most: number }): Promise<RecoveriesReport>;
  detectors(query: { since: number }): Promise<DetectorsReport>;
  /** Runs: names of states without these ends. */
  runs(query: { ends: readonly string[]; most: number; after?: ListPlace }): Promise<RunsReport>;
  feed: EntryFeed;
  /** Sets the limits after which sessions count as stalled. */
  stallAfter?(limits: StallLimits): void;
  close(): Promise<void>;
}

/** Removes the fields that only lists need. */
export const onlyFigures = ({
  name: _,
  project: _____,
  state: __,
  acted: ___,
  pulse: ____,
  ...summary
}: SessionRow): SessionFigures => summary;
