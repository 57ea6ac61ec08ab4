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

/** A place in a list: a time in epoch milliseconds, and what tells those of the same time apart. */
export interface ListPlace {
  at: number;
  name: string;
  /** In another order than by time: what it is sorted by there. */
  value?: string | number;
}

/** A session in a list. */
export interface SessionRow extends SessionFigures {
  /** The beginning of its name that no other session has. */
  name: string;
  /** The project that it belongs to, on a server for organisations. */
  project?: string;
  state: SessionState;
  /** Of its `plans`, those that were not only recorded. */
  acted: Acted;
  /** How busy it was in the last hour; missing where it was not. */
  pulse?: SessionPulse;
}

/**
 * How sessions can be sorted, besides newest first, which breaks ties.
 */
export const SESSION_ORDERS = ['state', 'since', 'wasted', 'agent', 'project'] as const;

/** Which sessions are wanted. */
export interface SessionsQuery extends OriginFilter {
  most: number;
  /** Only those after this place, which an earlier page gave. */
  after?: ListPlace;
  states?: readonly SessionState[];
  /** Only those that were active at or after this time. */
  since?: number;
  folder?: string;
  /** Only those with a loop. */
  looped?: boolean;
  /** Only those of this incident. */
  incident?: string;
  /**
   * Text that is in its name, program, folder, or in what it does or why it loops; upper and lower
   * case are the same.
   */
  search?: string;
  sort?: (typeof SESSION_ORDERS)[number];
  /** Also tell `states`, `hosts` and `folders`. */
  facets?: boolean;
}

export interface SessionsReport {
  sessions: SessionRow[];
  /** All that meet the query, wherever the page is. */
  total: number;
  /** Only the newest so many were looked through: text is searched in no more. */
  looked?: number;
  /**
   * How many sessions are in which state, and the programs and folders of the newest 5,000, by
   * name; empty where nobody asked.
   */
  states: Record<SessionState, number>;
  /** Of those that run without a loop: they fail, and have done nothing else lately. */
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
  /** Those that are open first, then those that are acknowledged; the newest first. */
  incidents: Incident[];
  /** How many there are, whatever the query. */
  states: Record<IncidentState, number>;
}

/** What happened in a session. */
export interface SessionHistory {
  session: SessionRow;
  /**
   * In the order in which they came: those after the place that was given or, where `whole` says
   * so, all that are looked at.
   */
  entries: LedgerEntry[];
  whole: boolean;
  /** Older entries are left out, as there are too many. */
  cut: boolean;
  /** To be given with the next question. */
  place: ListPlace;
}

export interface SignalsQuery {
  most: number;
  since?: number;
  session?: string;
  detector?: string;
  after?: ListPlace;
}

/** A signal, and where it was seen. */
export interface SignalRow extends Signal {
  id: string;
  session: string;
  at: number;
  /** The agent's program and its tool at that step, where they are known. */
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

/** A plan of the ledger, with what became of it. */
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

/** What waste can be measured in. */
export const WASTE_MEASURES = ['steps', 'tokens', 'usd'] as const;

export interface StatsQuery extends Period {
  /**
   * What the costliest sessions have wasted the most of. Default: dollars, and steps where those
   * are equal.
   */
  costliest?: (typeof WASTE_MEASURES)[number] | undefined;
}

export interface StatsReport extends PeriodFigures {
  /** Sessions with waste, the costliest first; at most ten. */
  costliest: SessionRow[];
}

/**
 * How many loops ended where; `open` are those that continue. Loops of one session are alike:
 * `effective` is how many independent ones they are worth, for intervals.
 */
export interface LoopFigures {
  loops: number;
  effective: number;
  endings: Record<LoopEnding | 'open', number>;
}

/** Where loops ended: all of them, by what was last done about them, and by who saw them. */
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
  /** By the class of the failure: next moves that were offered, followed, and ended well. */
  failures: RecoveryRow[];
  /** The newest plans, the newest first. */
  latest: PlanRow[];
}

export type DetectorsReport = Pick<PeriodFigures, 'detectors' | 'detectorSessions'>;

/** A run, and when something last happened in it. */
export interface RunName {
  run: string;
  last: number;
}

export interface RunsReport {
  /** The latest first. */
  runs: RunName[];
  next?: ListPlace;
}

/** An entry, and its place in the order in which they are reported. */
export interface FedEntry extends LedgerEntry {
  place: string;
}

/** An `AbortSignal`, named so that programs without the types of a platform can be checked too. */
type Ending = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : never;

/** New entries, as they are added by whoever. */
export interface EntryFeed {
  /**
   * Returns a turn at once, and then each time something may have been added, until the signal ends
   * it.
   */
  turns(signal: Ending): AsyncIterable<void>;
  /** The place of the newest entry. */
  newest(): Promise<string>;
  /** Those after a place, at most so many; nothing if the place is no longer known. */
  after(place: string, most: number): Promise<FedEntry[] | undefined>;
  isAfter(place: string, other: string): boolean;
}

/**
 * What a ledger answers about many sessions without being read as a whole. All of them pass
 * `testReports`. Times are in epoch milliseconds.
 */
export interface Reports {
  /** The most recently active first. */
  sessions(query: SessionsQuery): Promise<SessionsReport>;
  session(name: string): Promise<SessionRow | undefined>;
  /**
   * What happened in the session of that name; where a place is given, only what came after it if
   * that can be told.
   */
  history(name: string, after?: ListPlace): Promise<SessionHistory | undefined>;
  /** Names of sessions that begin so; at most a thousand. */
  find(beginning: string): Promise<string[]>;
  /** What sessions are called: as much of their names as no other session begins with. */
  names(sessions: readonly string[]): Promise<ReadonlyMap<string, string>>;
  signals(query: SignalsQuery): Promise<SignalsReport>;
  incidents(query: IncidentsQuery): Promise<IncidentsReport>;
  /** Figures to the hour. */
  stats(query: StatsQuery): Promise<StatsReport>;
  insights(query: InsightsQuery): Promise<InsightsReport>;
  /** Trials of sessions that are still there, the latest first. */
  trials(): Promise<TrialReport[]>;
  recoveries(query: { since: number; most: number }): Promise<RecoveriesReport>;
  detectors(query: { since: number }): Promise<DetectorsReport>;
  /** Runs: names of states without these ends. */
  runs(query: { ends: readonly string[]; most: number; after?: ListPlace }): Promise<RunsReport>;
  feed: EntryFeed;
  /** From then on sessions count as stalled by these limits. */
  stallAfter?(limits: StallLimits): void;
  close(): Promise<void>;
}

/** Without what only lists need. */
export const onlyFigures = ({
  name: _,
  project: _____,
  state: __,
  acted: ___,
  pulse: ____,
  ...summary
}: SessionRow): SessionFigures => summary;
