import type { Waste } from '@unrut/engine/account/loop';
import type { Rate } from '../report/scan-report.ts';

/** The origin of a session as the agent program reports it; sessions can be filtered by it. */
export const ORIGIN_NAMES = ['host', 'model', 'release', 'repo', 'team', 'person'] as const;

/** Only sessions of this origin; an empty text selects sessions without one. */
export type OriginFilter = { [name in (typeof ORIGIN_NAMES)[number]]?: string | undefined };

/** The dimensions of comparisons. Every session has exactly one value of each. */
export const COMPARED = ['repo', 'team', 'release', 'model', 'host'] as const;
export type Compared = (typeof COMPARED)[number];

/**
 * The dimensions of groups. A session belongs to the group of each tool or detector of its loops.
 */
export const GROUPED = [...COMPARED, 'tool', 'detector'] as const;
export type Grouped = (typeof GROUPED)[number];

/**
 * Sessions whose last activity is between these times, in epoch milliseconds, rounded to the
 * minute.
 */
export interface Between {
  since: number;
  until?: number | undefined;
}

/** One side of a comparison: a value or a period. */
export interface ComparedSide extends Partial<Between> {
  value?: string;
}

export interface InsightsQuery extends Between, OriginFilter {
  /** Default: the first dimension with two values among the newest sessions. */
  by?: Grouped | undefined;
  compare?:
    | { by: Compared; a: string; b: string }
    | { by: 'period'; a: Between; b: Between }
    | undefined;
  /** Max number of groups; those with the most waste come first. */
  most: number;
}

/** Figures of a group of sessions, and the cost of their loops. */
export interface GroupFigures {
  sessions: number;
  /** Sessions with a loop. */
  looped: number;
  /** Their share, with its 95 % interval. */
  share: Rate;
  /** The number of people. All sessions of unknown people count as one person each. */
  people: number;
  wasted: Waste;
}

/** Figures of an hour, a day or a week. */
export interface TrendPart {
  /** When it begins, in epoch milliseconds. */
  at: number;
  sessions: number;
  looped: number;
  wasted: Waste;
}

/** The difference between two shares. */
export interface ShareDifference {
  /** The second share minus the first, and its 95 % interval. */
  value: number;
  low: number;
  high: number;
  /** `unclear`: too little data to tell. */
  verdict: 'fewer' | 'more' | 'unclear';
  /** How many more sessions and people each side needs to confirm a difference of this size. */
  missing?: { sessions: number; people: number };
}

/**
 * Both sides of a comparison, and their difference, which is undefined if one side has no sessions.
 */
export interface SideBySide {
  a: GroupFigures;
  b: GroupFigures;
  difference?: ShareDifference;
}

export interface InsightGroup extends GroupFigures {
  /** Empty for sessions without a value. */
  value: string;
  /** Empty parts are omitted. For tools and detectors, only sessions with a loop are counted. */
  trend: TrendPart[];
  comparison?: SideBySide;
}

/** When sessions of a release were first seen. */
export interface ReleaseMark {
  release: string;
  at: number;
}

export interface InsightsReport {
  by: Grouped;
  all: GroupFigures;
  groups: InsightGroup[];
  /** Groups beyond those. */
  more: number;
  comparison?: SideBySide;
  /** Releases first seen within the period, oldest first. */
  releases: ReleaseMark[];
  /** The length of a part of a trend, in milliseconds. */
  part: number;
  /** Values among the newest sessions. */
  choices: { [name in Compared]: string[] };
}
